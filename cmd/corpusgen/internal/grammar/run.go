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
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/safefile"
)

// mark begins a file that nobody has changed, and head follows it.
const (
	mark = "// Written by corpusgen grammar; checksum "
	head = "// Edit this file: the next run of corpusgen grammar does not touch it once it has " +
		"changed.\n\n"
)

// Run is `corpusgen grammar`.
func Run(_ context.Context, args []string) error {
	own := session.NewFlagSet("grammar")
	path := own.String("o", "", "")
	start := own.String("start", "", "")
	space := own.String("space", "", "")
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
	if *path == "" {
		*path = strings.ToLower(strings.TrimSuffix(filepath.Base(files[0]),
			filepath.Ext(files[0]))) + "_grammar_test.go"
	}
	if filepath.Ext(*path) != ".go" {
		return session.Usagef("-o %s: the name must end in .go", *path)
	}
	if err := session.Untouched(*path, mark); err != nil {
		return err
	}
	g, err := Read(files)
	if err != nil {
		return err
	}
	rules, err := g.Resolve(*start)
	if err != nil {
		return err
	}
	f := File{Space: `\s+`, Test: strings.HasSuffix(*path, "_test.go")}
	own.Visit(func(set *flag.Flag) {
		if set.Name == "space" {
			f.Space = *space
			g.setSpace(*space)
		}
	})
	if f.Package, err = packageOf(*path); err != nil {
		return err
	}
	for i, name := range files {
		files[i] = filepath.Base(name)
	}
	f.From = strings.Join(files, " and ")
	text, err := f.Write(g, rules)
	if err != nil {
		return err
	}
	if err := safefile.Write(*path, []byte(session.Signed(mark, head+string(text)))); err != nil {
		return err
	}
	reached := map[*Rule]bool{}
	for _, r := range rules {
		reached[r] = true
	}
	for _, r := range g.Rules {
		if !reached[r] && !r.Lexical {
			g.leave("rule " + r.Name)
		}
	}
	left := ""
	if len(g.Left) > 0 {
		left = "; left out: " + strings.Join(g.Left, ", ")
	}
	session.Print(os.Stdout,
		fmt.Sprintf("%s: %s of %s%s\n", gotest.Short(*path),
			session.Count(len(rules), "rule", "rules"), f.From, left))
	for _, note := range g.Notes {
		session.Print(os.Stdout, note+"\n")
	}
	return nil
}

// packageOf returns the name of the package of a new file: the name of the others, or else of the
// directory, with _test at the end for a test.
func packageOf(path string) (string, error) {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	all, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	name := "x" + regexp.MustCompile(`\W`).ReplaceAllString(filepath.Base(dir), "")
	if token.IsIdentifier(name[1:]) {
		name = name[1:]
	}
	for _, other := range all {
		if f, err := parser.ParseFile(token.NewFileSet(), other, nil,
			parser.PackageClauseOnly); err == nil && !strings.HasSuffix(other, "_test.go") {
			name = f.Name.Name
		}
	}
	if strings.HasSuffix(path, "_test.go") {
		name += "_test"
	}
	return name, nil
}
