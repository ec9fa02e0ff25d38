package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A test that starts a worker starts this binary.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

var three = job{Schema: `{"type": "integer", "minimum": 3}`, Draft: 7, Second: true, Values: 20, Instances: []instance{
	{"right", json.RawMessage("5"), true}, {"right", json.RawMessage("2"), false},
	{"wrong", json.RawMessage("2"), true}, {"wrong", json.RawMessage("5"), false},
}}

// A worker measures schemas. One that dies is replaced.
func TestWorker(t *testing.T) {
	w := &worker{}
	defer w.kill()
	for range 2 {
		r, err := w.run(t.Context(), three)
		require.NoError(t, err)
		require.Empty(t, r.Died+r.Slow+r.Panic+r.Refused+r.NoValidator)
		require.Equal(t, []int{20, 20, 0}, []int{r.Made, r.Valid, r.Invalid}, r.Failures)
		require.Equal(t, []string{"", ""}, r.Instances[:2])
		require.Contains(t, r.Instances[2], "valid, and the generator does not make it: ")
		require.Equal(t, "invalid, and the generator makes it", r.Instances[3])
		require.Len(t, r.Misjudged, 2)

		r, err = w.run(t.Context(), job{Schema: `{"type": "none"}`, Draft: 7, Values: 1})
		require.NoError(t, err)
		require.NotEmpty(t, r.Refused)
		require.NotEmpty(t, r.NoValidator)

		require.NoError(t, w.cmd.Process.Kill())
		r, err = w.run(t.Context(), three)
		require.NoError(t, err)
		require.Contains(t, r.Died, "the process died")
	}
}

// The validators know drafts, remote files, and that a format is only an annotation.
func TestValidators(t *testing.T) {
	file := filepath.Join(t.TempDir(), "remote.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"type": "string", "format": "regex"}`), 0o666))
	const url = "http://localhost:1234/remote.json"
	for _, c := range []struct {
		schema     string
		draft      int
		format     bool
		text       string
		invalid    bool
		haveSecond bool
	}{
		{`{"$ref": "` + url + `"}`, 7, false, `"["`, false, true},
		{`{"$ref": "` + url + `"}`, 7, true, `"["`, true, true},
		{`{"$ref": "` + url + `"}`, 2020, false, `1`, true, true},
		{`{"format": "email"}`, 6, false, `"no"`, false, false},
		{`{"format": "email"}`, 2019, true, `"no"`, true, false},
		{`{"minimum": 3, "exclusiveMinimum": true}`, 4, false, `3`, true, false},
		{`{"multipleOf": 0.01}`, 2020, false, `4.35`, false, true},
	} {
		v, err := newValidators(job{Schema: c.schema, Draft: c.draft, Format: c.format, Second: true,
			Remotes: remotes{{url, file, ""}}})
		require.NoError(t, err, c.schema)
		require.Equal(t, c.haveSecond, v.second != nil, c.schema)
		var value any
		require.NoError(t, json.Unmarshal([]byte(c.text), &value))
		invalid, _ := v.validate([]byte(c.text), value)
		require.Equal(t, c.invalid, invalid != "", "%s: %s", c.schema, invalid)
	}
	_, err := newValidators(job{Schema: `{"$ref": "http://localhost:1234/none"}`, Draft: 7})
	require.ErrorContains(t, err, "no remote file http://localhost:1234/none")
}

// A tally has what became of each schema and each instance, and each failure is printed.
func TestTally(t *testing.T) {
	yes, no := instance{"yes", nil, true}, instance{"no", nil, false}
	var tally tally
	add := func(r result, tests ...instance) {
		tally.add(group{"a.json", "a group", nil, tests}, job{Values: 10}, r)
	}
	add(result{Accepted: true, Made: 10, Instances: []string{"", ""}}, yes, no)
	add(result{Accepted: true, Made: 9, Rejected: 5, Instances: []string{"it is not made", ""}, Invalid: 1, Failures: []string{"a value"}}, yes, no)
	add(result{Refused: "it allows nothing"}, no)
	add(result{Refused: "it has a new keyword"}, yes, no)
	add(result{Refused: "it refers to a file", NoRemote: "http://localhost:1234/none"}, yes)
	add(result{Died: "Parse: the process died"}, yes)
	add(result{Accepted: true, Disagreed: 1, Disagree: []string{"on 1"}, Instances: []string{""}}, yes)
	var out strings.Builder
	p := &printer{out: &out}
	tally.print(p, parts[0])
	require.True(t, p.failed)
	require.Equal(t, `2020-12	github.com/google/jsonschema-go@v0.4.3	7	3	1	1	1	2 / 5	3 / 4	19	1	1	2	0.0
	FAIL	a.json	a group	yes	it is not made
	FAIL	a.json	a group		a value
	FAIL	a.json	a group		refused though satisfiable: it has a new keyword
	FAIL	a.json	a group		died: Parse: the process died
	note	a.json	a group		only 9 values: 5 runs were rejected
	note	a.json	a group		refused, and the suite has no valid instance: it allows nothing
	note	a.json	a group		no remote file http://localhost:1234/none: it refers to a file
	note	a.json	a group		only 0 values: 0 runs were rejected
	note	a.json	a group		the validators disagree: on 1
`, out.String())
	require.NoError(t, p.end())
}

// As Markdown, notes come after the table, and a table without failures has none.
func TestPrinter(t *testing.T) {
	var out strings.Builder
	p := &printer{out: &out, markdown: true}
	p.row("draft", "schemas")
	p.note("a", "b\nc")
	p.row(7, 1)
	require.NoError(t, p.end())
	require.False(t, p.failed)
	require.Equal(t, "| draft | schemas |\n| --- | --- |\n| 7 | 1 |\n\n\tdraft\ta\tb c\n", out.String())
}

// What the command cannot do, it says.
func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"": "say what to measure", "all": `nothing named "all"`, "suite x": `no argument "x"`,
		"suite -draft (": "missing closing",
	} {
		var out strings.Builder
		err := run(strings.Fields(args), strings.NewReader(""), &out)
		require.ErrorContains(t, err, want, args)
		require.False(t, errors.Is(err, errFailed))
	}
}

// Each part of the suite has a draft and a module with a sum.
func TestParts(t *testing.T) {
	for _, p := range parts {
		require.Regexp(t, regexp.MustCompile(`^(4|6|7|2019-09|2020-12)$`), p.name)
		require.Regexp(t, `^h1:`, p.module.sum)
		require.Regexp(t, `^v\d`, p.module.version)
	}
}
