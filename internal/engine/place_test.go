package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stackOf is what testing prints for a panic in a fuzz target, with these frames, in
// pairs of lines, below the call of panic.
func stackOf(message, frames string) string {
	return `--- FAIL: FuzzX (0.00s)
    testing.go:1927: panic: ` + message + `
        goroutine 30 [running]:
        runtime/debug.Stack()
        	/usr/local/go/src/runtime/debug/stack.go:26 +0x9b
        testing.tRunner.func1()
        	/usr/local/go/src/testing/testing.go:1927 +0x1d0
        panic({0x7e5be0?, 0x38e7b69c8180?})
        	/usr/local/go/src/runtime/panic.go:860 +0x13a
` + frames + `        reflect.Value.call({0x7a57a0?, 0x81c040?, 0x13?}, {0x801e5a, 0x4}, {0x38e7b6a34330, 0x2, 0x2?})
        	/usr/local/go/src/reflect/value.go:586 +0xf0c
        testing.(*F).Fuzz.func1.1(0x38e7b6a5c6c8?)
        	/usr/local/go/src/testing/fuzz.go:341 +0x365
        created by testing.(*F).Fuzz.func1 in goroutine 21
        	/usr/local/go/src/testing/fuzz.go:328 +0x668

`
}

const caller = `        example.com/place.FuzzX.func1(0x0?, {0x38e7b69c2120?, 0x0?, 0x48d013?})
        	/home/user/place_test.go:17 +0x25
`

const repeat = `        strings.Repeat({0x801e5a, 0x4}, 0xffffffffffffffff)
        	/usr/local/go/src/strings/strings.go:623 +0x4a5
`

// ended is what the runtime prints when it ends a process, with these frames of the goroutine that
// runs.
func ended(message, frames string) string {
	return message + `

runtime stack:
runtime.throw({0x5c1e60?, 0x6201d0?})
	/usr/local/go/src/runtime/panic.go:1229 +0x48

goroutine 7 [running]:
` + frames + `testing.(*F).Fuzz.func1.1(0x38e7b6a5c6c8?)
	/usr/local/go/src/testing/fuzz.go:341 +0x365

goroutine 1 [chan receive]:
example.com/place.TestMain()
	/home/user/main_test.go:1 +0x1
`
}

// inC are frames of a goroutine that has called C.
const inC = `runtime.cgocall(0x5b8940, 0x9a9e615f7d0)
	/usr/local/go/src/runtime/cgocall.go:167 +0x4b fp=0x9a9e615f7a8 sp=0x9a9e615f770 pc=0x48610b
example.com/place._Cfunc_deref(0x0)
	_cgo_gotypes.go:58 +0x45 fp=0x9a9e615f7d0 sp=0x9a9e615f7a8 pc=0x5a7ec5
example.com/place.Deref(...)
	/home/user/x.go:25
testing.(*F).Fuzz.func1.1(0x38e7b6a5c6c8?)
	/usr/local/go/src/testing/fuzz.go:341 +0x365

goroutine 1 [chan receive]:
example.com/place.TestMain()
	/home/user/main_test.go:1 +0x1
`

func TestPlaceOf(t *testing.T) {
	for name, c := range map[string]struct{ log, want string }{
		"t.Error": {"--- FAIL: FuzzX (0.00s)\n    x_test.go:15: two\n" +
			"        lines: a.go:3: x\n    x_test.go:16: later\n", "x_test.go:15"},
		"t.Fatal in a helper": {"--- FAIL: FuzzX (0.00s)\n    place_test.go:16: in helper\n",
			"place_test.go:16"},
		"an empty message": {"--- FAIL: FuzzX (0.00s)\n    x_test.go:7: \n", "x_test.go:7"},
		"a subtest": {"--- FAIL: FuzzX (0.00s)\n    --- FAIL: FuzzX/sub (0.00s)\n" +
			"        x_test.go:7: no\n", "x_test.go:7"},
		"testify": {`--- FAIL: FuzzX (0.00s)
    place_test.go:22: 
        	Error Trace:	/home/user/place_test.go:22
        	            				/usr/local/go/src/reflect/value.go:586
        	Error:      	Not equal: 
        	            	expected: 1
        	            	actual  : 2
        	Test:       	FuzzX
`, "place_test.go:22"},
		"-fullpath": {"--- FAIL: FuzzX (0.00s)\n    " +
			"/home/user/x_test.go:7: no\n", "/home/user/x_test.go:7"},
		"a call of os.Exit": {ExitCalled + "\n\ngoroutine 17 [running]:\nruntime/debug.Stack()\n" +
			"\t/usr/local/go/src/runtime/debug/stack.go:26 +0x9b\ninternal/fuzz.init.0.func1()\n" +
			"\t/tmp/overlay/glue.go:70 +0x1\nos.runtime_beforeExit(0x3)\n" +
			"\t/usr/local/go/src/runtime/proc.go:340 +0x1\nos.Exit(0x3)\n" +
			"\t/usr/local/go/src/os/proc.go:70 +0x1\nexample.com/place.run(0x1)\n" +
			"\t/home/user/place.go:9 +0x1\n", "place.go:9"},
		"panic": {stackOf("boom", caller), "place_test.go:17"},
		"the process has ended by a panic": {ended("panic: boom [recovered, repanicked]",
			"panic({0x5c1e60?, 0x6201d0?})\n\t/usr/local/go/src/runtime/panic.go:860 +0x13a\n"+repeat+caller),
			"place_test.go:17"},
		"by a panic in a goroutine": {ended("panic: boom",
			"example.com/place.late()\n\t/home/user/late.go:9 +0x25\n"+
				"created by example.com/place.FuzzX.func1 in goroutine 8\n\t/home/user/place_test.go:3 +0x1\n"),
			"late.go:9"},
		"by a fatal error": {ended("fatal error: all goroutines are asleep - deadlock!",
			"internal/sync.(*Mutex).Lock(...)\n\t/usr/local/go/src/internal/sync/mutex.go:70\n"+caller),
			"place_test.go:17"},
		"by a signal in C": {"SIGSEGV: segmentation violation\nPC=0x5b8952 m=0 sigcode=1 addr=0x0\n" +
			"signal arrived during cgo execution\n\ngoroutine 7 gp=0x9a m=0 mp=0x7c [syscall]:\n" + inC,
			"x.go:25"},
		"by a signal that the runtime cannot tell": {"fatal error: unexpected signal during runtime " +
			"execution\n\nruntime stack:\nruntime.throw({0x1, 0x2})\n\t/usr/local/go/src/runtime/" +
			"panic.go:1229 +0x48\n\ngoroutine 7 [syscall]:\n" + inC, "x.go:25"},
		"by a signal without a stack": {"SIGABRT: abort\nPC=0x7f m=4 sigcode=1\n", "SIGABRT: abort"},
		"by what looks like a signal": {"SIGNAL: one\n", ""},
		"by a fatal error without a stack": {"fatal error: out of memory\n",
			"fatal error: out of memory"},
		"an overflow": {"--- FAIL: FuzzX (0.00s)\n    x_test.go:23: overflow at calc.go:32 in " +
			"x.(*calc).add: 1 + 2 does not fit into int64\n", "calc.go:32"},
		"by an overflow in a goroutine": {ended("panic: overflow at calc.go:32 in x.add: 1 + 2 does",
			"example.com/place/_espalier/overflow.failed()\n\t/home/user/overflow.go:9 +0x25\n"),
			"calc.go:32"},
		"a message like an overflow": {"--- FAIL: FuzzX (0.00s)\n    x_test.go:23: overflow at last " +
			"in x\n", "x_test.go:23"},
		"by os.Exit": {"FAIL\texample.com/place\t0.003s\nFAIL\n", ""},
		"runtime error in a function": {stackOf("runtime error: index out of "+
			"range [1] with length 1", "        example.com/place.index(...)\n        "+
			"	/home/user/src/runtime/place.go:13\n"+caller), "place.go:13"},
		"nil map write": {stackOf("assignment to entry in nil map",
			"        internal/runtime/maps.(*Map).PutSlot(0x1)\n"+
				"        	/usr/local/go/src/internal/runtime/maps/map.go:1 +0x4\n"+caller), "place_test.go:17"},
		"nil dereference": {stackOf("runtime error: invalid "+
			"memory address or nil pointer dereference\n"+
			"        [signal SIGSEGV: segmentation violation code=0x1 addr=0x10 pc=0x4a]",
			"        runtime.panicmem(...)\n        	/usr/local/go/src/runtime/panic.go:262\n"+
				caller), "place_test.go:17"},
		"a panic that panics": {stackOf("boom",
			"        example.com/place.FuzzX.func1.1()\n"+
				"        	/home/user/place_test.go:19 +0x2a\n"+
				"        panic({0x7e5be0?, 0x2bc3d0b76378?})\n"+
				"        	/usr/local/go/src/runtime/panic.go:860 +0x13a\n"+caller), "place_test.go:19"},
		"after a call of t.Fatal": {strings.Replace(stackOf("later", caller),
			"    testing.go", "    place_test.go:24: first\n    testing.go", 1), "place_test.go:24"},
		"after runtime.Goexit": {stackOf("later",
			"        runtime.Goexit()\n        	/usr/local/go/src/runtime/panic.go:694 +0x5e\n"+
				caller), "place_test.go:17"},
		"in the standard library": {stackOf("strings: negative Repeat count",
			repeat+caller), "place_test.go:17"},
		"of another caller": {stackOf("strings: negative Repeat count",
			repeat+"        example.com/place.other(...)\n        	/home/user/place.go:5\n"+
				caller), "place.go:5"},
		"in its methods and its type parameters": {stackOf("boom",
			"        slices.insertionSort[...](...)\n"+
				"        	/usr/local/go/src/slices/sort.go:9\n"+
				"        encoding/json.(*Decoder).Decode(0x1)\n"+
				"        	/usr/local/go/src/encoding/json/stream.go:1 +0x4\n"+caller), "place_test.go:17"},
		"only in the standard library": {stackOf("boom", repeat), "strings.go:623"},
		"a library with trimmed paths": {strings.ReplaceAll(
			stackOf("boom", repeat+strings.ReplaceAll(caller, "/home/user", "example.com/place")),
			"/usr/local/go/src/", ""), "place_test.go:17"},
		"os.Exit": {stackOf("unexpected call to "+
			"os.Exit(0) during test", "        os.Exit(0x0)\n        "+
			"	/usr/local/go/src/os/proc.go:67 +0x4\n"+caller), "place_test.go:17"},
		"a module in another src": {stackOf("boom",
			"        app.f(0x0)\n        	/usr/src/app/f.go:6 +0x4\n"+caller), "f.go:6"},
		"a package that is called as one of the library": {stackOf("boom", "        example.com/strings.f(0x0)\n        	/home/user/src/strings/f.go:6 +0x4\n"+caller), "f.go:6"},
		"exit status 1": {"--- FAIL: FuzzX (0.02s)\n    " +
			"fuzzing process hung or terminated unexpectedly: exit status 1\n    x.go:1: x\n",
			"fuzzing process hung or terminated unexpectedly: exit status 1"},
		"Windows": {strings.ReplaceAll(
			stackOf("boom", caller), "/home/user/", `C:\Users\a b\`), "place_test.go:17"},
		"panic in a goroutine of the test": {"fuzzing process hung or terminated " +
			"unexpectedly: exit status 2", "fuzzing process hung or terminated unexpectedly: exit status 2"},
		"the same, in the engine's output": {"--- FAIL: FuzzX (0.02s)\n    " +
			"fuzzing process hung or terminated unexpectedly: exit status 2\n" +
			"    Failing input written to testdata/fuzz/FuzzX/1\n",
			"fuzzing process hung or terminated unexpectedly: exit status 2"},
		"a test that says panic": {"--- FAIL: FuzzX (0.00s)\n    " +
			"x_test.go:7: panic: no\n", "x_test.go:7"},
		"a panic without a stack": {"--- FAIL: FuzzX (0.00s)\n    " +
			"testing.go:1927: panic: no\n", ""},
		"said by testing": {"--- FAIL: FuzzX (0.00s)\n    " +
			"testing.go:1712: race detected during execution of test\n", "testing.go:1712"},
		"a test file of that name": {"--- FAIL: FuzzX (0.00s)\n    " +
			"testing.go:7: no\n", "testing.go:7"},
		"nothing":  {"", ""},
		"no place": {"--- FAIL: FuzzX (0.00s)\n", ""},
		"what looks like it": {"    x_test.go: 7: no\n    " +
			"x_test.go:x: no\n    x_test.go:: no\n    in x_test.go:7: no\n    x_test.go:7\n", ""},
		"a stack outside of testing's care": {"--- FAIL: FuzzX (0.00s)\n    " +
			"panic({0x1})\n    	/usr/local/go/src/runtime/panic.go:860 +0x13a\n", ""},
		"a truncated stack": {stackOf("boom", "")[:420], ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, PlaceOf(c.log))
			// The coordinator indents what a worker says; both find the same place.
			var b strings.Builder
			for line := range strings.Lines(c.log) {
				b.WriteString("    " + line)
			}
			if c.want != "" {
				require.Equal(t, c.want, PlaceOf("--- FAIL: FuzzX (0.02s)\n"+b.String()))
			}
		})
	}
}

// What a test logs before it fails says nothing of the failure, unless nothing else is said.
func TestPlaceAfterLogs(t *testing.T) {
	SetLogs([]string{"x_test.go:5", "x_test.go:6"})
	defer SetLogs(nil)
	const log = "--- FAIL: FuzzX (0.00s)\n    x_test.go:5: parsing 1\n    /dir/x_test.go:6: parsing 2\n"
	for _, c := range []struct{ more, place, class string }{
		{"    x_test.go:9: bad\n", "x_test.go:9", "x_test.go:9: bad"},
		{"    x_test.go:10: worse\n    x_test.go:9: bad\n", "x_test.go:10", "x_test.go:10: worse"},
		{"", "x_test.go:5", "x_test.go:5: parsing …"},
		{stackOf("boom", caller), "place_test.go:17", "place_test.go:17"},
	} {
		require.Equal(t, c.place, PlaceOf(log+c.more))
		require.Equal(t, c.class, ClassOf(log+c.more))
	}
}

func TestRacePlace(t *testing.T) {
	const report = `WARNING: DATA RACE
Read at 0x00c000014118 by goroutine 9:
  sync/atomic.LoadInt64()
      /usr/local/go/src/runtime/race_amd64.s:206 +0xb
  example.com/box.(*Box).Get()
      /home/ann/box/box.go:20 +0x64
  example.com/box.FuzzBox.func1()
      /home/ann/box/box_test.go:9 +0x3c

Previous write at 0x00c000014118 by goroutine 8:
  example.com/box.(*Box).Put()
      /home/ann/box/box.go:12 +0x64
  testing.tRunner()
      /usr/local/go/src/testing/testing.go:1934 +0x21c
`
	require.Equal(t, "box.go:20", RacePlace(report))
	require.Empty(t, RacePlace("WARNING: DATA RACE\nRead at 0x00c000014118 by goroutine 9:\n"))
}
