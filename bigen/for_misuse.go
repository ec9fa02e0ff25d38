package bigen

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"
)

// A derivation continues behind a misuse, so that it reports all of them at once.

// misused is the panic that leaves a part which is misused.
type misused struct{}

// maxMisuses is how many misuses are listed.
const maxMisuses = 20

// note records a misuse with the place where the derivation stands.
func (d *derivation) note(format string, args ...any) {
	where := strings.ReplaceAll(strings.Join(d.path, "."), ".[", "[")
	if where != "" {
		where += ": "
	}
	if s := where + fmt.Sprintf(format, args...); !slices.Contains(d.misuses, s) {
		d.misuses = append(d.misuses, s)
	}
}

// fail records a misuse and leaves the part.
func (d *derivation) fail(format string, args ...any) {
	d.note(format, args...)
	panic(misused{})
}

// try returns f(), or a node that makes nothing if f finds a misuse.
func (d *derivation) try(f func() *typeNode) (n *typeNode) {
	defer func() {
		if r := recover(); r == (misused{}) {
			n = d.nothing()
		} else if r != nil {
			panic(r)
		}
	}()
	return f()
}

// panicIfMisused panics with all misuses, if there are some.
func (d *derivation) panicIfMisused() {
	n := len(d.misuses)
	switch {
	case n == 0:
		return
	case n == 1:
		panic(fmt.Sprintf("bigen.For[%v]: %s", d.root, d.misuses[0]))
	case n > maxMisuses+1:
		d.misuses = append(d.misuses[:maxMisuses], fmt.Sprintf("and %d more", n-maxMisuses))
	}
	panic(fmt.Sprintf("bigen.For[%v]: %d mistakes:\n\t%s", d.root, n, strings.Join(d.misuses, "\n\t")))
}
