package bigen

import (
	"bytes"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/internal/panics"
)

// New makes a pointer to a new T. f fills the fields of *t: by [At], or by plain assignments
// computed from fields that it has filled before.
//
// Forward, f builds a value. Backward, f runs on a new T, too. There, At copies each field
// from the given value, after the field's generator has accepted it. The result must equal the
// given value. So bounds that depend on earlier fields are right in both directions, f never
// sees a field that it could not have made, and a field that f does not fill must be zero.
//
// Two values are equal if their bits are. If they differ, the method Equal(T) bool decides or,
// without it, [reflect.DeepEqual], except that it compares floats by their bits: NaN equals
// NaN, and -0 does not equal 0.
//
// f must depend only on what its generators return, not on random numbers or a state of its
// own. It must not change what pointers and maps in these values refer to, since backward that
// belongs to the given value. A slice in a field is a copy, which f may sort before it uses
// the elements. Then [Prob] is too low, since the order in which the elements were made is
// lost.
func New[T any](f func(c *C, t *T)) Gen[*T] { return Gen[*T]{u: untyped{op: newOp[T](f)}} }

// Struct makes a T; see [New].
func Struct[T any](f func(c *C, t *T)) Gen[T] {
	return Gen[T]{u: untyped{op: structOp[T](f)}}
}

type newOp[T any] func(c *C, t *T)

func (f newOp[T]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	t := new(T)
	*(**T)(u) = t
	untypedFunc(f).forward(c, unsafe.Pointer(t), reflect.TypeFor[T]())
}

func (f newOp[T]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (**T)(u)
	if *p == nil {
		return c.fail(byNil, "is nil")
	}
	return untypedFunc(f).backward(
		c, unsafe.Pointer(new(T)), unsafe.Pointer(*p), reflect.TypeFor[T](),
	)
}

type structOp[T any] func(c *C, t *T)

func (f structOp[T]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	untypedFunc(f).forward(c, u, reflect.TypeFor[T]())
}

func (f structOp[T]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	return untypedFunc(f).backward(c, unsafe.Pointer(new(T)), u, reflect.TypeFor[T]())
}

// A fill is a func(*C, *T); see [untyped].
type fill func(c *C, t unsafe.Pointer)

func untypedFunc[T any, F ~func(*C, *T)](f F) fill { return *(*fill)(unsafe.Pointer(&f)) }

func (f fill) forward(c *C, t unsafe.Pointer, typ reflect.Type) {
	lets, outer := c.at.lets, c.object
	c.at.lets = 0
	c.enterObject(t, nil, typ)
	c.nest()
	f(c, t)
	c.unnest()
	c.at.lets, c.object = lets, outer
}

// backward fills t, and compares it with the target.
func (f fill) backward(c *C, t, target unsafe.Pointer, typ reflect.Type) bool {
	if c.filling == nil {
		return f.read(c, t, target, typ)
	}
	return c.filling.again(c, func() bool {
		reflect.NewAt(typ, t).Elem().SetZero()
		return f.read(c, t, target, typ)
	})
}

func (f fill) read(c *C, t, target unsafe.Pointer, typ reflect.Type) bool {
	if c.filling != nil {
		c.filling.structs[location{target, typ}] = true
	}
	return c.reading(func() bool {
		c.at.lets = 0
		c.enterObject(t, target, typ)
		c.nest()
		f(c, t)
		c.object.layout.attach(t, target)
		if bytes.Equal(
			unsafe.Slice((*byte)(t), typ.Size()), unsafe.Slice((*byte)(target), typ.Size()),
		) {
			return true
		}
		made, want := reflect.NewAt(typ, t).Elem(), reflect.NewAt(typ, target).Elem()
		return equalValues(made, want) || c.failMade(made, want)
	})
}

// reading calls read, backward. It reports false if read unwinds because a part fails. In any
// case, the run stands where it stood.
func (c *C) reading(read func() bool) (ok bool) {
	at, outer, depth, params, nth := c.at, c.object, c.depth, len(c.params), c.nth
	if c.explain != nil {
		defer func(path *step) { c.explain.path = path }(c.explain.path)
	}
	defer func() {
		if c.unwinding {
			_ = recover()
			c.unwinding, ok = false, false
		}
		c.at, c.object, c.depth = at, outer, depth
		c.params, c.nth = c.params[:params], nth
	}()
	return read()
}

// At fills the field *p of the struct being made with a value of g. It panics if p points
// elsewhere, or if the field has been filled before. For a value that is not a field, use
// [Let]. Fields of size zero, such as struct{}, may share an address: At fills fields of one
// type in the order of their declaration.
func At[A any](c *C, p *A, g Gen[A]) {
	slot := c.at.slot
	c.enterField(unsafe.Pointer(p), unsafe.Sizeof(*p), reflect.TypeFor[A]())
	if !c.back {
		makeBy(c, &g, p)
	} else {
		*p = *(*A)(c.readField(untypedOf(&g), unsafe.Pointer(p), reflect.TypeFor[A]()))
		c.object.layout.detach(
			c.object.made, uintptr(unsafe.Pointer(p))-uintptr(c.object.made), unsafe.Sizeof(*p),
		)
	}
	c.at.slot = slot
}

// enterField begins the field at p of the struct being made.
func (c *C) enterField(p unsafe.Pointer, size uintptr, typ reflect.Type) {
	o := &c.object
	offset := uintptr(p) - uintptr(o.made)
	if offset > o.size || offset+size > o.size {
		panic(fmt.Sprintf(
			"bigen.At: the %v is not a field of the struct being made: use bigen.Let for a "+
				"value that is not a field, bigen.SliceOf for elements",
			typ,
		))
	}
	var f *field
	var i int
	if size > 0 {
		f, i = o.layout.find(offset, size)
	} else {
		f, i = o.layout.findEmpty(offset, typ, o.filled)
	}
	if c.explain != nil {
		c.push(f.name, o.accepted())
	}
	bit := uint64(1) << i // later ones than 64 go unnoticed
	if o.filled&bit != 0 {
		panic(fmt.Sprintf(
			"bigen.At: the field %s of %v is filled twice: what it was first would be lost", f.name,
			o.layout.typ,
		))
	}
	o.filled |= bit
	c.at.slot = hash.SubSlot(c.at.slot, f.slot)
}

// readField reads, backward, the field that corresponds to p in the target, and returns its
// address. The two structs have the same type, so what is at p in one is at the same offset in the
// other.
func (c *C) readField(g *untyped, p unsafe.Pointer, typ reflect.Type) unsafe.Pointer {
	from := unsafe.Add(c.object.target, uintptr(p)-uintptr(c.object.made))
	if !g.backward(c, from, typ) {
		c.unwind()
	}
	c.pop()
	return from
}

// Let returns a value of g that is not a field of *t, the struct being made, but determines
// fields. Backward, get recovers the value from the finished struct, which it must not change.
//
// get must be total. It gets every struct that is read backward, even one that this generator
// does not make: pointers may be nil there, slices short, divisors zero. It reports false if
// the struct has no such value.
//
// Add a new Let last: trees and corpora know the Lets of a function by their order.
func Let[T, A any](c *C, t *T, get func(t *T) (A, bool), g Gen[A]) (v A) {
	if unsafe.Pointer(t) != c.object.made {
		panic(fmt.Sprintf("bigen.Let: the %v is not the struct being made", reflect.TypeFor[T]()))
	}
	at := c.at
	c.at.slot = hash.SubSlot(at.slot, uint32(at.lets))
	if !c.back {
		makeBy(c, &g, &v)
	} else {
		if c.explain != nil {
			c.push(fmt.Sprintf("let#%d(%v)", at.lets+1, reflect.TypeFor[A]()), c.object.accepted())
		}
		c.inexact() // another value may come to the same
		var ok bool
		if v, ok = got(c, get, (*T)(c.object.target)); !ok {
			c.fail(byValue, "the struct has none")
			c.unwind()
		}
		from := v
		if !readBy(c, &g, &from) {
			c.unwind()
		}
		c.pop()
		if reflect.TypeFor[A]().Kind() == reflect.Slice {
			detachSlice(reflect.ValueOf(&v).Elem())
		}
	}
	c.at = at
	c.at.lets++
	return v
}

// got returns get(t). It turns a panic into one that says what get must do.
func got[T, A any](c *C, get func(t *T) (A, bool), t *T) (v A, ok bool) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if r := recover(); r != nil {
			panic(fmt.Sprintf("bigen.Let: the function get of let#%d(%v) in the generator of "+
				"%v panics%s (%v): it must be total: let it report false for a struct that has "+
				"no such value",
				c.at.lets+1, reflect.TypeFor[A](), reflect.TypeFor[T](), panicPlace(), r))
		}
	}()
	v, ok = get(t)
	returned = true
	return v, ok
}

// panicPlace returns where the panic that is being recovered comes from.
func panicPlace() string {
	for f := range panics.Frames() {
		return " at " + panics.Place(f)
	}
	return ""
}

// enterObject begins the struct that the run makes from now on.
func (c *C) enterObject(made, target unsafe.Pointer, typ reflect.Type) {
	o := &c.object
	l := c.layoutOf(typ)
	o.made, o.size, o.target, o.layout, o.filled = made, l.size, target, l, 0
}

// layoutOf returns the layout of t, which it keeps for the run's next structs.
func (c *C) layoutOf(t reflect.Type) *layout {
	p := typePointer(t)
	cached := &c.layouts[uintptr(p)/32%uintptr(len(c.layouts))]
	if *cached == nil || typePointer((*cached).typ) != p {
		l, ok := layouts.Load(t)
		if !ok {
			l, _ = layouts.LoadOrStore(t, newLayout(t))
		}
		*cached = l.(*layout)
	}
	return *cached
}

// typePointer returns the address of the runtime's description of a type, which all have once.
func typePointer(t reflect.Type) unsafe.Pointer {
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&t))[1]
}

// accepted counts the fields of a struct that have been filled, or assigned, so far with
// what the target has, unless that is zero.
func (o *object) accepted() (n int) {
	t := o.layout.typ
	if t.Kind() != reflect.Struct {
		return 0
	}
	for i := range t.NumField() {
		f := t.Field(i)
		target, made := unsafe.Add(o.target, f.Offset), unsafe.Add(o.made, f.Offset)
		if reflect.NewAt(f.Type, target).Elem().IsZero() {
			continue
		}
		size := f.Type.Size()
		_, at := o.layout.find(f.Offset, size)
		if o.filled>>at&1 == 1 ||
			bytes.Equal(unsafe.Slice((*byte)(made), size), unsafe.Slice((*byte)(target), size)) {
			n++
		}
	}
	return n
}

// failMade explains how the struct made differs from the target.
func (c *C) failMade(b, t reflect.Value) bool {
	if c.explain == nil {
		return false
	}
	if b.Kind() == reflect.Struct {
		for i := range b.NumField() {
			if literal.OfValue(b.Field(i), "") != literal.OfValue(t.Field(i), "") {
				c.push(b.Type().Field(i).Name, c.object.accepted())
				defer c.pop()
				return c.fail(
					byMade, "is %s; the generator makes it %s", show(t.Field(i)), show(b.Field(i)),
				)
			}
		}
	}
	return c.fail(byMade, "the generator makes a value that differs in what was not filled by At")
}
