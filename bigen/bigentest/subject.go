package bigentest

import (
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// A subject is a generator whose values are in interfaces: so the compiler compiles the
// checks once, and not for each type.
type subject struct {
	run     func(choices.Source) (any, choices.Tree, error)
	choices func(v any) (choices.Tree, error)
	forest  func(v any) (*choices.Forest, error)
	differ  func(a, b any) error // nil if a and b are equal to bigen
}

//go:noinline
func boxed[A any](g bigen.Gen[A]) subject {
	return subject{
		run: func(src choices.Source) (any, choices.Tree, error) {
			v, t, err := bigen.Run(g, src)
			return v, t, err
		},
		choices: func(v any) (choices.Tree, error) { return bigen.Choices(g, unboxed[A](v)) },
		forest:  func(v any) (*choices.Forest, error) { return bigen.Forest(g, unboxed[A](v)) },
		differ:  func(a, b any) error { return bigen.Check(bigen.Just(unboxed[A](a)), unboxed[A](b)) },
	}
}

// unboxed returns the value in v. If A is an interface, its nil is nil in v, too.
func unboxed[A any](v any) (a A) {
	if v != nil {
		a = v.(A)
	}
	return a
}
