package api

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/internal/copies"
	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/bigen/callseq/internal/names"
	"github.com/espalier-go/espalier/internal/literal"
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
		name := names.Of[callseq.Name](kind, n)
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
		v := t.violated
		if t.nilError {
			err := strings.Repeat("_, ", len(t.got)-1) + "err := " + gocode.InHeader(r.expression(t))
			r.line("if %s; err != nil && reflect.ValueOf(err).IsNil() { // %s\n\tt.Error(err)\n}", err, gocode.OneLine(t.failure))
			continue
		}
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

// regression returns the calls as Go statements that fail a test if a call returns something
// else, or leaves something else where an argument refers to.
func (r *report) regression() string {
	for i := range r.m.trace {
		t := &r.m.trace[i]
		left := r.variables(t)
		code := r.expression(t)
		names, named := r.results(t)
		var c comparison
		for k, v := range t.got {
			if format, _ := r.m.expectation(v); format != "" && names[k] == "_" {
				r.got++
				names[k] = fmt.Sprint("got", r.got)
			}
			c.add(r.m, names[k], v)
		}
		switch list := strings.Join(names, ", ") + " := "; {
		case len(c.tests) == 0:
			r.line("%s", r.statement(t))
		case named:
			r.line("%s\n%s", list+code, c.statement("", code))
		default:
			r.line("%s", c.statement(list+gocode.InHeader(code)+"; ", code))
		}
		if len(left.tests) > 0 {
			r.line("%s", left.statement("", strings.Join(left.names, ", ")+" after "+gocode.Brief(code)))
		}
	}
	return strings.Join(r.lines, "\n")
}

// variables declares variables for arguments of a call that are compared after it.
func (r *report) variables(t *traced) (c comparison) {
	for i, v := range t.left {
		a := &t.args[i]
		if format, _ := r.m.expectation(v); format == "" {
			continue
		}
		name := r.unused(a.value.(cell).about().pool.names.Kind, -1)
		r.line("%s := %s", name, r.argument(a))
		a.text = string(name)
		c.add(r.m, a.text, v)
	}
	return c
}

// A comparison compares variables with what is wanted.
type comparison struct{ tests, names, want []string }

// add compares one more variable, if v can be compared.
func (c *comparison) add(m *machine, name string, v any) {
	if format, want := m.expectation(v); format != "" {
		c.tests = append(c.tests, gocode.InHeader(fmt.Sprintf(format, name)))
		c.names, c.want = append(c.names, name), append(c.want, want)
	}
}

// statement returns an if statement that fails a test. before stands before the condition; of says what is compared.
func (c *comparison) statement(before, of string) string {
	escape := strings.NewReplacer("%", "%%").Replace
	format := escape(gocode.Brief(of)) + ": got %v" + strings.Repeat(", %v", len(c.tests)-1) + ", want " + escape(gocode.Flat(strings.Join(c.want, ", ")))
	return fmt.Sprintf("if %s%s {\n\tt.Errorf(%s, %s)\n}", before, strings.Join(c.tests, " || "), strconv.Quote(format), strings.Join(c.names, ", "))
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
		case opaque, length:
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

// maxExpected bounds the texts of results that regression tests compare.
const maxExpected = 500

// expectation returns a condition that holds for a variable if it is not v, to be formatted with
// its name, and what is wanted; or "" if there is none.
func (m *machine) expectation(v any) (format, want string) {
	switch v := v.(type) {
	case opaque:
		return "", ""
	case length:
		return fmt.Sprintf("len(%%s) != %d", v), fmt.Sprintf("a length of %d", v)
	case errorText:
		return "%s == nil", "an error"
	case nil:
		return "%s != nil", "nil"
	}
	x := reflect.ValueOf(v)
	data, isData := v.(dataText)
	text, all := string(data), true
	if !isData {
		text, all = literal.Within(maxExpected, v, m.pkg)
	}
	escaped := strings.ReplaceAll(text, "%", "%%")
	switch {
	case text == "nil":
		return "%s != nil", text
	case isData:
		return "!reflect.DeepEqual(%s, " + escaped + ")", text
	case !all || x.CanComplex():
		return "", ""
	case !copies.Flat(x.Type()):
		return "!reflect.DeepEqual(%s, " + escaped + ")", text
	}
	return "%s != " + escaped, text
}
