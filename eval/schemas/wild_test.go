package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The list has 200 schemas, each once, of the sources.
func TestItems(t *testing.T) {
	all, err := items(wildList)
	require.NoError(t, err)
	kinds, seen := map[string]int{}, map[string]bool{}
	for _, i := range all {
		require.False(t, seen[i.String()], i)
		require.Regexp(t, `^[0-9a-f]{64}$`, i.sum, i)
		require.Contains(t, sourceList, i.kind+"\t"+i.source+"\t", i)
		kinds[i.kind]++
		seen[i.String()] = true
	}
	require.Equal(t, map[string]int{"schemastore": 80, "helm": 40, "crd": 40, "openapi": 40}, kinds)
	require.True(t, strings.HasPrefix(wildList, rule))
	_, err = items("crd\tgo:a@v1\tb.yaml\n")
	require.ErrorContains(t, err, "3 fields, not 5")
}

// The schemas of files are found, and a job has each with what it refers to.
func TestPointers(t *testing.T) {
	for _, c := range []struct{ kind, path, text, pointers, valid, invalid string }{
		{"helm", "values.schema.json", `{"type": "object"}`, "", `{}`, `1`},
		{"crd", "a.yaml", "kind: Other\n---\nkind: CustomResourceDefinition\nspec:\n  versions:\n  - name: v1\n" +
			"  - schema:\n      openAPIV3Schema: {type: object, properties: {a: {minimum: 1, exclusiveMinimum: true}}}\n",
			"/1/spec/versions/1/schema/openAPIV3Schema", `{"a": 2}`, `{"a": 1}`},
		{"openapi", "a.yaml", "openapi: 3.0.1\ncomponents: {schemas: {a/b c: {items: {$ref: '#/components/schemas/a~1b%20c'}, type: array}}}\n",
			"/components/schemas/a~1b c", `[[]]`, `[1]`},
		{"openapi", "a.json", `{"openapi": "3.1.0", "components": {"schemas": {"a": {"exclusiveMinimum": 3}}}}`,
			"/components/schemas/a", `4`, `3`},
		{"openapi", "a.json", `{"openapi": "3.0.0", "components": {"schemas": {"a": {"nullable": true}}}}`, "none", "", ""},
		{"openapi", "a.yaml", "[", "none", "", ""},
	} {
		all := pointers(c.kind, c.path, []byte(c.text))
		if c.pointers == "none" {
			require.Empty(t, all)
			continue
		}
		require.Equal(t, []string{c.pointers}, all)
		i := item{c.kind, "", c.path, "", sum([]byte(c.text))}
		require.True(t, i.first([]byte(c.text), "", nil, map[string]bool{}))
		require.Equal(t, c.pointers, i.pointer)

		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, c.path), []byte(c.text), 0o666))
		j, err := i.job(dir, nil)
		require.NoError(t, err)
		v, err := newValidators(j)
		require.NoError(t, err)
		require.Empty(t, v.judge(instance{"", json.RawMessage(c.valid), true}), c.text)
		require.Empty(t, v.judge(instance{"", json.RawMessage(c.invalid), false}), c.text)
		i.sum = "0"
		_, err = i.job(dir, nil)
		require.ErrorContains(t, err, "get the version that is listed")
	}
}

// A schema for which there is no file is left out, and so is a component whose name has been seen.
func TestFirst(t *testing.T) {
	i := item{kind: "helm", path: "values.schema.json"}
	require.False(t, i.first([]byte(`{"$ref": "http://schema.test/other.json"}`), "", nil, map[string]bool{}))
	i = item{kind: "openapi", path: "a.json"}
	seen := map[string]bool{"/components/schemas/a": true}
	require.False(t, i.first([]byte(`{"openapi": "3.1.0", "components": {"schemas": {"a": {}}}}`), "", nil, seen))
}

// A survey has a row, and each failure a line.
func TestSurvey(t *testing.T) {
	s := survey{kind: "crd"}
	i, j := item{"crd", "go:a@v1", "b.yaml", "/0", ""}, job{Values: 10}
	s.add(i, j, result{Accepted: true, Made: 10, Valid: 9, Invalid: 1, Failures: []string{"a value"}, Bytes: 100, Parse: time.Second, CPU: 3 * time.Second})
	s.add(i, j, result{Accepted: true, Made: 4, Valid: 4, Rejected: 96, Bytes: 40, CPU: time.Second})
	s.add(i, j, result{Refused: "it has a new keyword"})
	s.add(i, j, result{Slow: "Parse: takes longer"})
	s.add(i, j, result{Panic: "Parse: it panics"})
	var out strings.Builder
	p := &printer{out: &out}
	s.print(p)
	require.True(t, p.failed)
	require.Equal(t, `crd	5	2	1	14	13	96	4	10	crd go:a@v1 b.yaml#/0	3.00
	FAIL	crd go:a@v1 b.yaml#/0	a value
	FAIL	crd go:a@v1 b.yaml#/0	refused: it has a new keyword
	FAIL	crd go:a@v1 b.yaml#/0	slow: Parse: takes longer
	FAIL	crd go:a@v1 b.yaml#/0	panic: Parse: it panics
	note	crd go:a@v1 b.yaml#/0	4 values: 96 runs were rejected
`, out.String())
}

// A source that is not at hand says what to do.
func TestSourceDir(t *testing.T) {
	_, err := sourceDir(t.Context(), "git:a/b@c", "")
	require.ErrorContains(t, err, "say -dir DIR")
	_, err = sourceDir(t.Context(), "a/b", "")
	require.ErrorContains(t, err, "write go:PATH@VERSION or git:OWNER/NAME@COMMIT")
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a/b"), 0o777))
	got, err := sourceDir(t.Context(), "git:a/b@c", dir)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "a/b"), got)
}

// An expression that package regexp does not know is one, too.
func TestCompile(t *testing.T) {
	re, err := compile(`^(?!a)b?`)
	require.NoError(t, err)
	require.True(t, re.MatchString("b"))
	require.False(t, re.MatchString("a"))
	_, err = compile("(")
	require.Error(t, err)
	require.IsType(t, &regexp.Regexp{}, must(compile("a")))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
