package point

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The report of a data race names the accesses in their order, the user's functions as other
// stacks do, and goroutines of the run.
func TestDataRace(t *testing.T) {
	lines := map[int]int{}
	for line, n := range digits() {
		lines[n] = line
	}
	frames := func(text string, n ...int) string {
		b := text
		for _, n := range n {
			b +=
				fmt.Sprintf("  github.com/espalier-go/espalier/bigen/schedule/point.numbered()\n"+
					"      /go/bigen/schedule/point/number.go:%d +0xcc\n", lines[n])
		}
		return b + "  github.com/espalier-go/espalier/bigen/schedule/point.Child.Run()\n" +
			"      /go/bigen/schedule/point/point.go:241 +0x98\n"
	}
	report := "==================\nWARNING: DATA RACE\n" + frames(`Read at 0x00c0000a0690 by goroutine 23:
  runtime.mapaccess1_fast64()
      /usr/local/go/src/internal/runtime/maps/runtime_fast64.go:15 +0x0
  example.com/box.(*Box).Get()
      /home/ann/src/example.com/box/box.go:24 +0x74
  example.com/box.TestBox.func1.2()
      /home/ann/src/example.com/box/box_test.go:9 +0x74
`, 1, 3) + "\n" + frames(`Previous write at 0x00c0000a0690 by goroutine 22:
  bytes.(*Buffer).Write()
      /usr/local/go/src/bytes/buffer.go:179 +0x0
  example.com/box/v2.(*Box[go.shape.struct { example.com/box.x int }]).Put()
      C:/ann/box/box.go:20 +0x64
  github.com/espalier-go/espalier/fuzzext.(*T).inBubble()
      /go/fuzzext/option_bubble.go:50 +0x94
`, 0) + "\nGoroutine 23 (running) created at:\n  example.com/box.TestBox()\n==================\n"
	r := Result{races: report + strings.ReplaceAll(report, "box", "other")}
	text, where, key := r.Failure(true)
	require.Equal(t, `data race: write at box.go:20 in box.(*Box[...]).Put (goroutine 0), and then read at box.go:24 in box.(*Box).Get (goroutine 11): nothing orders them

goroutine 0: write
    buffer.go:179 bytes.(*Buffer).Write
    box.go:20 box.(*Box[...]).Put

goroutine 11: read
    box.go:24 box.(*Box).Get
    box_test.go:9 box.TestBox.func1.2
`, text)
	require.Equal(t, "data race", where)
	require.Equal(t, "data race in box.(*Box).Get and box.(*Box[...]).Put", key)

	r = Result{races: "elsewhere"}
	text, where, _ = r.Failure(false)
	require.Equal(t, "data race: elsewhere\n", text)
	require.Equal(t, "data race", where)
}

// The lines determine each number.
func TestNumbered(t *testing.T) {
	require.Len(t, digits(), 8)
	for _, n := range []int{0, 7, 8, 65, 4095} {
		ran := false
		numbered(n, func() { ran = true })
		require.True(t, ran)
	}
}
