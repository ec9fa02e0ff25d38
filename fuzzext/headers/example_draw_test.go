package headers_test

import (
	"strings"
	"testing"

	fuzz "github.com/AdaLogics/go-fuzz-headers"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/draw"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/fuzzext/headers"
)

// joins draws up to nine texts, as an old target did by GetInt and GetString.
var joins = draw.Property(func(t *draw.T) {
	var parts []string
	for range draw.From(t, "parts", bigen.IntRange(0, 9)) {
		parts = append(parts, draw.From(t, "part", bigen.String(1000)))
	}
	joined := strings.Join(parts, ",")
	if n := strings.Count(joined, ","); n < len(parts)-1 {
		t.Errorf("%d commas in %q", n, joined)
	}
	t.Logf("joined: %q", joined)
})

// FuzzJoins keeps the old inputs of a target that draws.
func FuzzJoins(f *testing.F) {
	headers.DecodeBy(f, func(c *fuzz.ConsumeFuzzer, v *[]draw.Value) error {
		n, err := c.GetInt()
		*v = append(*v, draw.Value{Name: "parts", Value: n % 10})
		for i := 0; i < n%10 && err == nil; i++ {
			var s string
			s, err = c.GetString()
			*v = append(*v, draw.Value{Name: "part", Value: s})
		}
		return err
	})
	headers.Add(f, joins.Gen(), []byte("\x0c\x00\x00\x00\x02hi\x00\x00\x00\x01!"))
	f.Fuzz(headers.Valid(joins.Gen(), func(t *fuzzext.T, v []draw.Value) { joins.Run(t, v) }))
}
