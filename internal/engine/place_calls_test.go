package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCallsOf(t *testing.T) {
	user := Call{"place.FuzzX.func1", "place_test.go:17"}
	for name, c := range map[string]struct {
		log  string
		want []Call
	}{
		"panic": {stackOf("boom", caller), []Call{user}},
		"in the standard library": {stackOf("strings: negative Repeat count",
			repeat+"        example.com/place.(*T).deep(...)\n        	/home/user/place.go:5\n"+caller),
			[]Call{{"place.(*T).deep", "place.go:5"}, user}},
		"of packages that are left out": {stackOf("boom", caller+
			"        example.com/place/frame.Run(0x1)\n        	/home/user/frame/frame.go:5\n"),
			[]Call{user}},
		"a panic that is recovered on the way": {stackOf("boom", caller+
			"        example.com/place.try(0x1)\n        	/home/user/try.go:5\n"),
			[]Call{user, {"place.try", "try.go:5"}}},
		"a fatal error": {ended("fatal error: sync: unlock of unlocked mutex", caller), []Call{user}},
		"os.Exit": {ExitCalled + "\n\ngoroutine 17 [running]:\nruntime/debug.Stack()\n" +
			"\t/usr/local/go/src/runtime/debug/stack.go:26 +0x9b\nexample.com/place.run(0x1)\n" +
			"\t/home/user/place.go:9 +0x1\n", []Call{{"place.run", "place.go:9"}}},
		"Windows":    {strings.ReplaceAll(stackOf("boom", caller), "/home/user/", `C:\Users\a b\`), []Call{user}},
		"no stack":   {"--- FAIL: FuzzX (0.00s)\n    x_test.go:15: two\n", nil},
		"nothing":    {"", nil},
		"other text": {"goroutine 1 [running]:\nf(\nx.go:1\n)\n\tx.go:1:2\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, CallsOf(c.log, "example.com/place/frame."))
		})
	}
}
