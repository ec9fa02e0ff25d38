package callseq

import (
	"fmt"
	"reflect"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
)

// Methods declares an operation for each exported method of *variable, called name: what is
// tested, usually set in [C.Do]. model has the same methods, with the same parameters and
// results, and says what they return. It may be a second implementation, or a slow one. If it
// has a method CanX as well, which returns a bool, that is the precondition of X:
//
//	var stack *Stack
//	c.Do(func() { stack = NewStack() })
//	callseq.Methods(c, "stack", &stack, &slowStack{}, callseq.Draw(bigen.IntRange(0, 9)))
//
// Each type of a parameter needs a [Draw]. A variadic parameter gets up to two arguments.
func Methods[V any](c *C, name string, variable *V, model any, opts ...MethodOption) {
	c.inSetup("Methods")
	x := methods{c: c, draws: map[reflect.Type]drawer{}, some: map[reflect.Type]drawer{}}
	for _, o := range opts {
		o(&x)
	}
	t, m := reflect.TypeFor[V](), reflect.ValueOf(model)
	declared := 0
	for i := range t.NumMethod() {
		method := t.Method(i).Name
		if slices.Contains(x.without, method) {
			continue
		}
		if !m.IsValid() || !m.MethodByName(method).IsValid() {
			c.misuse("has no method %s in %T, which is to say what %v.%s returns: add it, or leave the method out by callseq.Without(%q)", method, model, t, method, method)
		}
		declared++
		x.declare(name+"."+method, method, func() reflect.Value { return reflect.ValueOf(variable).Elem().MethodByName(method) }, t, m)
	}
	for _, method := range x.without {
		if _, ok := t.MethodByName(method); !ok {
			c.misuse("leaves out the method %s, which %v does not have", method, t)
		}
	}
	if declared == 0 {
		c.misuse("has no methods of %v to call: give Methods the address of a variable whose type has exported methods", t)
	}
}

// A MethodOption changes which operations [Methods] declares.
type MethodOption func(*methods)

// Draw draws all arguments of the type A from g.
func Draw[A any](g bigen.Gen[A]) MethodOption {
	return func(x *methods) {
		t := reflect.TypeFor[A]()
		x.draws[t] = func(c *C, name string) reflect.Value { return drawValue(c, name, g) }
		x.some[t] = func(c *C, name string) reflect.Value { return drawValue(c, name, bigen.SliceOf(g, 0, 2)) }
	}
}

func drawValue[A any](c *C, name string, g bigen.Gen[A]) reflect.Value {
	v := Arg(c, name, g)
	return reflect.ValueOf(&v).Elem()
}

// Without leaves methods out, such as those that close what is tested.
func Without(names ...string) MethodOption {
	return func(x *methods) { x.without = append(x.without, names...) }
}

// methods is one call of [Methods].
type methods struct {
	c       *C
	draws   map[reflect.Type]drawer // by types of arguments
	some    map[reflect.Type]drawer // the arguments of variadic parameters, as a slice
	without []string
}

type drawer func(c *C, name string) reflect.Value

// declare declares the operation of a method, which find returns once the variable is set.
func (x *methods) declare(op, method string, find func() reflect.Value, t reflect.Type, model reflect.Value) {
	c := x.c
	wanted := model.MethodByName(method)
	of := wanted.Type()
	if tested := signature(t, method); tested != of {
		c.misuse("has a method %s of type %v in %v, but %v in %v: they must have the same parameters and results", method, of, model.Type(), tested, t)
	}
	for i := range of.NumIn() {
		in := of.In(i)
		if of.IsVariadic() && i == of.NumIn()-1 {
			in = in.Elem()
		}
		if x.draws[in] == nil {
			c.misuse("does not know what the arguments of %s are: give Methods callseq.Draw of a generator of %v", op, in)
		}
	}
	o := c.Op(op, func() {
		args := x.arguments(op, of)
		c.Want(values(call(wanted, args))...)
		c.Do(func() { c.Got(values(call(find(), args))...) })
	})
	if can := model.MethodByName("Can" + method); can.IsValid() {
		possible, ok := can.Interface().(func() bool)
		if !ok {
			c.misuse("has a method Can%s of type %v in %v: want func() bool", method, can.Type(), model.Type())
		}
		o.When(possible)
	}
}

// signature returns the type of a method of t, without the receiver.
func signature(t reflect.Type, method string) reflect.Type {
	m, _ := t.MethodByName(method)
	if t.Kind() == reflect.Interface {
		return m.Type
	}
	var in, out []reflect.Type
	for i := 1; i < m.Type.NumIn(); i++ {
		in = append(in, m.Type.In(i))
	}
	for i := range m.Type.NumOut() {
		out = append(out, m.Type.Out(i))
	}
	return reflect.FuncOf(in, out, m.Type.IsVariadic())
}

// arguments draws the arguments of a call of a function.
func (x *methods) arguments(op string, of reflect.Type) (args []reflect.Value) {
	for i := range of.NumIn() {
		draw := x.draws[of.In(i)]
		if of.IsVariadic() && i == of.NumIn()-1 {
			draw = x.some[of.In(i).Elem()]
		}
		args = append(args, draw(x.c, fmt.Sprint("x", i+1)))
	}
	if of.IsVariadic() {
		x.c.Code(op+"("+strings.Repeat("%v, ", len(args)-1)+"%v...)", values(args)...)
	}
	return args
}

// call calls a function with arguments whose slices it may change.
func call(f reflect.Value, args []reflect.Value) []reflect.Value {
	own := slices.Clone(args)
	for i, a := range own {
		if a.Kind() == reflect.Slice && !a.IsNil() {
			own[i] = reflect.MakeSlice(a.Type(), a.Len(), a.Len())
			reflect.Copy(own[i], a)
		}
	}
	if f.Type().IsVariadic() {
		return f.CallSlice(own)
	}
	return f.Call(own)
}

func values(all []reflect.Value) []any {
	list := make([]any, len(all))
	for i, v := range all {
		list[i] = v.Interface()
	}
	return list
}
