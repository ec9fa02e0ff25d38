package main

import (
	"encoding/json"
	"errors"
	"go/format"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/eval/others"
	"github.com/stretchr/testify/require"
)

// Each crash is listed once, with two versions, a reference and a witness. Its target, unless that
// is the module's own, is formatted and has a seed. All test data belong to a crash.
func TestCrashes(t *testing.T) {
	names := map[string]bool{}
	for _, c := range crashes() {
		require.False(t, names[c.name], c.name)
		names[c.name] = true
		require.Regexp(t, `^[a-z0-9-]+$`, c.name)
		for _, version := range []string{c.before, c.after} {
			require.Regexp(t, `^v\d+\.\d+\.\d+`, version, c.name)
		}
		require.NotEqual(t, c.before, c.after, c.name)
		require.Regexp(t, `^(GO-\d{4}-\d{4}|https://\S+)$`, c.reference, c.name)
		require.NotEmpty(t, c.kind, c.name)
		require.NotEmpty(t, c.what, c.name)
		witness, err := c.witness()
		require.NoError(t, err)
		require.Regexp(t, `^go test fuzz v1\n(string|\[\]byte)\(".*"\)\n$`, string(witness), c.name)
		text, err := c.test()
		require.NoError(t, err)
		if text != nil {
			formatted, err := format.Source(text)
			require.NoError(t, err)
			require.Equal(t, string(formatted), string(text), c.name)
			require.Contains(t, string(text), "func "+c.target+"(f *testing.F) {", c.name)
			require.Contains(t, string(text), "f.Add(", c.name)
		}
	}
	require.GreaterOrEqual(t, len(names), 20)
	dirs, err := fs.ReadDir(testdata, "testdata")
	require.NoError(t, err)
	require.Len(t, dirs, len(names))
}

func TestPlace(t *testing.T) {
	const trace = `panic: runtime error: index out of range [5] with length 5 [recovered, repanicked]

goroutine 7 [running]:
testing.tRunner.func1.2({0x5f4a40, 0xc000018258})
	/usr/local/go/src/testing/testing.go:1872 +0x239
panic({0x5f4a40?, 0xc000018258?})
	/usr/local/go/src/runtime/panic.go:783 +0x132
example.org/m.rethrow()
	/m/m.go:9 +0x10
panic({0x5f4a40?, 0xc000018258?})
	/usr/local/go/src/runtime/panic.go:783 +0x132
bytes.(*Buffer).grow(0x1)
	/usr/local/go/src/bytes/buffer.go:1 +0x10
example.org/m/sub.(*T[...]).read(...)
	/m/sub/sub.go:7
example.org/m.Parse({0xc000012345, 0x5, 0x8})
	/m/m.go:20 +0x25

goroutine 1 [chan receive]:
example.org/other.F()
`
	fault := "unexpected fault address 0x1\nfatal error: fault\n\ngoroutine 7 gp=0x1 m=0 [running]:\n" +
		"runtime.throw({0x1?, 0x2?})\n\t/go/panic.go:1 +0x1\nexample.org/m.load(0x1)\n\t/m.go:1 +0x1\n"
	failed := errors.New("exit status 2")
	for _, c := range []struct {
		name string
		done others.Process
		want string
	}{
		{"passes", others.Process{Out: []byte("PASS\n")}, ""},
		{"panics", others.Process{Out: []byte(trace), Err: failed},
			"panic in example.org/m/sub.(*T[...]).read"},
		{"fault", others.Process{Out: []byte(fault), Err: failed}, "panic in example.org/m.load"},
		{"late", others.Process{Err: failed, Late: true}, hang},
		{"killed", others.Process{Err: errors.New(killed)}, hang},
		{"memory", others.Process{Out: []byte("runtime: out of memory: cannot allocate\n"), Err: failed},
			memory},
		{"stack", others.Process{Err: failed,
			Out: []byte("runtime: goroutine stack exceeds 1000000000-byte limit\n")}, stack},
		{"fails", others.Process{Err: failed,
			Out: []byte("--- FAIL: FuzzX (0.00s)\n        x_test.go:12: not equal\nFAIL\n")},
			"failure at x_test.go:12"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, place(c.done)) })
	}
	require.True(t, same(hang, memory))
	require.False(t, same(hang, "panic in f"))
	require.False(t, same("panic in f", "panic in g"))
}

// A report has the medians of the CPU times, and says what each engine has found.
func TestReport(t *testing.T) {
	dir, all := t.TempDir(), crashes()
	var s study
	write := func(s study, c crash, result any) {
		text, err := json.Marshal(result)
		require.NoError(t, err)
		require.NoError(t, others.Write(filepath.Join(dir, s.File(c.name)), string(text)))
	}
	write(s, all[0], result{Place: hang, Runs: map[string][]run{
		others.Stock: {{Found: true, CPU: 30}, {Found: true, CPU: 20}, {CPU: 120, Others: []other{
			{"panic in f", true}, {"panic in g", false}}}},
		others.Ours: {{Found: true, CPU: 5}, {Found: true, CPU: 10}, {Found: true, CPU: 15}},
	}})
	write(s, all[1], result{Place: hang, Runs: map[string][]run{
		others.Stock: {{CPU: 120}},
		others.Ours:  {{Found: true, CPU: 1}},
	}})
	write(s, all[2], result{Note: "it does not compile"})
	s.markdown = true
	var out strings.Builder
	require.NoError(t, s.Report(&out, dir, regexp.MustCompile("")))
	require.Contains(t, out.String(), " | hang | 30.0 (2 of 3) | 10.0 | 3.00 | 2 (1 fixed) | 0 |\n")
	require.Contains(t, out.String(), " | hang | no | 1.0 |  | 0 | 0 |\n")
	require.Contains(t, out.String(), "2 crashes: go test -fuzz finds 1, corpusgen fuzz 2, both 1; of "+
		"these, go test -fuzz takes 3.00 times the CPU time, in the geometric mean\n")
	require.Contains(t, out.String(), all[2].name+": it does not compile\n")

	s.verify = true
	write(s, all[0], verified{Before: hang})
	write(s, all[1], verified{Before: hang, After: "panic in f"})
	write(s, all[2], verified{Before: hang, Seeds: "panic in g"})
	out.Reset()
	require.NoError(t, s.Report(&out, dir, regexp.MustCompile("")))
	require.Contains(t, out.String(), " | GO-2020-0014 | hang | passes |\n")
	require.Contains(t, out.String(), "1 of 3 witnesses fail before the fix, where the seeds pass")
	require.Contains(t, out.String(), all[2].name+": the seeds fail: panic in g\n")
}
