package bigen

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// New makes a pointer to a new T. f fills the fields of *t: with [At], or by plain
// assignments computed from fields that it has filled before.
//
// Forward, f builds a value. Backward, it runs on a new T all the same, but At
// fills each field with what the given value has there, after its generator has
// accepted it; the result must equal the given value. So bounds that depend on
// fields filled earlier are right in both directions, f never sees a field that
// it could not have made, and a field that f leaves alone must be zero. Equal
// means: the same bits, or Equal(T) bool says so, or [reflect.DeepEqual] does.
//
// f must be a function of what its generators give it: no randomness, no state of
// its own.
func New[T any](f func(c *C, t *T)) Gen[*T] { return Gen[*T]{op: newOp[T](f)} }

// Struct makes a T; see [New].
func Struct[T any](f func(c *C, t *T)) Gen[T] { return Gen[T]{op: structOp[T](f)} }

type newOp[T any] func(c *C, t *T)

func (f newOp[T]) forward(c *C, _, _ int64, p **T) {
	t := new(T)
	*p = t
	forwardStruct(c, f, t)
}

func (f newOp[T]) backward(c *C, _, _ int64, p **T) bool {
	if *p == nil {
		return c.fail(true, "nil")
	}
	return backwardStruct(c, f, *p)
}

type structOp[T any] func(c *C, t *T)

func (f structOp[T]) forward(c *C, _, _ int64, p *T)       { forwardStruct(c, f, p) }
func (f structOp[T]) backward(c *C, _, _ int64, p *T) bool { return backwardStruct(c, f, p) }

func forwardStruct[T any](c *C, f func(*C, *T), t *T) {
	field, outer := c.at.field, c.object
	c.at.field, c.object = 0, objectOf(t, nil)
	c.nest()
	f(c, t)
	c.unnest()
	c.at.field, c.object = field, outer
}

func backwardStruct[T any](c *C, f func(*C, *T), target *T) (ok bool) {
	t := new(T)
	at, outer, depth := c.at, c.object, c.depth
	c.at.field, c.object = 0, objectOf(t, target)
	if c.explain != nil {
		c.object.typ = reflect.TypeFor[T]()
		defer func(n int) { c.explain.path = c.explain.path[:n] }(len(c.explain.path))
	}
	defer func() {
		if c.unwinding { // a field failed
			_ = recover()
			c.unwinding, ok = false, false
		}
		c.at, c.object, c.depth = at, outer, depth
	}()
	c.nest()
	f(c, t)
	return equal(t, target) || c.failMade(t, target)
}

// At fills the field *p of the struct being made with a value of g. It panics if
// p points elsewhere: use [Let] for a value that is not a field.
func At[A any](c *C, p *A, g Gen[A]) {
	offset := uintptr(unsafe.Pointer(p)) - uintptr(c.object.made)
	if offset > c.object.size || offset+unsafe.Sizeof(*p) > c.object.size {
		panic(fmt.Sprintf("bigen.At: the %v is not a field of the struct being made: use bigen.Let for a value that is not a field, bigen.SliceOf for elements", reflect.TypeFor[A]()))
	}
	at := c.at
	c.at.slot = choices.SubSlot(at.slot, at.field)
	if !c.back {
		g.forward(c, p)
	} else {
		// The two objects have the same type, so if there is an A at this offset
		// in one, there is one in the other.
		from := (*A)(unsafe.Add(c.object.target, offset))
		c.pushField(offset, reflect.TypeFor[A])
		if !g.backward(c, from) {
			c.unwind()
		}
		c.pop()
		*p = *from
	}
	c.at = at
	c.at.field++
}

// Let returns a value of g that is not a field of *t, the struct being made, but
// determines fields. get recovers it from the finished struct, backward; it
// reports false if there is none, and must not change the struct.
func Let[T, A any](c *C, t *T, get func(t *T) (A, bool), g Gen[A]) (v A) {
	if unsafe.Pointer(t) != c.object.made {
		panic(fmt.Sprintf("bigen.Let: the %v is not the struct being made", reflect.TypeFor[T]()))
	}
	at := c.at
	c.at.slot = choices.SubSlot(at.slot, at.field)
	if !c.back {
		g.forward(c, &v)
	} else {
		c.push("let")
		var ok bool
		if v, ok = get((*T)(c.object.target)); !ok {
			c.fail(true, "Let finds no %v", reflect.TypeFor[A]())
			c.unwind()
		}
		from := v
		if !g.backward(c, &from) {
			c.unwind()
		}
		c.pop()
	}
	c.at = at
	c.at.field++
	return v
}

func objectOf[T any](made, target *T) object {
	return object{made: unsafe.Pointer(made), size: unsafe.Sizeof(*made), target: unsafe.Pointer(target)}
}

// pushField adds the name of the field at offset to the path of an explanation.
func (c *C) pushField(offset uintptr, a func() reflect.Type) {
	if c.explain != nil {
		c.push(fieldName(c.object.typ, offset, a()))
	}
}

// fieldName names the part of a t that is an a at the given offset.
func fieldName(t reflect.Type, offset uintptr, a reflect.Type) string {
	switch {
	case t.Kind() == reflect.Struct && t != a:
		for i := t.NumField() - 1; i >= 0; i-- {
			f := t.Field(i)
			if f.Offset > offset || f.Offset+f.Type.Size() < offset+a.Size() {
				continue
			}
			if f.Type == a && f.Offset == offset {
				return f.Name
			}
			if sub := fieldName(f.Type, offset-f.Offset, a); sub != "" {
				return f.Name + "." + sub
			}
		}
	case t.Kind() == reflect.Array && t != a && t.Elem().Size() > 0:
		i := offset / t.Elem().Size()
		sub := fieldName(t.Elem(), offset-i*t.Elem().Size(), a)
		if sub != "" {
			sub = "." + sub
		}
		return fmt.Sprintf("[%d]%s", i, sub)
	}
	return ""
}
