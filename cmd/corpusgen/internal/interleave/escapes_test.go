package interleave

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// The place is the first one in code that is neither Espalier's nor Go's. What is written passes.
func TestEscapes(t *testing.T) {
	const stack = `
goroutine 8 [running, synctest bubble 2]:
github.com/espalier-go/espalier/bigen/schedule/point.send[...](0x1)
	/repo/bigen/schedule/point/chan.go:15 +0x59
example.com/user/lazy.Do.Send[...].func4(...)
	/repo/bigen/schedule/point/chan.go:6
github.com/espalier-go/espalier/fuzzext.(*T).tidy(0x1)
	/repo/fuzzext/run_t.go:119
sync.(*Once).doSlow(0x1)
	/go/src/sync/once.go:78
example.com/user/lazy.Do(0x1)
	/user/lazy/lazy_test.go:26 +0xcc
main.main()
	/user/main.go:1
`
	const asJSON = `{"Action":"output","Output":"fatal error: send on synctest channel from outside bubble\n"}
{"Action":"output","Output":"example.com/user/lazy.Do(0x1)\n"}
{"Action":"output","Output":"\t/user/lazy/lazy_test.go:26 +0xcc\n"}
`
	for text, places := range map[string][]string{
		"fatal error: send on synctest channel from outside bubble\n" + stack:                             {" at lazy_test.go:26"},
		"fatal error: sync: WaitGroup.Add called from multiple synctest bubbles\n" + stack + "FAIL\nok\n": {" at lazy_test.go:26"},
		asJSON: {" at lazy_test.go:26"},
		"fatal error: stop of synctest timer from outside bubble\n":    {""},
		"fatal error: all goroutines are asleep - deadlock!\n" + stack: nil,
		"--- FAIL\n    fatal error: of synctest\n":                     nil,
	} {
		var out bytes.Buffer
		e := &escapes{out: &out, goroot: "/go/src/"}
		for i := range len(text) {
			n, err := e.Write([]byte(text[i : i+1]))
			require.NoError(t, err)
			require.Equal(t, 1, n)
		}
		require.Equal(t, text, out.String())
		require.Equal(t, places, e.places, text)
		require.Equal(t, len(places) > 0, e.advice() != "")
	}
}
