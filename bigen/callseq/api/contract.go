package api

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"golang.org/x/exp/slices"
)

// A contract is something that must hold for values of a type, by the methods that it has.
type contract struct {
	name  string
	place string           // FILE:LINE of [Holds]
	arity int              // how many values it relates: up to 3, which may be the same
	has   func(v any) bool // a value has the methods

	wrong func(x, y, z any) string // what is wrong with such values, or ""

	// code is Go code of x, y and z that fails a test t if the contract does not hold.
	code string
}

// is reports whether a value has the methods of I. A [reflect.Type] and a [reflect.Value] have more
// methods than they bear calls of.
func is[I any](v any) bool {
	switch v.(type) {
	case reflect.Type, reflect.Value, *reflect.Value:
		return false
	}
	_, ok := v.(I)
	return ok
}

// among returns a contract that relates values that have the methods of I: two Go expressions of
// them are equal, whose values a function returns.
func among[I any](
	arity int, name, got, want string, values func(x, y, z any) (got, want any),
) contract {
	code := sameCode(got, want)
	return contract{name: name, arity: arity, code: code, has: is[I], wrong: func(x, y, z any) string {
		a, b := values(x, y, z)
		return differ(got, want, a, b)
	}}
}

// same is [among] for a single value.
func same[I any](name, got, want string, values func(x I) (got, want any)) contract {
	return among[I](1, name, got, want, func(x, _, _ any) (got, want any) { return values(x.(I)) })
}

func sameCode(got, want string) string {
	if want == "nil" {
		return "if err := " + got + "; err != nil {\n\tt.Error(err)\n}"
	}
	format := strings.ReplaceAll(got, "%", "%%") + ": got %#v, want %#v"
	return fmt.Sprintf("if got, want := %s, %s; got != want {\n\tt.Errorf(%q, got, want)\n}",
		got, want, format)
}

// differ says what is wrong if two values are not equal.
func differ(got, want string, a, b any) string {
	if a == b {
		return ""
	}
	if err, ok := a.(error); ok && want == "nil" {
		return err.Error()
	}
	return fmt.Sprintf("%s: got %s, want %s", got, shown(a), shown(b))
}

// violation is a contract that does not hold.
type violation struct {
	class    Class // never Passed
	contract string
	place    string // FILE:LINE of that, if the user declares it by [Holds]
	wrong    string
	slots    []int32                     // of the values
	code     func(names []string) string // nil of one of [Holds], which no code shows
}

// message says what is wrong with which values, by their names.
func (v *violation) message(names []string) string {
	return strings.Join(names, ", ") + ": " + v.wrong
}

// where begins a message with the place of the contract, if the user declares it.
func (v *violation) where() string {
	if v.place == "" {
		return ""
	}
	return v.place + ": "
}

// fault says which contract of which types does not hold, such as Set.Equal is not symmetric.
func (m *machine) fault(v *violation) string {
	types := m.typesOf(v.slots)
	method, _, _ := strings.Cut(v.contract, " ")
	if _, has := reflect.TypeOf(m.cells[v.slots[0]].value()).MethodByName(method); !has {
		return fmt.Sprintf("%s breaks the contract %q", strings.Join(types, ", "), v.contract)
	}
	text := types[0] + "." + strings.Replace(v.contract, " is ", " is not ", 1)
	if !strings.Contains(v.contract, " is ") {
		text += " breaks its contract"
	}
	if len(types) > 1 {
		text += " with " + strings.Join(types[1:], ", ")
	}
	return text
}

// typesOf returns the names of the types of values, without those that they point to again.
func (m *machine) typesOf(slots []int32) (types []string) {
	for _, slot := range slots {
		t := reflect.TypeOf(m.cells[slot].value())
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		name, _, _ := strings.Cut(t.Name(), "[")
		types = append(types, cmp.Or(name, t.String()))
	}
	slices.Sort(types)
	return slices.Compact(types)
}

var placeholder = regexp.MustCompile(`\b[xyz]\b`)

// with returns code of x, y and z for values with other names, or nil if there is none.
func with(code string) func(names []string) string {
	if code == "" {
		return nil
	}
	return func(names []string) string {
		return placeholder.ReplaceAllStringFunc(code, func(s string) string {
			if i := int(s[0] - 'x'); i < len(names) {
				return names[i]
			}
			return s // a package may be called so
		})
	}
}

// due says which contracts are checked.
type due struct {
	value   func(slot int32) bool // contracts of these values
	related bool                  // and contracts that relate any values
	only    string                // only the contract with this name; "" for all
}

var everything = due{value: func(int32) bool { return true }, related: true}

// violation returns a contract that does not hold for the values of the sequence, or nil: an
// [Error] if there is one.
func (m *machine) violation(d due) (found *violation) {
	for _, p := range m.pools {
		if len(p.contracts) == 0 {
			continue
		}
		m.all = m.all[:0]
		for _, x := range m.cells {
			if x.about().pool == p && usable(x) {
				m.all = append(m.all, x)
			}
		}
		for i := 0; i < len(p.contracts) && len(m.all) > 0; i++ {
			c := &p.contracts[i]
			if d.only != "" && d.only != c.name {
				continue
			}
			if found = m.check(c, d, found); found != nil && found.class == Error {
				return found
			}
		}
	}
	return found
}

// maxRelated bounds the values that a contract relates to each other: the last ones.
const maxRelated = 5

// check returns the worse of a violation that has been found, and one of a contract by values of
// which at least one is due.
func (m *machine) check(c *contract, d due, found *violation) *violation {
	values := m.some[:0]
	for _, v := range m.all {
		if c.has(v.value()) {
			values = append(values, v)
		}
	}
	m.some = values
	n, tuples := len(values), 1
	if c.arity > 1 {
		n = min(n, maxRelated)
	}
	values = values[len(values)-n:]
	for range c.arity {
		tuples *= n
	}
	for i := range tuples { // the digits of i to the base n
		var x [3]any
		var of [3]int32
		due := d.related && c.arity > 1
		for k, i := c.arity-1, i; k >= 0; k, i = k-1, i/n {
			x[k], of[k] = values[i%n].value(), values[i%n].about().slot
			due = due || d.value(of[k])
		}
		if !due {
			continue
		}
		wrong := guarded(func() string { return c.wrong(x[0], x[1], x[2]) })
		excused := m.tainted || unhashable.MatchString(wrong)
		if wrong == "" || excused && strings.HasPrefix(wrong, "panic: ") {
			continue
		}
		v := m.breach(c.name, wrong, with(c.code), of[:c.arity]...)
		if v == nil || found != nil && v.class <= found.class {
			continue
		}
		if v.place, found = c.place, v; v.class == Error {
			break
		}
	}
	return found
}

// breach returns what it means that a contract of values does not hold, or nil if it passes. Values
// with a NaN do: they are not equal to themselves, as Go defines.
func (m *machine) breach(
	contract, wrong string, code func(names []string) string, slots ...int32,
) *violation {
	o := Outcome{Op: m.op.name, Contract: contract, Nil: m.tainted, Warned: m.op.warned}
	v := &violation{class: m.classify(o), contract: contract, wrong: wrong, code: code}
	hasNaN := func(slot int32) bool {
		return strings.Contains(m.literal(m.cells[slot].value()), "NaN()")
	}
	if v.class == Passed || slices.ContainsFunc(slots, hasNaN) {
		return nil
	}
	v.slots = slices.Clone(slots)
	return v
}

// guarded returns the result of f, or says that it panics.
func guarded(f func() string) (s string) {
	defer func() {
		if p := recover(); p != nil {
			s = fmt.Sprintf("panic: %v", p)
		}
	}()
	return f()
}
