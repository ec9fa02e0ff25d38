package headers_test

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// Types with which a decoder could run forever, or need much memory.
type (
	ring struct {
		Next *ring
		All  []ring
		By   map[string]*ring
		Data []byte
	}
	wide struct {
		A [1 << 12]uint64
		M map[string]map[string]map[string][]string
		S [][][][]string
	}
	odd struct {
		F func()
		C chan int
		I any
		E error
		T time.Time
		X complex128
		P **odd
		G map[[2]string]struct{ A, B *int }
	}
)

// Whatever an input claims, decoding it needs little memory, and what becomes of it is a value for
// the generator.
func TestHostileInputs(t *testing.T) {
	decode := values.LookupDecoder("headers", "")
	rings, texts := bigen.For[ring](), bigen.For[[][]byte]()
	r := rand.New(rand.NewPCG(1, 0))
	inputs := [4]func(b []byte){
		func(b []byte) { fill(b, func() byte { return byte(r.Uint32()) }) },
		func(b []byte) { fill(b, func() byte { return byte(r.IntN(4)) }) },
		func(b []byte) { copy(b, bytes.Repeat([]byte{byte(r.Uint32())}, len(b))) },
		func(b []byte) { copy(b, bytes.Repeat([]byte{0xff, 0xff, 0xff, byte(r.Uint32())}, len(b))) },
	}
	decoded, encoded := 0, 0
	for i := range long.Times(100, 1000) {
		b := make([]byte, r.IntN(3000))
		inputs[i%len(inputs)](b)
		var one ring
		var some [][]byte
		for _, v := range []any{&one, new(wide), new(odd), new([]byte), new([]rune), new(uint64),
			new(string), new([]ring), &some} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := decode(b, v)
			runtime.ReadMemStats(&after)
			if err == nil {
				decoded++
			}
			require.True(t, after.TotalAlloc-before.TotalAlloc < 1<<20+64*uint64(len(b)), "%T of %q", v, b)
		}
		// otherwise, it is longer than those that the generator makes
		if _, err := bigen.Encode(rings, one); err == nil {
			encoded++
		}
		if _, err := bigen.Encode(texts, some); err == nil {
			encoded++
		}
	}
	require.NotZero(t, decoded)
	require.NotZero(t, encoded)
}

func fill(b []byte, next func() byte) {
	for i := range b {
		b[i] = next()
	}
}
