package linear_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
	"github.com/espalier-go/espalier/bigen/callseq/linear/testdata/printed"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// printedQueue describes a queue of package printed. Its cursors see the queue as it is when
// they are made.
func printedQueue(c *callseq.C) {
	type cursor struct {
		real  *printed.Cursor
		model int
	}
	var real *printed.Queue
	n := 1
	cursors := callseq.NewPool[*cursor](c, "cursor")
	first := cursors.Add(&cursor{model: 1})
	c.Code("q := printed.New(7); %v := q.Cursor()", first)
	c.Do(func() { real = printed.New(7); first.real = real.Cursor() })
	c.Op("q.Put", func() {
		x := callseq.Arg(c, "x", bigen.IntRange(0, 9))
		n++
		c.Do(func() { real.Put(x) })
	})
	c.Op("q.Len", func() {
		c.Want(n)
		c.Do(func() { c.Got(real.Len()) })
	})
	c.Op("length", func() {
		c.Code("[]int{%v}[q.Len()-q.Len()]", 3)
		c.Do(func() {})
	})
	c.Op("q.Cursor", func() {
		cur := cursors.Add(&cursor{model: n})
		c.Do(func() { cur.real = real.Cursor() })
	})
	c.Op("cursor.At", func() {
		cur := cursors.Draw("cursor")
		c.Want(cur.model)
		c.Do(func() { c.Got(cur.real.At()) })
	}).When(cursors.Any)
}

// The statements of failures compile. Where all calls run one after the other, or one panics,
// they fail.
func TestPrintedCode(t *testing.T) {
	t.Parallel()
	if !long.Enabled() {
		t.Skip("it builds a test binary")
	}
	setup := []any{0, "setup", name("cursor1")}
	cases := []struct {
		planted string
		calls   calls
		fails   string // what the statements print as a test, if they must fail
	}{
		{"len", calls{setup, {0, "q.Put", 1}, {0, "q.Len"}}, "printed_test.go"},
		{"len", calls{setup, {0, "q.Put", 1}, {1, "q.Len"}}, "printed_test.go"},
		{"len", calls{setup, {1, "q.Put", 1}, {0, "q.Cursor", name("")}, {2, "q.Len"}},
			"printed_test.go"},
		{"put", calls{setup, {1, "q.Put", 1}, {2, "q.Put", 2}, {0, "q.Len"}}, ""},
		{"put",
			calls{setup, {1, "q.Put", 1}, {2, "q.Put", 2}, {0, "length"}, {1, "q.Put", 1},
				{2, "q.Put", 2}, {0, "q.Len"}}, ""},
		{"at", calls{
			setup, {0, "q.Cursor", name("cursor2")}, {0, "q.Cursor", name("cursor3")},
			{1, "q.Cursor", name("cursor4")},
			{2, "length"}, {2, "cursor.At", name("cursor2")}, {1, "cursor.At", name("cursor4")},
			{1, "q.Cursor", name("cursor5")},
		}, "panic: no place"},
		{"lock",
			calls{setup, {0, "q.Put", 1}, {1, "q.Len"}, {2, "q.Cursor", name("cursor2")},
				{2, "cursor.At", name("cursor2")}}, ""},
	}
	m := linear.New(printedQueue, linear.Runs(500))
	source := new(strings.Builder)
	source.WriteString("package printed_test\n\nimport (\n\t\"sync\"\n\t\"testing\"\n\n" +
		"\t\"github.com/espalier-go/espalier/bigen/callseq/linear/testdata/printed\"\n)\n\n" +
		"var _ sync.WaitGroup\n")
	for i, c := range cases {
		printed.Planted = c.planted
		r := run(m, c.calls)
		printed.Planted = ""
		require.True(t, r.failed, "%v", c.calls)
		_, code, found := strings.Cut(r.log.String(), "calls:\n")
		require.True(t, found, &r.log)
		fmt.Fprintf(source, "\nfunc Test%d(t *testing.T) {\n\tprinted.Planted = %q\n%s}\n", i,
			c.planted, code)
	}
	binary := buildPrinted(t, source.String())
	for i, c := range cases {
		if c.fails == "" {
			continue
		}
		out, err := exec.Command(binary, fmt.Sprintf("-test.run=^Test%d$", i)).CombinedOutput()
		require.Error(t, err, "%s\n%s", out, source)
		require.Contains(t, string(out), c.fails)
	}
}

// buildPrinted builds the tests of a file that is laid over package printed.
func buildPrinted(t *testing.T, source string) (binary string) {
	dir := t.TempDir()
	pkg, err := filepath.Abs("testdata/printed")
	require.NoError(t, err)
	file := filepath.Join(dir, "printed_test.go")
	overlay, err :=
		json.Marshal(
			map[string]map[string]string{"Replace": {filepath.Join(pkg, "printed_test.go"): file}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(source), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o666))
	binary = filepath.Join(dir, "printed.test.exe")
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-w", "-o", binary,
		"-overlay", filepath.Join(dir, "overlay.json"), pkg).CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, source)
	return binary
}
