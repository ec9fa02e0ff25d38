package callseq

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
)

// Methods declares an operation for each exported method of *variable, called name: what is tested,
// usually set in [C.Do]. model has the same methods, with the same parameters and results, and says
// what they return. It may be a second implementation, or a slow one. If it has a method CanX as
// well, which returns a bool, that is the precondition of X:
//
//	var stack *Stack
//	c.Do(func() { stack = NewStack() })
//	callseq.Methods(c, "stack", &stack, &slowStack{}, callseq.Draw(bigen.IntRange(0, 9)))
//
// If the variable has the type of an interface, its methods are the methods of the interface, so
// that one model tests all implementations. A method of the model that has no results, unlike the
// method that is tested, says itself by [C.Want] or the like what that returns.
//
// Each type of a parameter needs a [Draw]. A variadic parameter gets up to two arguments.
func Methods[V any](c *C, name string, variable *V, model any, opts ...MethodOption) {
	c.inSetup("Methods")
	x := methods{
		c:      c,
		tested: reflect.ValueOf(variable).Elem(),
		draws:  map[reflect.Type]drawer{},
		some:   map[reflect.Type]drawer{},
	}
	for _, o := range opts {
		o(&x)
	}
	var at [1]uintptr
	runtime.Callers(2, at[:])
	x.declareAll(name, model, at[0])
}

// declareAll is Methods, which is called at some place.
func (x *methods) declareAll(name string, model any, at uintptr) {
	c, t, m := x.c, x.tested.Type(), reflect.ValueOf(model)
	for _, method := range append(slices.Clone(x.only), x.without...) {
		if _, ok := t.MethodByName(method); !ok {
			c.misuse("gives Only or Without the method %s, which %v does not have", method, t)
		}
	}
	var methods, lacking []string
	for i := range t.NumMethod() {
		method := t.Method(i)
		switch name := method.Name; {
		case !method.IsExported() || slices.Contains(x.without, name) ||
			x.only != nil && !slices.Contains(x.only, name):
		case !m.IsValid() || !m.MethodByName(name).IsValid():
			lacking = append(lacking, name)
		default:
			methods = append(methods, name)
		}
	}
	if list := strings.Join(lacking, `", "`); lacking != nil {
		c.misuse(
			"lacks methods in %T, which must say what the methods of %v return: "+
				"add them, or leave them out by callseq.Without(\"%s\")", model, t, list)
	}
	if methods == nil {
		c.misuse("has no methods of %v to call: give Methods the address of a variable whose "+
			"type has exported methods", t)
	}
	for _, method := range methods {
		x.declare(name+"."+method, method, m).at = at
	}
	if x.undrawn != nil {
		c.misuse("does not know what these arguments are: %s: give Methods a callseq.Draw of a "+
			"generator of each type", strings.Join(x.undrawn, ", "))
	}
}

// A MethodOption changes which operations [Methods] declares.
type MethodOption func(*methods)

// Draw draws all arguments of the type A from g.
func Draw[A any](g bigen.Gen[A]) MethodOption {
	return func(x *methods) {
		t := reflect.TypeFor[A]()
		x.draws[t] = func(c *C, name string) reflect.Value { return drawValue(c, name, g) }
		x.some[t] = func(c *C, name string) reflect.Value {
			return drawValue(c, name, bigen.SliceOf(g, 0, 2))
		}
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

// Only leaves out all methods but these.
func Only(names ...string) MethodOption {
	return func(x *methods) { x.only = append(x.only, names...) }
}

// methods is one call of [Methods].
type methods struct {
	c       *C
	tested  reflect.Value           // the variable
	draws   map[reflect.Type]drawer // by types of arguments
	some    map[reflect.Type]drawer // the arguments of variadic parameters, as a slice
	undrawn []string                // arguments without a Draw
	only    []string
	without []string
}

type drawer func(c *C, name string) reflect.Value

// declare declares the operation of a method.
func (x *methods) declare(op, method string, model reflect.Value) *Op {
	c, t := x.c, x.tested.Type()
	wanted := model.MethodByName(method)
	of := wanted.Type()
	tested := signature(t, method, true)
	if says := of.NumOut() == 0 && tested.NumOut() > 0; of != tested &&
		!(says && of == signature(t, method, false)) {
		c.misuse("has a method %s of type %v in %v, but %v in %v: they must have the same "+
			"parameters and results", method, of, model.Type(), tested, t)
	}
	for i := range of.NumIn() {
		in := of.In(i)
		if of.IsVariadic() && i == of.NumIn()-1 {
			in = in.Elem()
		}
		if x.draws[in] == nil {
			x.undrawn = append(x.undrawn, fmt.Sprintf("%v of %s", in, op))
		}
	}
	o := c.Op(op, func() {
		args := x.arguments(op, of)
		want := values(call(wanted, args))
		switch said := c.doing == running && c.runner.now().wanted != ""; {
		case said && len(want) == 0:
		case len(want) == tested.NumOut():
			c.Want(want...)
		case c.doing == running:
			c.misuse("does not call Want in the method %s of %v, which has no results to say "+
				"what the call returns", method, model.Type())
		}
		c.Do(func() { c.Got(values(call(x.tested.MethodByName(method), args))...) })
	})
	if can := model.MethodByName("Can" + method); can.IsValid() {
		possible, ok := can.Interface().(func() bool)
		if !ok {
			c.misuse("has a method Can%s of type %v in %v: want func() bool", method, can.Type(),
				model.Type())
		}
		o.When(possible)
	}
	return o
}

// signature returns the type of a method of t, without the receiver, with its results or without.
func signature(t reflect.Type, method string, results bool) reflect.Type {
	m, _ := t.MethodByName(method)
	var in, out []reflect.Type
	for i := range m.Type.NumIn() {
		in = append(in, m.Type.In(i))
	}
	for i := range m.Type.NumOut() {
		out = append(out, m.Type.Out(i))
	}
	if t.Kind() != reflect.Interface {
		in = in[1:]
	}
	if !results {
		out = nil
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
