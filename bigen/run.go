package bigen

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/espalier-go/espalier/choices"
)

// Run runs g forward: src answers its questions, and t records the conversation.
// Any source yields a value of bounded size: after 65,536 choices, and deeper than
// 10,000 levels, picks take their first alternative and everything else its
// simplest value, without asking.
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

// Sample returns a random value, biased if there are biases. It panics if g rejects
// 100 times in a row.
func Sample[A any](g Gen[A], r *rand.Rand, biases ...choices.Bias) A {
	for range 100 {
		c := newC()
		v, err := forward(c, g, choices.Random(r, biases...))
		c.release()
		if err == nil {
			return v
		}
	}
	panic("bigen.Sample: " + ErrRejected.Error())
}

// Decode returns the value that b stands for; see [choices.FromBytes]. Any bytes
// decode, and the value is the same in every process. The error is [ErrRejected]
// as for [Run].
func Decode[A any](g Gen[A], b []byte) (A, error) {
	c := newC()
	v, err := forward(c, g, choices.FromBytes(b))
	c.release()
	return v, err
}

// Choices runs g backward: it returns the choices that make v; if several ways
// lead to v, the leftmost (UnGenChoices of "Bigenerators, Exposed!", section
// 5.1.2). If g does not make v, the error is an [*Error] that says where and why.
// It leaves v as it is if the functions given to [New] and [Struct] keep to their
// rules.
func Choices[A any](g Gen[A], v A) (choices.Tree, error) { return choicesAt(g, v, place{}, 0, 0) }

// choicesAt is Choices for a value that is part of a larger one, behind some
// choices and at some depth.
func choicesAt[A any](g Gen[A], v A, at place, before, depth int) (t choices.Tree, err error) {
	c := newC()
	c.back, c.at, c.before, c.depth = true, at, before, depth
	ok := g.backward(c, &v)
	switch {
	case c.gaveUp:
		err = &Error{"/", fmt.Sprintf("more than %d choices tried: the value has no end, or too many alternatives fit its parts", maxBackwardWork)}
	case ok:
		t = c.recorded()
	default: // once more, to say why
		*c = C{back: true, at: at, before: before, depth: depth, tree: c.tree[:0], explain: &explanation{}}
		g.backward(c, &v)
		err = c.explain.err()
	}
	c.release()
	return t, err
}

// Encode returns bytes that [Decode] turns into v. Equal values give equal bytes.
// The error is that of [Choices].
func Encode[A any](g Gen[A], v A) ([]byte, error) {
	t, err := Choices(g, v)
	if err != nil {
		return nil, err
	}
	return choices.Encode(t), nil
}

// Check reports whether g makes v (UnGenCheck of "Bigenerators, Exposed!",
// section 3): nil if it does, else the error of [Choices].
func Check[A any](g Gen[A], v A) error {
	_, err := Choices(g, v)
	return err
}

var pool = sync.Pool{New: func() any { return new(C) }}

func newC() *C { return pool.Get().(*C) }

// recorded returns a copy of the tree, nil if it is empty.
func (c *C) recorded() choices.Tree { return append(choices.Tree(nil), c.tree...) }

// release makes c available to another run. A run that panics does not come here.
func (c *C) release() {
	clear(c.tree) // let go of tags and texts
	*c = C{tree: c.tree[:0], offered: c.offered, layouts: c.layouts}
	pool.Put(c)
}

func forward[A any](c *C, g Gen[A], src choices.Source) (v A, err error) {
	c.src = src
	defer func() {
		if c.unwinding {
			_ = recover()
			var zero A
			v, err = zero, ErrRejected
		}
	}()
	g.forward(c, &v)
	return v, nil
}

// unwind leaves the functions of the user that are running: forward all of them,
// as far as forward; backward the innermost one, as far as backwardStruct.
func (c *C) unwind() {
	c.unwinding = true
	panic("bigen: unwinding") // recovered, unless the user's code keeps it from us
}
