package explore

import (
	"errors"
	"slices"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/budget"
)

// OfferPanic looks for bytes on which the generator panics, and offers them to the engine
// ([engine.Link]). A Subject calls it when the generator has panicked, because there are
// no bytes for the value that it was making. OfferPanic reports whether it has found any.
func (e *Explorer) OfferPanic() bool {
	const (
		tries = 10_000
		most  = time.Second / 2 // the engine allows an execution 10 s by the clock
	)
	b, spent := []byte{}, budget.New()
	for range tries {
		if spent.Over(most, 1) {
			break
		}
		if e.panics(b) {
			e.link.Offer(b)
			return true
		}
		if b = b[:0]; len(e.entries) > 0 && e.r.Uint32()&1 == 0 {
			b = choices.Encode(e.entries[e.r.IntN(len(e.entries))].tree)
		}
		for range 1 + e.r.IntN(32) {
			b = e.editBytes(b)
		}
	}
	return false
}

// panics reports whether the generator panics on bytes.
func (e *Explorer) panics(b []byte) bool {
	_, _, err := e.make(e.subject.Decode(b))
	return errors.Is(err, errPanics)
}

var errPanics = errors.New("the generator panics")

// make makes the value of a source. If the generator panics, that is an error.
func (e *Explorer) make(source choices.Source) (v any, t choices.Tree, err error) {
	defer func() {
		if recover() != nil {
			err = errPanics
		}
	}()
	return bigen.Run(e.gen, source)
}

// editBytes changes, inserts or deletes a few bytes, as the engine would.
func (e *Explorer) editBytes(b []byte) []byte {
	for {
		at, most := e.r.IntN(len(b)+1), 1+e.r.IntN(4)
		end := min(at+most, len(b))
		switch e.r.IntN(4) {
		case 0:
			b = slices.Delete(b, at, end)
		case 1:
			random := make([]byte, most)
			for i := range random {
				random[i] = byte(e.r.Uint32())
			}
			b = slices.Insert(b, at, random...)
		case 2:
			b = slices.Insert(b, e.r.IntN(len(b)+1), append([]byte(nil), b[at:end]...)...)
		default:
			for i := at; i < end; i++ {
				b[i] ^= 1 << e.r.IntN(8)
			}
		}
		if e.r.Uint32()&1 == 0 {
			return b
		}
	}
}
