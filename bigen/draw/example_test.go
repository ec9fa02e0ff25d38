package draw_test

import (
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

func ExampleProperty() {
	fmt.Println(bigen.Sample(splits.Gen(), rand.New(rand.NewPCG(1, 4))))
	fmt.Println(bigen.Check(splits.Gen(), []draw.Value{{"s", "a,a"}, {"i", 1}}))
	fmt.Println(bigen.Check(splits.Gen(), []draw.Value{{"s", "a,a"}, {"i", 2}}))
	// Output:
	// [{s ,aaaa,aa} {i 0}]
	// <nil>
	// not produced by the generator: at /i/i: 2 not in [0,1]
}
