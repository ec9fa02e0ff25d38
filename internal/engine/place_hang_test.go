package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hanging is what go test prints of a target that is in some calls, innermost first.
func hanging(calls ...string) string {
	log := `panic: test timed out after 2s

goroutine 3 [running]:
testing.(*M).startAlarm.func1()
	/go/src/testing/testing.go:2802 +0x354
created by time.goFunc
	/go/src/time/sleep.go:215 +0x2d

goroutine 1 [chan receive]:
example.com/x.FuzzX(0x0)
	/home/x/x_test.go:7 +0x7d

goroutine 8 [runnable]:
`
	for i := 0; i < len(calls); i += 2 {
		log += calls[i] + "\n\t" + calls[i+1] + " +0x1\n"
	}
	return log + `example.com/x.FuzzX.func1(0x0?, {0x20a13cc985d8?, 0x0?, 0x489433?})
	/home/x/x_test.go:7 +0x25
reflect.Value.call({0x5d0e00?, 0x622570?, 0x13?}, {0x610c57, 0x4}, {0x30fdf2202d0, 0x2, 0x2?})
	/go/src/reflect/value.go:586 +0xf0c
testing.(*F).Fuzz.func1.1(0x30fdf242008?)
	/go/src/testing/fuzz.go:341 +0x365
testing.tRunner(0x30fdf242008, 0x30fdf244000)
	/go/src/testing/testing.go:2036 +0xea
created by testing.(*F).Fuzz.func1 in goroutine 19
	/go/src/testing/fuzz.go:328 +0x668
`
}

func TestHangPlace(t *testing.T) {
	spin := []string{"example.com/x.spin(...)", "/home/x/x.go:49"}
	step := append([]string{"example.com/x.step(...)", "/home/x/x.go:54"}, spin...)
	other := []string{"example.com/x.other(0x1)", "/home/x/x.go:60", "example.com/x.spin(0x2)",
		"/home/x/x.go:50"}
	library := append([]string{"strings.Index({0x1, 0x2}, {0x3, 0x4})", "/go/src/strings/strings.go:3"},
		spin...)
	for name, test := range map[string]struct {
		logs            []string
		function, place string
	}{
		"nothing":           {nil, "", ""},
		"no stack":          {[]string{"panic: test timed out after 2s"}, "", ""},
		"once":              {[]string{hanging(step...)}, "example.com/x.step", "x.go:54"},
		"what a loop calls": {[]string{hanging(step...), hanging(other...)}, "example.com/x.spin", "x.go:49"},
		"in the library":    {[]string{hanging(library...)}, "example.com/x.spin", "x.go:49"},
		"in the engine's edits": {[]string{hanging(append([]string{"runtime.libfuzzerTraceConstCmp1(...)",
			"/tmp/overlay/trace.go:29"}, spin...)...)}, "example.com/x.spin", "x.go:49"},
		"in C": {[]string{hanging(append([]string{"example.com/x._Cfunc_loop()", "_cgo_gotypes.go:81"},
			spin...)...)}, "example.com/x.spin", "x.go:49"},
		"in the target": {[]string{hanging("strings.Index(0x1)", "/go/src/strings/strings.go:3")},
			"example.com/x.FuzzX.func1", "x_test.go:7"},
		"in a property": {[]string{strings.ReplaceAll(hanging(step...), "testing.(*F).Fuzz.func1.1(",
			"github.com/espalier-go/espalier/fuzzext.subjectOf[...].func1(")}, "example.com/x.step", "x.go:54"},
		"indented": {[]string{strings.ReplaceAll(hanging(step...), "\n\n", "\n\n ")},
			"example.com/x.step", "x.go:54"},
	} {
		function, place := HangPlace(test.logs...)
		require.Equal(t, test.function, function, name)
		require.Equal(t, test.place, place, name)
	}
}
