// Package finding tells others than the reader of a terminal about failures: GitHub Actions
// by annotations and the summary of a job, and tools that read SARIF 2.1.0 by a file.
//
//	all := finding.List{Sarif: "findings.sarif"}
//	err := all.Locate()
//	all.Add(output, finding.Finding{Target: "FuzzInsert", Dir: dir, Place: "tree_test.go:31", Message: "3 is lost"})
//	err = all.Write()
package finding

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"

	"github.com/espalier-go/espalier/internal/job"
)

// A Finding is a failure of a target.
type Finding struct {
	Target  string
	Package string // import path
	Dir     string // of the package, absolute
	Place   string // has FILE.go:LINE, if that is known, with the name of the file only
	Message string // what failed
	Value   string // the minimal failing value as Go code, or ""
	File    string // that holds the value, or ""
	Rerun   string // the command that runs it again, or ""
}

// Text returns what a reader must know, in a few lines.
func (f *Finding) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s fails: %s", f.Target, strings.TrimSpace(f.Message))
	for _, part := range []struct{ title, text string }{
		{job.MinimalValue, f.Value}, {job.SavedAs, f.File}, {"to run it again", f.Rerun},
	} {
		if part.text != "" {
			fmt.Fprintf(&b, "\n%s: %s", part.title, part.text)
		}
	}
	return b.String()
}

// A Location is a line of a file.
type Location struct {
	Path string // relative to the root of a List, with slashes; "" if it is not known
	Line int    // from 1
}

var placeForm = regexp.MustCompile(`([^\s/\\]+\.go):(\d+)`)

// Location finds the line at which f failed. It looks for the file of the place in the
// package's directory, and then below root. If there is none, or more than one below root,
// the location is the declaration of the target.
func (f *Finding) Location(root string) Location {
	if m := placeForm.FindStringSubmatch(f.Place); m != nil {
		line, _ := strconv.Atoi(m[2])
		path := filepath.Join(f.Dir, m[1])
		if _, err := os.Stat(path); err != nil {
			path = only(root, m[1])
		}
		if rel := relative(root, path); rel != "" {
			return Location{rel, line}
		}
	}
	path, line := declaration(f.Dir, f.Target)
	return Location{relative(root, path), line}
}

// relative returns the path below root, with slashes, or "".
func relative(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if path == "" || err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// only returns the path of the file below root that has the name, or "" if it is not the
// only one.
func only(root, name string) (found string) {
	n := 0
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be read is not the file
		case d.IsDir() && path != root &&
			(strings.HasPrefix(d.Name(), ".") || d.Name() == "vendor" || d.Name() == "testdata"):
			return filepath.SkipDir
		case !d.IsDir() && d.Name() == name:
			found = path
			n++
		}
		return nil
	})
	if n != 1 {
		return ""
	}
	return found
}

// declaration returns where a function is declared in the test files of a directory.
func declaration(dir, name string) (path string, line int) {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, path := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name {
				return path, set.Position(fn.Pos()).Line
			}
		}
	}
	return "", 0
}

// A List is the failures that a command has found, for others than the reader of a terminal.
type List struct {
	Sarif string // file of -sarif, absolute; or ""

	// for the job summary of GitHub Actions
	Command string     // "" for no summary
	Idle    string     // if nothing has run: a title instead of a number of failures
	Table   [][]string // with its head
	Legend  string     // what the words of Table mean

	root     string // directory to which the paths of files are relative
	findings []Finding
}

// Locate fixes the directory to which paths are relative, and checks the flag.
func (l *List) Locate() (err error) {
	if l.root, err = os.Getwd(); err != nil {
		return err
	}
	if l.Sarif == "" {
		return nil
	}
	if err := checkSARIF(l.Sarif); err != nil {
		return session.UsageError{Msg: "-sarif: " + err.Error()}
	}
	l.Sarif, err = filepath.Abs(l.Sarif)
	return err
}

// Add adds a finding, and annotates it where GitHub Actions runs corpusgen.
func (l *List) Add(o *session.Output, f Finding) {
	l.findings = append(l.findings, f)
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		o.Print(o.Log, l.annotation(f))
	}
}

// annotation returns the line that makes GitHub Actions show a finding at its place.
func (l *List) annotation(f Finding) string {
	var properties []string
	if at := f.Location(l.root); at.Path != "" {
		properties = append(properties, "file="+escapeProperty(at.Path), fmt.Sprintf("line=%d", at.Line))
	}
	properties = append(properties, "title="+escapeProperty(f.Target+" fails"))
	return "::error " + strings.Join(properties, ",") + "::" + escapeData(f.Text()) + "\n"
}

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func escapeData(s string) string     { return dataEscapes.Replace(s) }
func escapeProperty(s string) string { return propertyEscapes.Replace(s) }
