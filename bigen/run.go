package bigen

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"sync"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
)

// Run runs g forward: src answers its questions, and t records the answers. Any
// source yields a value of bounded size: after 65,536 choices, and deeper than 10,000
// levels, picks take their first alternative, and everything else its simplest value,
// without a question.
//
// The error is [ErrRejected], if a [SuchThat] found no value that passes.
func Run[A any](g Gen[A], src choices.Source) (v A, t choices.Tree, err error) {
	c := newC()
	if v, err = forward(c, g, src); err == nil {
		t = c.recorded()
	}
	c.release()
	return v, t, err
}

// RunInto is [Run] with the tree in the memory of dst, which grows as needed. The
// tree is valid until the memory is used again. If the run is rejected, the tree is
// empty.
func RunInto[A any](
	dst choices.Tree, g Gen[A], src choices.Source,
) (v A, t choices.Tree, err error) {
	c := newC()
	own := c.tree
	c.tree = dst[:0]
	if v, err = forward(c, g, src); err == nil {
		t = c.tree
	} else {
		t = c.tree[:0]
	}
	c.tree = own
	c.release()
	return v, t, err
}

// Value is [Run] without the tree, which makes it faster.
func Value[A any](g Gen[A], src choices.Source) (A, error) {
	c := newC()
	v, err := forward(c, g, src)
	c.release()
	return v, err
}

// Sample returns a random value, biased if there are biases. It panics if g rejects
// 100 times in a row.
func Sample[A any](g Gen[A], r *rand.Rand, biases ...bias.Bias) A {
	for range 100 {
		if v, err := Value(g, bias.Random(r, biases...)); err == nil {
			return v
		}
	}
	panic("bigen.Sample: " + ErrRejected.Error())
}

// Decode returns the value that b encodes; see [choices.FromBytes]. Any bytes decode,
// to the same value in every process. The error is [ErrRejected], as for [Run].
func Decode[A any](g Gen[A], b []byte) (A, error) { return Value(g, choices.FromBytes(b)) }

// Choices runs g backward: it returns the choices that make v. If several ways lead
// to v, it returns the leftmost (UnGenChoices of "Bigenerators, Exposed!", section
// 5.1.2). If g does not make v, or if it takes too much work to tell, the error is
// an [*Error] that says where and why. Choices does not change v if the functions
// given to [New] and [Struct] keep to their rules.
func Choices[A any](g Gen[A], v A) (choices.Tree, error) {
	c := newC()
	defer c.release()
	return c.choices(&typed{*untypedOf(&g), reflect.TypeFor[A]()}, unsafe.Pointer(&v), position{})
}

// Forest runs g backward along all alternatives: it returns all trees of choices that
// make v, packed (UnGenChoices of "Bigenerators, Exposed!", section 5.1.2, which
// returns a list). The error is as for [Choices]. For a [Let] and an [Iso], Forest
// tries only the value that their function recovers. If the forest is Inexact, there
// may be other trees that make v.
func Forest[A any](g Gen[A], v A) (*Trees, error) {
	c := newC()
	defer c.release()
	return c.forestOf(&typed{*untypedOf(&g), reflect.TypeFor[A]()}, unsafe.Pointer(&v))
}

// Prob returns the probability that a random source makes v: one that is biased by
// [bias.Weighted](w), or unbiased if w is nil (UnGenProb of "Bigenerators,
// Exposed!", section 4.2). If g does not make v, it is 0, with the error of
// [Choices]. A probability too small for a float64 is 0: use
// [Trees.LogProb].
//
// If exact is false, p is the probability of the recorded choices, which may differ
// from the probability of v: values may be discarded and drawn again ([SuchThat], distinct
// elements), or recorded in another way than they are drawn ([Let], [Float], [Favor],
// [Time], the order of a map's elements, equal values in a [OneOf] or [Permutation],
// a text that [Matching] reads in one of several ways). Prob cannot know that a
// function loses something, by sorting or overwriting what it is given, or that an
// [Iso] takes two values to one: then p is too low.
func Prob[A any](
	g Gen[A], v A, w func(tag string, weight float64) float64,
) (p float64, exact bool, err error) {
	f, err := Forest(g, v)
	if err != nil {
		return 0, errors.Is(err, ErrNotProduced), err
	}
	return f.Prob(w), !f.Inexact, nil
}

// Encode returns bytes that [Decode] turns into v. Equal values have equal bytes. The
// error is as for [Choices].
func Encode[A any](g Gen[A], v A) ([]byte, error) {
	t, err := Choices(g, v)
	if err != nil {
		return nil, err
	}
	return choices.Encode(t), nil
}

// Check returns nil if g makes v (UnGenCheck of "Bigenerators, Exposed!", section 3),
// else the error of [Choices].
func Check[A any](g Gen[A], v A) error {
	_, err := Choices(g, v)
	return err
}

// choices runs g backward on *p. begin says where: after how many choices, at what depth and so on.
func (c *C) choices(g *typed, p unsafe.Pointer, begin position) (choices.Tree, error) {
	if c.reads(g, p, begin, reader{}) {
		return c.recorded(), nil
	}
	packed := false
	if c.gaveUp { // alternatives share parts
		if packed = true; c.reads(g, p, begin, reader{pack: newPacker(false)}) {
			f := c.forest()
			return f.First(), nil
		}
	}
	return nil, c.whyNot(g, p, begin, packed)
}

func (c *C) forestOf(g *typed, p unsafe.Pointer) (*Trees, error) {
	if c.reads(g, p, position{}, reader{pack: newPacker(true)}) {
		return c.forest(), nil
	}
	return nil, c.whyNot(g, p, position{}, true)
}

// reads reports whether g makes *p.
func (c *C) reads(g *typed, p unsafe.Pointer, begin position, how reader) bool {
	c.begin(begin, how)
	c.back = true
	return g.backward(c, p) && !c.gaveUp
}

// whyNot runs g backward once more, perhaps packed, to say why it does not make *p.
func (c *C) whyNot(g *typed, p unsafe.Pointer, begin position, packed bool) error {
	if !c.gaveUp {
		how := reader{explain: &explanation{}}
		if packed {
			how.pack = newPacker(false)
		}
		c.reads(g, p, begin, how)
	}
	if c.gaveUp {
		return &Error{
			Path: "/",
			Reason: "too many choices tried: the value has no end, or alternatives of a Pick " +
				"read the same parts of it, each with a new generator (make it once, before " +
				"the Pick, or by a Family) or each through its own Iso or Let",
			gaveUp: true,
		}
	}
	return c.explain.err()
}

// forest returns what a packed run has recorded.
func (c *C) forest() *Trees {
	return &Trees{points: c.pack.fold(c.tree, 0, len(c.tree)), Inexact: c.pack.inexact}
}

var pool = sync.Pool{New: func() any { return new(C) }}

func newC() *C { return pool.Get().(*C) }

// recorded returns a copy of the tree, nil if it is empty.
func (c *C) recorded() choices.Tree { return append(choices.Tree(nil), c.tree...) }

// begin begins a run at a position, in the memory that c has.
func (c *C) begin(at position, how reader) {
	at.tree = c.tree[:0]
	at.recursions = append(c.recursions[:0], at.recursions...)
	at.params = append(c.params[:0], at.params...)
	c.back, c.maker, c.reader, c.position = false, maker{}, how, at
}

// maxParams is how many parameters a run that has ended keeps room for.
const maxParams = 64

// release makes c available to another run. A run that panics never gets here.
func (c *C) release() {
	clear(c.tree) // let go of tags and texts
	clear(c.recursions)
	if clear(c.params[:cap(c.params)]); cap(c.params) > maxParams {
		c.params = nil
	}
	clear(c.weighed)
	c.begin(position{}, reader{})
	pool.Put(c)
}

func forward[A any](c *C, g Gen[A], src choices.Source) (v A, err error) {
	if err = c.forward(untypedOf(&g), unsafe.Pointer(&v), src); err != nil {
		var zero A
		v = zero
	}
	return v, err
}

// askFrom makes a source, or none, answer the questions.
func (c *C) askFrom(src choices.Source) {
	c.src = src
	c.leaf, _ = src.(choices.LeafPicker)
}

func (c *C) forward(g *untyped, p unsafe.Pointer, src choices.Source) (err error) {
	c.askFrom(src)
	defer func() {
		if c.unwinding {
			_ = recover()
			err = ErrRejected
		}
	}()
	g.forward(c, p)
	if e, ok := src.(interface{ EndValue() }); ok { // of package varied
		e.EndValue()
	}
	return nil
}
