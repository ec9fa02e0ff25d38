package api

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
	"github.com/espalier-go/espalier/internal/literal"
)

// regression returns the calls as Go statements that fail a test if a call returns something
// else, or leaves something else where an argument refers to.
func (r *report) regression() string {
	for i := range r.m.trace {
		t := &r.m.trace[i]
		r.addressable(t)
		left := r.variables(t)
		code := r.expression(t)
		if t.panics {
			r.line("%s", recovering(code))
			continue
		}
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
			r.line("%s\n%s", list+code, c.statement("", code, "got"))
		default:
			r.line("%s", c.statement(list+gocode.InHeader(code)+"; ", code, "got"))
		}
		if len(left.tests) > 0 {
			r.line("%s", left.statement("", code, strings.Join(left.names, ", ")+" ="))
		}
	}
	return strings.Join(r.lines, "\n")
}

// recovering returns a call that must panic as a statement.
func recovering(call string) string {
	return fmt.Sprintf("func() {\n\tdefer func() {\n\t\tif recover() == nil {\n\t\t\tt.Error(%s)\n"+
		"\t\t}\n\t}()\n\t%s\n}()", strconv.Quote(gocode.Brief(call)+": does not panic"),
		gocode.AsStatement(call))
}

// variables declares variables for arguments of a call that are compared after it.
func (r *report) variables(t *traced) (c comparison) {
	for k, v := range t.left {
		if format, _ := r.m.expectation(v); format == "" {
			continue
		}
		if t.views[k].arg == ofLog {
			c.add(r.m, r.m.log.name+t.views[k].code, v)
			continue
		}
		a := &t.args[t.views[k].arg]
		r.declare(a)
		c.add(r.m, a.text+t.views[k].code, v)
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

// statement returns an if statement that fails a test after a call. before stands before the
// condition, what before the values in the message.
func (c *comparison) statement(before, call, what string) string {
	escape := strings.NewReplacer("%", "%%").Replace
	format := escape(gocode.Brief(call)) + ": " + what + " %v" +
		strings.Repeat(", %v", len(c.tests)-1) +
		", want " + escape(gocode.Flat(strings.Join(c.want, ", ")))
	return fmt.Sprintf("if %s%s {\n\tt.Errorf(%s, %s)\n}", before,
		strings.Join(c.tests, " || "), strconv.Quote(format), strings.Join(c.names, ", "))
}

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
	case present:
		return "%s == nil", "not nil"
	case panicked:
		return "", ""
	case bool:
		if v {
			return "!%s", "true"
		}
		return "%s", "false"
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
	case !operand.Flat(x.Type()):
		return "!reflect.DeepEqual(%s, " + escaped + ")", text
	}
	return "%s != " + escaped, text
}
