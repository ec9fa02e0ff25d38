package bigentest

import "github.com/espalier-go/espalier/bigen"

// A subject is a generator whose values are in interfaces: so the compiler compiles the
// checks once, and not for each type.
type subject struct {
	bigen.Gen[any]
	differ func(a, b any) error // nil if a and b are equal to bigen
}

//go:noinline
func boxed[A any](g bigen.Gen[A]) subject {
	return subject{bigen.Any(g), func(a, b any) error {
		return bigen.Check(bigen.Just(unboxed[A](a)), unboxed[A](b))
	}}
}

// unboxed returns the value in v. If A is an interface, its nil is nil in v, too.
func unboxed[A any](v any) (a A) {
	if v != nil {
		a = v.(A)
	}
	return a
}
