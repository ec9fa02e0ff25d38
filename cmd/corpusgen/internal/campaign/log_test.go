package campaign

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/espalier-go/espalier/internal/engine"
	"github.com/stretchr/testify/require"
)

const panicLog = `fuzz: elapsed: 0s, execs: 22 (1456/sec), new interesting: 1 (total: 2)
--- FAIL: FuzzX (0.02s)
    --- FAIL: FuzzX (0.00s)
        testing.go:2024: panic: runtime error: index out of range [5] with length 3
            goroutine 9 [running]:
            runtime/debug.Stack()
            	/usr/local/go/src/runtime/debug/stack.go:26 +0x9b
            testing.tRunner.func1()
            	/usr/local/go/src/testing/testing.go:2024 +0x1c8
            panic({0x5f0aa0?, 0xc000014150?})
            	/usr/local/go/src/runtime/panic.go:783 +0x132
            runtime.goPanicIndex(0x1, 0x2)
            	/usr/local/go/src/runtime/panic.go:115 +0x1
            example.com/user.parse(...)
            	/home/user/x.go:12
            example.com/user.FuzzX.func1(0x0?, {0xc000012345, 0x1, 0x1})
            	/home/user/x_test.go:9 +0x45
    
    Failing input written to testdata\fuzz\FuzzX\a.b
    To re-run:
    go test -run=FuzzX/a.b
FAIL
`

const reportLog = `--- FAIL: FuzzX (0.36s)
    --- FAIL: FuzzX (0.02s)
        x_test.go:57: no
        
        minimal failing value, after 18 steps in 128 runs (18 choices, of 133):
            []Call{
            	{Method: 1, Key: 1},
            }
        its choices:
            stop
        saved as:
            testdata/fuzz/FuzzX/minimal
        to run it again:
            go test
    
    Failing input written to testdata/fuzz/FuzzX/large
`

func TestExpired(t *testing.T) {
	for log, want := range map[string]bool{
		"--- FAIL: FuzzX (2.06s)\n    context deadline exceeded\nFAIL\n":                                                     true,
		"--- FAIL: FuzzX (2.06s)\n    x_test.go:7: context deadline exceeded\nFAIL\n":                                        false,
		"--- FAIL: FuzzX (2.06s)\n    context deadline exceeded\n    Failing input written to testdata/fuzz/FuzzX/1\nFAIL\n": false,
		"--- FAIL: TestY (2.06s)\n    context deadline exceeded\nFAIL\n":                                                     false,
		"--- FAIL: TestY (2.06s)\n    no\n--- FAIL: FuzzX (2.06s)\n    context deadline exceeded\nFAIL\n":                    false,
		"PASS\n": false,
	} {
		l := &Log{Line: func(string) {}}
		_, _ = l.Write([]byte(log))
		l.Close()
		require.Equal(t, want, l.Expired(), log)
	}
}

func TestLog(t *testing.T) {
	for name, test := range map[string]struct {
		log  string
		ok   bool
		want engine.Failure
	}{
		"passed": {log: "fuzz: elapsed: 0s\nPASS\n"},
		"panic": {panicLog, true,
			engine.Failure{
				Place: "x.go:12",
				File:  "testdata/fuzz/FuzzX/a.b",
				Rerun: `go test -run '^FuzzX$/^a\.b$' example.com/user`,
			}},
		"reported": {"--- FAIL: FuzzX (0.02s)\n    --- FAIL: FuzzX (0.00s)\n" +
			"        x_test.go:7: no\n        x_test.go:9: no\n    \n" +
			"    Failing input written to testdata/fuzz/FuzzX/1\r\n", true,
			engine.Failure{
				Place: "x_test.go:7",
				File:  "testdata/fuzz/FuzzX/1",
				Rerun: "go test -run '^FuzzX$/^1$' example.com/user",
			}},
		"fuzzext": {reportLog, true,
			engine.Failure{
				Place: "x_test.go:57",
				Value: "[]Call{\n\t{Method: 1, Key: 1},\n}",
				File:  "testdata/fuzz/FuzzX/minimal",
				Rerun: "go test -run '^FuzzX$/^minimal$' example.com/user",
			}},
		"ended": {"--- FAIL: FuzzX (0.02s)\n    fuzzing process hung or terminated " +
			"unexpectedly: exit status 2\n    Failing input written to testdata/fuzz/FuzzX/1", true,
			engine.Failure{
				Place: "fuzzing process hung or terminated unexpectedly: exit status 2",
				File:  "testdata/fuzz/FuzzX/1",
				Rerun: "go test -run '^FuzzX$/^1$' example.com/user",
			}},
		"seed": {"failure while testing seed corpus entry: FuzzX/s\n--- FAIL: FuzzX (0.02s)\n" +
			"    x_test.go:7: no\nFAIL\n", true,
			engine.Failure{Place: "x_test.go:7", Rerun: "go test -run '^FuzzX$/^s$' example.com/user"}},
		"another test": {log: "--- FAIL: TestY (0.02s)\n    x_test.go:7: no\nFAIL\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var lines strings.Builder
			l := &Log{Test: "go test", Line: func(s string) { lines.WriteString(s + "\n") }}
			r := iotest.OneByteReader(strings.NewReader(test.log))
			for b := make([]byte, 1); ; {
				n, err := r.Read(b)
				if err != nil {
					break
				}
				_, _ = l.Write(b[:n])
			}
			l.Close()
			require.NotContains(t, lines.String(), "--- FAIL")
			l.Release(false)
			require.Equal(t, strings.ReplaceAll(strings.TrimRight(test.log, "\r\n"), "\r", ""),
				strings.TrimRight(lines.String(), "\n"))
			got, ok := l.Failure("example.com/user", "FuzzX")
			require.Equal(t, test.ok, ok)
			require.Equal(t, ok, len(l.Entries()) == 1)
			if ok {
				require.Contains(t, got.Log, "--- FAIL: FuzzX")
				require.NotContains(t, got.Log, "Failing input")
				test.want.Target, test.want.Log, test.want.Class = "FuzzX", got.Log, engine.ClassOf(got.Log)
				require.Equal(t, test.want, got)
			}
		})
	}
}

// What tells of a failure is held back, and can be dropped.
func TestLogHoldsBack(t *testing.T) {
	const told = "--- FAIL: FuzzX (0.02s)\n    --- FAIL: FuzzX (0.00s)\n        x_test.go:7: no\n    \n" +
		"    Failing input written to testdata/fuzz/FuzzX/large\n" +
		"    To re-run:\n    go test -run=FuzzX/large\nFAIL\n"
	for drop, want := range map[bool]string{
		true:  "fuzz: elapsed: 0s\nPASS\n",
		false: "fuzz: elapsed: 0s\n" + told + "PASS\n",
	} {
		var lines strings.Builder
		l := &Log{Line: func(s string) { lines.WriteString(s + "\n") }}
		_, _ = l.Write([]byte("fuzz: elapsed: 0s\n" + told))
		l.Release(drop)
		_, _ = l.Write([]byte("PASS\n"))
		require.NotContains(t, lines.String(), "PASS")
		l.Release(false)
		require.Equal(t, want, lines.String())
	}
}
