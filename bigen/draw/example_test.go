package draw_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/draw"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext"
)

// splits draws a text, and then one of the parts into which Split has cut it.
var splits = draw.Property(func(t *draw.T) {
	s := draw.From(t, "s", bigen.StringOf(choices.Chars("a,"), 0, 9))
	parts := strings.Split(s, ",")
	i := draw.From(t, "i", bigen.IntRange(0, len(parts)-1))
	if strings.Contains(parts[i], ",") {
		t.Errorf("part %d is %q", i, parts[i])
	}
})

func TestSplits(t *testing.T) { fuzzext.Sequence(t, splits) }
func FuzzSplits(f *testing.F) { fuzzext.Sequence(f, splits) }

// buffers draws calls, one by one. What a call may be depends on what the buffer holds.
var buffers = draw.Property(func(t *draw.T) {
	var b bytes.Buffer
	var model string
	for range draw.From(t, "calls", bigen.IntRange(0, 30)) {
		calls := []string{"Write", "Next"}
		if b.Len() == 0 {
			calls = calls[:1]
		}
		switch draw.From(t, "call", bigen.OneOf(calls...)) {
		case "Write":
			s := draw.From(t, "s", bigen.String(9))
			b.WriteString(s)
			model += s
		case "Next":
			n := draw.From(t, "n", bigen.IntRange(1, b.Len()))
			fuzzext.Equal(t, string(b.Next(n)), model[:n])
			model = model[n:]
		}
	}
})

func TestBuffers(t *testing.T) { fuzzext.Sequence(t, buffers) }

func ExampleProperty() {
	fmt.Println(bigen.Sample(splits.Gen(), rand.New(rand.NewPCG(1, 4))))
	fmt.Println(bigen.Check(splits.Gen(), []draw.Value{{"s", "a,a"}, {"i", 1}}))
	fmt.Println(bigen.Check(splits.Gen(), []draw.Value{{"s", "a,a"}, {"i", 2}}))
	// Output:
	// [{s ,aaaa,aa} {i 0}]
	// <nil>
	// not produced by the generator: at /i/i: 2 not in [0,1]
}
