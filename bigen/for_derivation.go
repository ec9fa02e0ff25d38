package bigen

import (
	"fmt"
	"reflect"
	"strings"

	"golang.org/x/exp/slices"
)

// derivation is the work of one [For].
type derivation struct {
	what     string // that panics name
	with     map[reflect.Type]func(*derivation, *typeNode)
	variants map[reflect.Type][]reflect.Type
	fields   map[reflect.Type][]fieldGen
	open     map[reflect.Type]bool
	tag      string    // of the type itself
	empties  emptiness // of slices and maps without a tag about it
	misuses  []string

	nodes map[reflect.Type]*typeNode // of the types, without tags of fields
	all   []*typeNode
	path  []string // to the type in work
}

func newDerivation(what string) *derivation {
	return &derivation{
		what:     what,
		with:     map[reflect.Type]func(*derivation, *typeNode){},
		variants: map[reflect.Type][]reflect.Type{},
		fields:   map[reflect.Type][]fieldGen{},
		open:     map[reflect.Type]bool{},
		nodes:    map[reflect.Type]*typeNode{},
	}
}

// fieldGen makes the field of a type at an offset.
type fieldGen struct {
	offset uintptr
	typ    reflect.Type
	gen    untyped
}

// emptiness says what an empty slice or map is.
type emptiness string

const (
	asUsual emptiness = "" // nil, unless an option says otherwise
	isNil   emptiness = "nil"
	orNil   emptiness = "ornil"
	notNil  emptiness = "notnil"
)

// in runs f for a part, one step further down.
func (d *derivation) in(step string, f func() *typeNode) *typeNode {
	outer := d.path
	d.path = append(outer[:len(outer):len(outer)], step)
	n := d.try(f)
	d.path = outer
	return n
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

// nothing returns the node of the variant nil.
func (d *derivation) nothing() *typeNode {
	n := newNode(nil)
	n.op = zeroOp{}
	d.all = append(d.all, n)
	return n
}

// fail records a misuse and leaves the part.
func (d *derivation) fail(format string, args ...any) {
	d.note(format, args...)
	panic(misused{})
}

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

// panicIfMisused panics with all misuses, if there are any.
func (d *derivation) panicIfMisused() {
	n := len(d.misuses)
	switch {
	case n == 0:
		return
	case n == 1:
		panic(fmt.Sprintf("%s: %s", d.what, d.misuses[0]))
	case n > maxMisuses+1:
		d.misuses = append(d.misuses[:maxMisuses], fmt.Sprintf("and %d more", n-maxMisuses))
	}
	panic(fmt.Sprintf("%s: %d mistakes:\n\t%s", d.what, n, strings.Join(d.misuses, "\n\t")))
}

// misused is the panic that leaves a misused part.
type misused struct{}

// maxMisuses is how many misuses are listed.
const maxMisuses = 20
