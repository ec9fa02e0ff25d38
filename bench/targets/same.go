package targets

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
)

// same checks that the peers make values of gen, and that rapid's even integers give values
// of the same size.
func same[V any](
	t *testing.T, gen bigen.Gen[V], custom func(ints) *rapid.Generator[V], parse func(*reader) V,
) {
	is := func(v V) {
		t.Helper()
		if err := bigen.Check(gen, v); err != nil {
			t.Fatal(err)
		}
	}
	const n = 500
	r := rand.New(rand.NewPCG(1, 4))
	var ours, even, own float64 // nodes, of all values
	for i := range n {
		ours += size(reflect.ValueOf(bigen.Sample(gen, r)))
		v := custom(evenInts).Example(i)
		is(v)
		even += size(reflect.ValueOf(v))
		v = custom(evenChoices).Example(i)
		is(v)
		own += size(reflect.ValueOf(v))
		if i%10 == 0 {
			is(custom(ownInts).Example(i))
		}
		b := make([]byte, r.IntN(100))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		in := reader{b: b}
		if v := parse(&in); !in.invalid {
			is(v)
		}
	}
	t.Logf("mean sizes: %.3g; of rapid %.3g, with its own integers %.3g", ours/n, even/n, own/n)
	if q := even / ours; q < 0.8 || q > 1.25 {
		t.Errorf("rapid's values are %.2g times as large", q)
	}
}

// size returns the number of structs in v.
func size(v reflect.Value) (n float64) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return size(v.Elem())
		}
	case reflect.Struct:
		n = 1
		for i := range v.NumField() {
			n += size(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			n += size(v.Index(i))
		}
	}
	return n
}
