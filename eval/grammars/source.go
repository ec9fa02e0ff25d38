package main

import (
	"cmp"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Commit is the commit of github.com/antlr/grammars-v4 that docs/evaluation.md reports.
const Commit = "aca577d9e30e591eacbc414f1280f22645412af4"

// A grammar is a directory of the checkout.
type grammar struct {
	name     string // the path of the directory
	dir      string
	files    []string
	start    string
	examples []string
	code     bool // in the language of a target
}

const (
	mostExamples = 10
	mostBytes    = 16 << 10 // of an example
)

// grammars returns the grammars of the checkout, in the order of the hashes of their names: the first
// ones are a random sample.
func (s *study) grammars() (all []grammar) {
	_ = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "pom.xml" {
			if g, ok := grammarOf(s.dir, filepath.Dir(path)); ok {
				all = append(all, g)
			}
		}
		return nil
	})
	slices.SortFunc(all, func(a, b grammar) int {
		return cmp.Or(cmp.Compare(hash(a.name), hash(b.name)), cmp.Compare(a.name, b.name))
	})
	return all
}

var (
	included = regexp.MustCompile(`<include>\s*(\S+\.g4)\s*</include>`)
	entry    = regexp.MustCompile(`<entryPoint>\s*(\w+)\s*</entryPoint>`)
	named    = regexp.MustCompile(`<grammarName>\s*(\w+)\s*</grammarName>`)
	samples  = regexp.MustCompile(`<exampleFiles>\s*([^<\s]+)\s*</exampleFiles>`)
	comments = regexp.MustCompile(`(?s)<!--.*?-->`)
)

// grammarOf reads a directory. It reports false if that has no grammar.
func grammarOf(root, dir string) (g grammar, ok bool) {
	text, err := os.ReadFile(filepath.Join(dir, "pom.xml"))
	if err != nil {
		return g, false
	}
	pom := comments.ReplaceAllString(string(text), "")
	g.name, err = filepath.Rel(root, dir)
	if m := entry.FindStringSubmatch(pom); m != nil && err == nil {
		g.dir, g.start = dir, m[1]
	} else {
		return g, false
	}
	for _, m := range included.FindAllStringSubmatch(pom, -1) {
		if path := filepath.Join(dir, m[1]); isFile(path) {
			g.files = append(g.files, path)
		}
	}
	if g.files == nil {
		g.files, _ = filepath.Glob(filepath.Join(dir, "*.g4"))
	}
	if m := named.FindStringSubmatch(pom); m != nil {
		g.files = filesOf(dir, m[1], g.files)
	}
	g.code = slices.ContainsFunc(g.files, func(path string) bool {
		text, _ := os.ReadFile(path)
		return hasCode(string(text))
	})
	from := filepath.Join(dir, "examples")
	if m := samples.FindStringSubmatch(pom); m != nil {
		from = filepath.Join(dir, m[1])
	}
	g.examples = examplesOf(root, from)
	return g, len(g.files) > 0
}

// filesOf returns the files of a grammar with a name, if they can be told from others.
func filesOf(dir, name string, all []string) []string {
	for _, names := range [][]string{{name}, {name + "Lexer", name + "Parser"}} {
		var files []string
		for _, name := range names {
			if path := filepath.Join(dir, name+".g4"); isFile(path) {
				files = append(files, path)
			}
		}
		if len(files) == len(names) {
			return files
		}
	}
	return all
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// examplesOf returns the examples below a directory.
func examplesOf(root, dir string) (all []string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil || info.Size() > mostBytes || slices.Contains([]string{".tree", ".errors", ".md"},
			filepath.Ext(path)) {
			return nil
		}
		if bad, err := os.Stat(path + ".errors"); err == nil && bad.Size() > 0 {
			return nil
		}
		all = append(all, path)
		return nil
	})
	rank := func(path string) uint32 {
		name, _ := filepath.Rel(root, path)
		return hash(name)
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return all[:min(len(all), mostExamples)]
}

// held reports whether a grammar is in the half that nobody reads.
func (g grammar) held() bool { return hash(g.name)%2 == 1 }

func hash(name string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(filepath.ToSlash(name)))
	return h.Sum32()
}

func fileName(name string) string { return strings.ReplaceAll(filepath.ToSlash(name), "/", "+") }

var (
	noise  = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|'(?:\\.|[^'\\\n])*'|\[(?:\\.|[^\]\\])*\]`)
	tables = regexp.MustCompile(`\b(?:tokens|channels)\s*\{[^}]*\}`)
	super  = regexp.MustCompile(`\bsuperClass\b`)
	setup  = regexp.MustCompile(`\boptions\s*\{[^}]*\}`)
)

// hasCode reports whether a grammar has code in the language of a target.
func hasCode(text string) bool {
	text = noise.ReplaceAllString(text, " ")
	return super.MatchString(text) ||
		strings.Contains(setup.ReplaceAllString(tables.ReplaceAllString(text, ""), ""), "{")
}
