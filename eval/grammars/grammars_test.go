package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/eval/others"
)

func TestHasCode(t *testing.T) {
	for text, code := range map[string]bool{
		`options { tokenVocab = L; } tokens { A, B } a : B* ;`: false,
		`a : '{' [{] ; // {`:                         false,
		`a : B {do();} ;`:                            true,
		`b : {this.p()}? B ;`:                        true,
		`options { superClass = Base; } a : B ;`:     true,
		"/* options { superClass = Base; } */ a : ;": false,
	} {
		require.Equal(t, code, hasCode(text), text)
	}
}

// checkout writes a checkout with one grammar.
func checkout(t *testing.T) study {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"x/pom.xml":           "<include>X.g4</include><!-- <entryPoint>b</entryPoint> --><entryPoint>a</entryPoint>",
		"x/X.g4":              "grammar X; a : 'a' EOF ;",
		"x/Other.g4":          "grammar Other;",
		"x/examples/1":        "a",
		"x/examples/2":        "b",
		"x/examples/2.tree":   "(a b)",
		"x/examples/3":        strings.Repeat("a", mostBytes+1),
		"x/examples/4":        "c",
		"x/examples/4.errors": "1:1",
		"none/pom.xml":        "",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return study{dir: dir}
}

func TestGrammars(t *testing.T) {
	s := checkout(t)
	all := s.grammars()
	require.Len(t, all, 1)
	g := all[0]
	require.Equal(t, "a", g.start)
	require.Equal(t, []string{filepath.Join(s.dir, "x", "X.g4")}, g.files)
	require.ElementsMatch(t, []string{filepath.Join(s.dir, "x/examples/1"),
		filepath.Join(s.dir, "x/examples/2")}, g.examples)
}

// A report has a row for each half, and reasons of the half that may be read only.
func TestReport(t *testing.T) {
	s := checkout(t)
	dir := t.TempDir()
	report := func(r result) string {
		text, err := json.Marshal(r)
		require.NoError(t, err)
		require.NoError(t, others.Write(filepath.Join(dir, "x.json"), string(text)))
		var out strings.Builder
		require.NoError(t, s.Report(&out, dir, regexp.MustCompile("")))
		return out.String()
	}
	s.markdown = true
	half := halves[halfOf(s.grammars()[0])]
	out := report(result{Converted: true, Compiled: true,
		Examples: []item{{"1", "ok"}, {"2", "1:1: want a"}}, Texts: []item{{"0", "ok"}}})
	require.Contains(t, out, "| "+half+" | 1 | 1 | 1 | 2 | 1 | 1 | 1 | 1 |\n")
	out = report(result{Fault: "X.g4:1:2: oh"})
	require.Contains(t, out, "| "+half+" | 1 | 0 | 0 | 2 | 0 | 0 | 0 | 0 |\n")
	require.Equal(t, half == "read", strings.Contains(out, "oh"))
}
