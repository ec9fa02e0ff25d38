package apitest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// diff makes regression tests of another version of the module, and runs them on this one.
func (r *apiRun) diff(ctx context.Context, now *apigen.Package) error {
	if now.Module == "" {
		return fmt.Errorf("%s is in no module that has versions", now.Path)
	}
	if r.env.Cached(now.Dir) {
		return fmt.Errorf("%s is in the module cache, whose files -diff cannot replace: "+
			"run it in a copy of the module %s", now.Path, now.Module)
	}
	from, err := r.oldVersion(ctx, now.Module)
	if err != nil {
		return err
	}
	replaced, err := replacement(now.ModuleDir, from)
	if err != nil {
		return err
	}
	overlay := filepath.Join(r.tmp, "old.json")
	if err := gotest.WriteOverlay(overlay, "", replaced); err != nil {
		return err
	}
	flags := append(slices.Clip(r.flags.BuildFlags()), "-overlay="+overlay)
	old, err := apigen.Load(ctx, r.flags.Packages[0], flags, replaced)
	if err != nil {
		return fmt.Errorf("%s: %w", r.old, err)
	}
	r.dir = now.Dir
	h, text, err := r.makeHarness(old)
	if err != nil {
		return err
	}
	g := &generation{apiRun: r, pkg: old, harness: h, text: text, taken: now.TestNames(),
		replaced: replaced}
	r.Status("building the test binary of %s", r.old)
	// There is no coverage, as go tool cover ignores overlays.
	if g.binary, err = g.build(ctx, harnessFile, text); err != nil {
		return err
	}
	if err := g.run(ctx); err != nil {
		return err
	}
	all := g.suite.Regressions
	g.suite.Regressions = nil
	if err := g.choose(ctx); err != nil {
		return err
	}
	g.tests += len(g.suite.Regressions)
	g.suite.Regressions = append(g.suite.Regressions, all...)
	funcs, err := g.regressions(ctx)
	if err != nil {
		return err
	}
	return g.compare(ctx, now, funcs)
}

// oldVersion returns the directory of another version of the module.
func (r *apiRun) oldVersion(ctx context.Context, module string) (dir string, err error) {
	file := filepath.Join(r.old, "go.mod")
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		out, err := gotest.Output(ctx, "mod", "edit", "-json", file)
		var read struct{ Module struct{ Path string } }
		if err == nil {
			err = json.Unmarshal([]byte(out), &read)
		}
		if of := read.Module.Path; err == nil && of != module {
			err = fmt.Errorf("-diff %s is the module %q, not a version of %s", r.old, of, module)
		}
		if err != nil {
			return "", err
		}
		return filepath.Abs(r.old)
	}
	version := r.old[strings.LastIndexByte(r.old, '@')+1:]
	out, err := gotest.Output(ctx, "mod", "download", "-json", module+"@"+version)
	var got struct{ Dir, Error string }
	if json.Unmarshal([]byte(out), &got) == nil && got.Error != "" {
		err = errors.New(got.Error)
	}
	if err != nil {
		return "", fmt.Errorf("-diff %s is neither a directory with a go.mod nor a version of %s: %w",
			r.old, module, err)
	}
	return got.Dir, nil
}

// replacement maps the files of a module, but its go.mod, to the files of another version. Tests, which
// may use what that does not have, and files that it does not have are mapped to "".
func replacement(dir, from string) (map[string]string, error) {
	all := map[string]string{}
	err := goFiles(dir, func(rel string) { all[filepath.Join(dir, rel)] = "" })
	if err != nil {
		return nil, err
	}
	return all, goFiles(from, func(rel string) {
		if !strings.HasSuffix(rel, "_test.go") {
			all[filepath.Join(dir, rel)] = filepath.Join(from, rel)
		}
	})
}

// goFiles calls a function for each Go file of a module, with its path in the module.
func goFiles(root string, found func(rel string)) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root {
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if err == nil || name == "testdata" || name[0] == '.' || name[0] == '_' {
				return fs.SkipDir
			}
		}
		rel, err := filepath.Rel(root, path)
		if d.Type().IsRegular() && filepath.Ext(name) == ".go" {
			found(rel)
		}
		return err
	})
}

// A behavior is a change: tests of an operation that do not pass any longer.
type behavior struct {
	Op      string
	Tests   int
	Message string // of the shortest of the tests; "" if they do not compile
	Code    string

	Announced bool // a changelog names the operation, in what it says of later versions
}

// compare runs tests of the old version on this one, and prints what has changed.
func (g *generation) compare(ctx context.Context, now *apigen.Package, tests []apigen.Func) error {
	if len(tests) == 0 {
		return fmt.Errorf("%s: no regression test of %s passes: there is nothing to compare",
			now.Path, g.old)
	}
	g.Status("running %d tests of %s", len(tests), g.old)
	g.replaced, g.pkg = nil, now
	h, err := apigen.New(now, apigen.Options{})
	if err != nil {
		return err
	}
	g.harness = h
	text, broken, err := h.Tests("", tests)
	if err != nil {
		return err
	}
	tests = slices.DeleteFunc(tests, func(f apigen.Func) bool {
		stubbed := strings.HasPrefix(broken[f.Name], "undefined: stub") ||
			strings.HasPrefix(broken[f.Name], "undefined: callLog")
		if stubbed { // something implements the interface now
			delete(broken, f.Name)
		}
		return stubbed
	})
	failed := map[string]string{}
	if text != nil {
		b, err := g.build(ctx, regressionFile, text)
		if err != nil {
			return err
		}
		left := slices.DeleteFunc(slices.Clone(tests), func(f apigen.Func) bool {
			return broken[f.Name] != ""
		})
		if _, failed, err = g.passing(ctx, b, left, 1); err != nil {
			return err
		}
	}
	changes := behaviors(tests, broken, failed)
	g.Status("")
	announced := 0
	text = news(now.ModuleDir, g.old)
	for _, c := range changes {
		m := selected.FindStringSubmatch(c.Op)
		if m != nil && regexp.MustCompile(`\b`+m[1]+`\b`).Match(text) {
			c.Announced = true
			announced++
		}
	}
	n := len(broken) + len(failed)
	g.line("%s: %d of %s of %s do not pass: %s, %d announced", now.Path, n,
		session.Count(len(tests), "test", "tests"), g.old,
		session.Count(len(changes), "change", "changes"), announced)
	for _, c := range changes {
		g.printChange(c)
	}
	g.Emit(changesEvent{session.NewHead("diff", now.Path, ""), g.old, len(tests), n, changes})
	if announced < len(changes) {
		return session.ErrReported
	}
	return nil
}

// behaviors returns what the tests that are broken or failed say has changed.
func behaviors(tests []apigen.Func, broken, failed map[string]string) (changes []*behavior) {
	for _, f := range tests {
		op, message := "", ""
		if why := broken[f.Name]; why != "" {
			op = "it does not compile: " + numbered.ReplaceAllString(why, "$1")
		} else if text, ok := failed[f.Name]; ok {
			op, message = changedOp(text)
		} else {
			continue
		}
		i := slices.IndexFunc(changes, func(c *behavior) bool { return c.Op == op })
		if i < 0 {
			i = len(changes)
			changes = append(changes, &behavior{Op: op, Message: message, Code: f.Code})
		}
		c := changes[i]
		if c.Tests++; len(f.Code) < len(c.Code) {
			c.Message, c.Code = message, f.Code
		}
	}
	return changes
}

// printChange prints a line for a change.
func (g *generation) printChange(c *behavior) {
	line := c.Op
	if c.Announced {
		line = "announced: " + line
	}
	if c.Message != "" && c.Message != c.Op {
		line += ": " + c.Message
	}
	g.line("%s (%s)", line, session.Count(c.Tests, "test", "tests"))
	if g.v {
		g.line("%s", indented(c.Code))
	}
}

// changelog matches the names of files that say what versions change.
var changelog = regexp.MustCompile(`(?i)^(change|history|release|news).*`)

// news returns what the changelogs of a module say above the heading of a version.
func news(dir, version string) (text []byte) {
	number := strings.TrimPrefix(version[strings.LastIndexByte(version, '@')+1:], "v")
	heading := regexp.MustCompile(
		`(?m)^[^\w\n]*(version |release )?v?` + regexp.QuoteMeta(number) + `\b`)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !changelog.MatchString(e.Name()) {
			continue
		}
		all, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if at := heading.FindIndex(all); err == nil && at != nil {
			text = append(text, all[:at[0]]...)
		}
	}
	return text
}

// A changesEvent is the line of -json for what has changed.
type changesEvent struct {
	session.Head
	Old           string
	Tests, Failed int
	Changes       []*behavior
}

var (
	failureLine = regexp.MustCompile(`(?m)^\s+\S+_test\.go:\d+: (.*)$`)
	numbered    = regexp.MustCompile(`\b([A-Za-z]+)\d+\b`) // names of variables
	selected    = regexp.MustCompile(`\.([A-Z]\w*)`)       // the method or function of a change
	calledName  = regexp.MustCompile(`^([\w.]*?)\d*\.(\w+)`)
)

// changedOp returns what has changed, according to what a test prints: the first call that does
// not return what it did, without the number of its receiver.
func changedOp(output string) (op, message string) {
	if m := failureLine.FindStringSubmatch(output); m != nil {
		if name := calledName.FindStringSubmatch(m[1]); name != nil {
			return name[1] + "." + name[2], m[1]
		}
		return m[1], m[1]
	}
	line := session.FirstLine(output)
	return digits.ReplaceAllString(line, "#"), line
}
