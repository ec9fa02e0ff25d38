package campaign

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
)

func TestEndOf(t *testing.T) {
	for name, test := range map[string]struct {
		output string
		want   apartEnd
	}{
		"nothing": {"", apartEnd{}},
		"passes": {"=== RUN   FuzzX\n=== RUN   FuzzX/input000000\n--- PASS: FuzzX (0.00s)\nPASS\n",
			apartEnd{last: "input000000", log: "--- PASS: FuzzX (0.00s)\nPASS"}},
		"fails": {"=== RUN   FuzzX/input000000\n    x_test.go:3: no\nFAIL\n",
			apartEnd{last: "input000000", log: "x_test.go:3: no\nFAIL"}},
		"entries fail": {"=== RUN   FuzzX/input000000\n    x_test.go:3: no\n=== RUN   FuzzX/input000001\n" +
			"=== RUN   FuzzX/input000002\n    x_test.go:4: nor\n    x_test.go:5: this\n--- FAIL: FuzzX (0.00s)\n" +
			"    --- FAIL: FuzzX/input000000 (0.00s)\n    --- PASS: FuzzX/input000001 (0.00s)\n" +
			"    --- FAIL: FuzzX/input000002 (0.00s)\nFAIL\n",
			apartEnd{last: "input000002", log: "x_test.go:4: nor\n    x_test.go:5: this\n--- FAIL: FuzzX (0.00s)\n" +
				"    --- FAIL: FuzzX/input000000 (0.00s)\n    --- PASS: FuzzX/input000001 (0.00s)\n" +
				"    --- FAIL: FuzzX/input000002 (0.00s)\nFAIL",
				fails: []failingEntry{{"input000000", "    x_test.go:3: no"},
					{"input000002", "    x_test.go:4: nor\n    x_test.go:5: this"}}}},
		"ends": {"=== RUN   FuzzX/input000000\none\n=== RUN   FuzzX/input000001\ntwo\n",
			apartEnd{last: "input000001", log: "two", died: true}},
		"goes on": {"=== RUN   FuzzX/input000000\n=== PAUSE FuzzX/input000000\n" +
			"=== RUN   FuzzX/input000001\n=== CONT  FuzzX/input000000\nfatal error: x\n",
			apartEnd{last: "input000000", log: "fatal error: x", died: true}},
		"of a part, after text": {"=== RUN   FuzzX/input000000\none\nno end=== RUN   FuzzX/input000001\n" +
			"two\n=== RUN   FuzzX/input000001/sub\nthree\n",
			apartEnd{last: "input000001", log: "two\nthree", died: true}},
		"of another test": {"=== RUN   TestX/input000000\nfatal error: x\n",
			apartEnd{log: "=== RUN   TestX/input000000\nfatal error: x"}},
		"time": {"=== RUN   FuzzX/input000000\npanic: test timed out after 1s\n",
			apartEnd{last: "input000000", log: "panic: test timed out after 1s", died: true, timed: true}},
	} {
		require.Equal(t, test.want, endOf(test.output, "FuzzX"), name)
	}
}

func TestEndAsFailure(t *testing.T) {
	for _, test := range []struct {
		end          apartEnd
		place, class string
		message      string
	}{
		{apartEnd{died: true, status: "exit status 3"}, "exit status 3", "exit status 3",
			"the process has ended: exit status 3"},
		{apartEnd{died: true, status: "exit status 3", log: "x.go:3: read"}, "exit status 3",
			"exit status 3", "the process has ended: exit status 3"},
		{apartEnd{died: true, log: "too high\n" + engine.ExitCalled + stacks}, "os.Exit was called",
			"os.Exit was called", "os.Exit was called\ntoo high"},
		{apartEnd{died: true, log: "x.c:3: failed.\nSIGABRT: abort\nPC=0x7f m=4 sigcode=1" + stacks},
			"SIGABRT: abort", "SIGABRT: abort", "SIGABRT: abort\nx.c:3: failed."},
		{apartEnd{died: true, log: "fatal error: x" + stacks}, "fatal error: x", "fatal error: x",
			"fatal error: x"},
		{apartEnd{died: true, log: "x.go:3: read\nvalue 3fatal error: x" + stacks}, "fatal error: x",
			"fatal error: x", "fatal error: x"},
		{apartEnd{died: true, log: "panic: a\n\tpanic: b\n" + stacks + "\n\t/home/x/x.go:7 +0x1\n"},
			"x.go:7", "x.go:7", "panic: a"},
		{apartEnd{failed: true, log: "    x.go:3: too slow\nFAIL"}, "x.go:3", "x.go:3: too slow",
			"too slow"},
		{apartEnd{died: true, timed: true, log: "panic: test timed out after 1s" + stacks}, "hang",
			"hang in ", "the input has not returned, alone, when its time was over"},
	} {
		got := test.end.failure(engine.Failure{File: "f"}, nil)
		require.Equal(t, "f", got.File)
		require.Equal(t, test.place, got.Place)
		require.Equal(t, test.class, got.Class)
		require.Equal(t, test.end.timed, got.Hangs)
		require.Equal(t, test.message, finding.Message(got.Log))
	}
}

// stacks follow the last words of a process.
const stacks = "\n\ngoroutine 7 [running]:\nexample.com/x.F()"

// fake ends the process with a class for some arguments.
func fake(class func(args []any) string) *reducer {
	return &reducer{
		failure: engine.Failure{Class: "fatal error: x"},
		stopped: func() bool { return false },
		run: func(files [][]byte) (end apartEnd, err error) {
			for i, file := range files {
				args, err := corpus.UnmarshalArgs(file)
				if err != nil {
					return apartEnd{}, err
				}
				switch c := class(args); {
				case strings.HasPrefix(c, "x.go:"): // the process goes on
					name := fmt.Sprintf("input%06d", i)
					end.fails = append(end.fails, failingEntry{name, "    " + c})
				case c != "":
					return apartEnd{last: fmt.Sprintf("input%06d", i), log: c + stacks, died: true}, nil
				}
			}
			end.failed = len(end.fails) > 0
			return end, nil
		},
	}
}

func TestReduce(t *testing.T) {
	const x, y = "fatal error: x", "fatal error: y"
	when := func(ok bool, class string) string {
		if ok {
			return class
		}
		return ""
	}
	for name, test := range map[string]struct {
		class      func(args []any) string
		args, want []any
	}{
		"any": {func([]any) string { return x }, []any{[]byte("hello"), "x", 7, -3.25, true, byte('a')},
			[]any{[]byte(nil), "", 0, 0.0, false, byte(0)}},
		"part": {func(args []any) string {
			return when(bytes.Contains(args[0].([]byte), []byte("XY")), x)
		}, []any{[]byte("abcdefghijklmXYnopqrstuvwxyz")}, []any{[]byte("XY")}},
		"length": {func(args []any) string { return when(len(args[0].(string)) >= 3, x) },
			[]any{"a longer text"}, []any{"000"}},
		"another class": {func(args []any) string {
			b := args[0].([]byte)
			return when(len(b) > 4, x) + when(len(b) <= 4, y)
		}, []any{[]byte("123456789")}, []any{[]byte("00000")}},
		"numbers": {func(args []any) string { return when(args[0].(int) >= 10, x) }, []any{1000},
			[]any{10}},
		"both": {func(args []any) string {
			return when(args[0].(int8) < -4 && args[1].(float64) > 2, x)
		}, []any{int8(-100), 17.125}, []any{int8(-5), 17.0}},
		"goes on": {func(args []any) string {
			n := args[0].(int)
			return when(n > 1000, "x.go:3: large") + when(n > 10 && n <= 1000, "x.go:4: not so large")
		}, []any{8668}, []any{1001}},
		"not again": {func([]any) string { return "" }, []any{"text", 3}, []any{"text", 3}},
	} {
		t.Run(name, func(t *testing.T) {
			r := fake(test.class)
			if name == "goes on" {
				r.failure.Class = "x.go:3: large"
			}
			got, err := r.reduce(test.args)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

// A reducer ends, however often the process does.
func TestReduceEnds(t *testing.T) {
	n := 0
	r := fake(func([]any) string {
		n++
		return []string{"fatal error: x", "fatal error: y"}[n%2]
	})
	_, err := r.reduce([]any{bytes.Repeat([]byte("ab"), 1000)})
	require.NoError(t, err)
	require.LessOrEqual(t, r.processes, reduceProcesses+1)
}

func TestMemory(t *testing.T) {
	for text, want := range map[string]memory{"1B": 1, "64KB": 64 << 10, "100mb": 100 << 20, "2GB": 2 << 30} {
		var m memory
		require.NoError(t, m.Set(text))
		require.Equal(t, want, m)
		var again memory
		require.NoError(t, again.Set(m.String()))
		require.Equal(t, m, again)
	}
	for _, text := range []string{"", "1", "MB", "0MB", "-1MB", "1.5GB", "99999999999GB", "1TB"} {
		var m memory
		require.Error(t, m.Set(text), text)
	}
}

// Fuzzext prints the value that ends a process.
func TestPrintedValue(t *testing.T) {
	for name, c := range map[string]struct{ log, value, others string }{
		"none":        {"some\ntext", "", "some\ntext"},
		"a line":      {"before\nTestX/input000001: T{1}\nafter", "T{1}", "before\nafter"},
		"lines":       {"TestX/input000001: T{\n\t1, // one\n}\n}", "T{\n\t1, // one\n}", "}"},
		"the last":    {"TestX/input000001: 1\nTestX/input000001: 2\nx", "2", "TestX/input000001: 1\nx"},
		"another":     {"TestX/input000002: 1", "", "TestX/input000002: 1"},
		"not a value": {"TestX/input000001: T{\n", "", "TestX/input000001: T{\n"},
	} {
		value, others := printedValue(strings.Split(c.log, "\n"), "TestX/input000001: ")
		require.Equal(t, c.value, value, name)
		require.Equal(t, c.others, strings.Join(others, "\n"), name)
	}
}
