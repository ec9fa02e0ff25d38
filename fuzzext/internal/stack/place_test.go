package stack

import (
	"runtime"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/stretchr/testify/require"
)

func TestStandardTrimmed(t *testing.T) {
	old := mainModule
	defer func() { mainModule = old }()
	mainModule = func() string { return "user" }
	tests := []struct {
		function, file string
		want           bool
	}{
		{"fmt.Sprint", "/usr/local/go/src/fmt/print.go", true},
		{"encoding/json.Marshal", "C:/go/src/encoding/json/encode.go", true},
		{"encoding/json.(*Decoder).Decode", "encoding/json/stream.go", true}, // with -trimpath
		{"fmt.Sprint", "fmt/print.go", true},
		{"internal/sync.runtime_SemacquireMutex", "/usr/local/go/src/runtime/sema.go", true},
		{"internal/sync.runtime_SemacquireMutex", "runtime/sema.go", true},
		{"user.F", "user/f.go", false},
		{"user/part.F", "user/part/f.go", false},
		{"user/part.F", "/home/me/user/part/f.go", false},
		{"example.com/x.F", "example.com/x@v1.0.0/f.go", false},
		{"example.com/x.F", "example.com/x/f.go", false},
		{"username.F", "username/f.go", true},
	}
	for _, test := range tests {
		require.Equal(t, test.want,
			standard(runtime.Frame{Function: test.function, File: test.file}), "%s in %s",
			test.function, test.file)
	}
	mainModule = old
	require.Equal(t, "github.com/espalier-go/espalier", mainModule())
}

// Functions of the standard library are known: a panic within one is distinguished by who has
// called it.
func TestStandard(t *testing.T) {
	var got []bool
	found := strings.IndexFunc("x", func(r rune) bool {
		var pcs [8]uintptr
		frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			got = append(got, standard(f))
		}
		return true
	})
	require.Zero(t, found)
	require.Equal(t, []bool{false, true}, got[:2])
	require.False(t, got[slices.Index(got[1:], false)+1])
}
