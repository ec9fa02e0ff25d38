package grammar

import (
	"context"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/atomicfile"
)

// mark begins a file that nobody has changed.
const mark = "// Written by corpusgen grammar; checksum "

const head = "// Edit this file: the next run of corpusgen grammar does not touch it once it has changed.\n\n"

// Run is `corpusgen grammar`.
func Run(_ context.Context, args []string) error {
	own := session.NewFlagSet("grammar")
	file := own.String("o", "", "")
	start := own.String("start", "", "")
	space := own.String("space", "", "")
	pkg := own.String("package", "", "")
	print := own.Bool("n", false, "")
	spaced := false // -space is given
	session.DefineForce(own)
	if err := session.Parse(own, args); err != nil {
		return err
	}
	files := own.Args()
	if len(files) == 0 {
		return session.Usagef("name the files of a grammar: NAME.ebnf, or NAME.g4 of ANTLR")
	}
	if _, err := regexp.Compile(*space); err != nil {
		return session.Usagef("-space is not a regular expression: %v", err)
	}
	g, err := Read(files)
	if err != nil {
		return err
	}
	rules, err := g.Resolve(*start)
	if err != nil {
		return err
	}
	path := *file
	if path == "" {
		path = strings.ToLower(strings.TrimSuffix(filepath.Base(files[0]), filepath.Ext(files[0]))) + "_grammar_test.go"
	}
	if filepath.Ext(path) != ".go" {
		return session.Usagef("-o %s: the name must end in .go", path)
	}
	own.Visit(func(f *flag.Flag) { spaced = spaced || f.Name == "space" })
	if !spaced {
		*space = g.Space()
	}
	f := File{Package: *pkg, Space: *space, From: names(files), Test: strings.HasSuffix(path, "_test.go")}
	if f.Package == "" {
		if f.Package, err = packageOf(path); err != nil {
			return err
		}
	}
	text, err := f.Write(g, rules)
	if err != nil {
		return err
	}
	whole := session.Signed(mark, head+string(text))
	if *print {
		session.Print(os.Stdout, whole)
		return nil
	}
	if err := session.Untouched(path, mark); err != nil {
		return err
	}
	if err := atomicfile.Write(path, []byte(whole)); err != nil {
		return err
	}
	session.Print(os.Stdout, fmt.Sprintf("%s: %s of %s%s\n", gotest.Short(path), session.Count(len(rules), "rule", "rules"), strings.Join(f.From, " and "), g.notes(rules)))
	return nil
}

// Read reads the files of one grammar.
func Read(files []string) (*Grammar, error) {
	g := &Grammar{}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		switch filepath.Ext(path) {
		case ".ebnf":
			err = g.readEBNF(path, string(text))
		case ".g4":
			err = g.readANTLR(path, string(text))
		default:
			err = session.Usagef("%s: the name of a grammar ends in .ebnf, or in .g4 of ANTLR", path)
		}
		if err != nil {
			return nil, err
		}
	}
	return g, nil
}

// notes says which parts of the grammar are not in the file.
func (g *Grammar) notes(reached []*Rule) string {
	var list []string
	for what, n := range g.Ignored {
		list = append(list, fmt.Sprintf("%s (%d)", what, n))
	}
	slices.Sort(list)
	for _, r := range g.Rules {
		if !slices.Contains(reached, r) && !r.Hidden {
			list = append(list, "rule "+r.Name)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "; left out: " + strings.Join(list, ", ")
}

func names(paths []string) (names []string) {
	for _, p := range paths {
		names = append(names, filepath.Base(p))
	}
	return names
}

// packageOf returns the name of the package of a new file: that of the others, with _test at the end for
// a test.
func packageOf(path string) (string, error) {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	name := strings.ToLower(regexp.MustCompile(`\W+|^[0-9]+`).ReplaceAllString(filepath.Base(dir), ""))
	all, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, other := range all {
		if f, err := parser.ParseFile(token.NewFileSet(), other, nil, parser.PackageClauseOnly); err == nil && !strings.HasSuffix(other, "_test.go") {
			name = f.Name.Name
			break
		}
	}
	if name == "" {
		name = "syntax"
	}
	if strings.HasSuffix(path, "_test.go") {
		name += "_test"
	}
	return name, nil
}
