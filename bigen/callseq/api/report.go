package api

import (
	"fmt"
	"reflect"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
)

// A report writes the calls that a machine has traced as Go statements.
type report struct {
	m     *machine
	lines []string
	steps []string // the calls alone
	idle  []int32  // results that only a comment names
	got   int      // variables for other results
}

func (m *machine) report() *report {
	r := &report{m: m}
	if slices.ContainsFunc(m.trace, func(t traced) bool {
		return slices.ContainsFunc(t.args, func(a tracedArg) bool { return m.log.uses(a.text) })
	}) {
		r.line("%s := %s", m.log.name, m.log.code)
	}
	for i := range m.trace {
		if v := m.trace[i].violated; v != nil {
			for _, slot := range v.slots {
				r.show(m.cells[slot].about())
			}
		}
	}
	return r
}

// show has a result named which a failure shows.
func (r *report) show(x *info) {
	if !x.used {
		r.idle = append(r.idle, x.slot)
	}
	if x.used = true; x.name == "" {
		x.name = r.unused(x.pool.names.Kind, x.slot)
	}
}

// unused returns a name that no result has, and gives it to one.
func (r *report) unused(kind string, slot int32) callseq.Name {
	for n := 1; ; n++ {
		name := operand.NameOf[callseq.Name](kind, n)
		if _, taken := r.m.named[name]; !taken {
			r.m.named[name] = slot
			return name
		}
	}
}

// name returns the name of a result, or "" if nothing uses it.
func (r *report) name(slot int32) string {
	if x := r.m.cells[slot].about(); x.used {
		return string(x.name)
	}
	return ""
}

// line adds a line, or several.
func (r *report) line(format string, args ...any) {
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

// failure returns the calls as Go statements, for a failure.
func (r *report) failure() string {
	left := max(0, len(r.m.trace)-gocode.MaxReported)
	if left > 0 {
		r.line("// %d calls", left)
	}
	for i := left; i < len(r.m.trace); i++ {
		t := &r.m.trace[i]
		r.addressable(t)
		v := t.violated
		r.steps = append(r.steps, r.statement(t))
		r.line("%s%s", r.steps[len(r.steps)-1], r.comment(t))
		if v == nil {
			continue
		}
		names := r.namesOf(v.slots)
		if v.code != nil {
			r.line("%s", v.code(names))
			continue
		}
		r.line("// then: %s: %s", r.m.fault(v), v.message(names))
		for _, name := range r.namesOf(r.idle) {
			r.line("_ = %s", name)
		}
	}
	return strings.Join(r.lines, "\n")
}

// addressable declares a variable for a receiver that is a literal, if the method has a pointer to it.
func (r *report) addressable(t *traced) {
	for i := range t.args {
		a := &t.args[i]
		typ := a.value.(cell).about().pool.typ
		if _, byValue := typ.MethodByName(t.op.method); a.slot >= 0 || byValue || !t.op.receives(a.name) {
			continue
		}
		if _, has := reflect.PointerTo(typ).MethodByName(t.op.method); has {
			r.declare(a)
		}
	}
}

// declare declares a variable for an argument, unless it has one.
func (r *report) declare(a *tracedArg) {
	if a.declared {
		return
	}
	a.declared = true
	name := r.unused(a.value.(cell).about().pool.names.Kind, -1)
	r.line("%s := %s", name, r.argument(a))
	a.text = string(name)
}

// statement returns the code of a call.
func (r *report) statement(t *traced) string {
	if names, named := r.results(t); named {
		return strings.Join(names, ", ") + " := " + r.expression(t)
	}
	return gocode.AsStatement(r.expression(t))
}

// results returns what the results of a call are assigned to, and whether one has a name.
func (r *report) results(t *traced) (names []string, named bool) {
	slots := t.gotSlots
	if !t.returned && t.failure == "" {
		slots = t.makes
	}
	for _, slot := range slots {
		name := "_"
		if slot >= 0 && r.name(slot) != "" {
			name, named = r.name(slot), true
		}
		names = append(names, name)
	}
	return names, named
}

// expression returns the code of a call without what it is assigned to.
func (r *report) expression(t *traced) string {
	if t.code != "" {
		parts := make([]any, len(t.parts))
		for i, p := range t.parts {
			parts[i] = r.part(t, p)
		}
		return fmt.Sprintf(t.code, parts...)
	}
	name, _, _ := strings.Cut(t.op.name, " with ")
	args := make([]gocode.Arg, len(t.args))
	for i := range t.args {
		a := &t.args[i]
		args[i] = gocode.Arg{Name: a.name, Code: r.argument(a), Nil: a.nil}
	}
	return gocode.Call(name, args)
}

// part returns the code of an argument of [C.Code].
func (r *report) part(t *traced, p any) string {
	for i := range t.args {
		if a := &t.args[i]; a.value == p && p != nil {
			if strings.HasPrefix(t.op.name, a.name+".") {
				return gocode.Operand(r.argument(a))
			}
			return r.argument(a)
		}
	}
	return r.m.literal(p)
}

func (r *report) argument(a *tracedArg) string {
	switch {
	case a.slot >= 0:
		return r.name(a.slot)
	case a.text != "":
		return a.text
	}
	return r.m.literal(a.lit)
}

func (r *report) namesOf(slots []int32) (names []string) {
	for _, slot := range slots {
		names = append(names, r.name(slot))
	}
	return names
}

// comment returns what a call has returned, or why it has failed.
func (r *report) comment(t *traced) string {
	if t.failure != "" {
		return " // " + gocode.OneLine(t.failure)
	}
	if text := r.list(t.got); text != "" && text != "..." {
		return " // " + text
	}
	return ""
}

// list returns results as a comment has them.
func (r *report) list(got []any) string {
	texts := make([]string, len(got))
	for i, v := range got {
		switch v := v.(type) {
		case errorText:
			texts[i] = fmt.Sprintf("error %q", gocode.Shorten(string(v)))
		case opaque, length, present:
			texts[i] = "..."
		case dataText:
			texts[i] = gocode.Shorten(gocode.Flat(string(v)))
			if strings.HasPrefix(texts[i], "&") || strings.HasPrefix(texts[i], "new(") {
				texts[i] = "..."
			}
		default:
			texts[i] = gocode.Shorten(gocode.Flat(r.m.literal(v)))
		}
	}
	return strings.Join(texts, ", ")
}
