package api

import (
	"fmt"
	"go/ast"
	"go/parser"
	"strings"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
)

// A report writes the calls that a machine has traced.
type report struct {
	m     *machine
	names []string // of results that calls use, or failures show; else ""
}

func (m *machine) report() *report {
	r := &report{m, make([]string, len(m.cells))}
	mention := func(slots ...int32) {
		for _, slot := range slots {
			r.names[slot] = "?"
		}
	}
	for i := range m.trace {
		for _, a := range m.trace[i].args {
			if a.arg.kind == argSlot {
				mention(a.arg.slot)
			}
		}
		if v := m.trace[i].violated; v != nil {
			mention(v.slots...)
		}
	}
	taken := map[string]bool{}
	for name, slot := range m.named {
		r.names[slot], taken[string(name)] = string(name), true
	}
	for slot, name := range r.names {
		for n := 1; r.names[slot] == "?"; n++ {
			if name = fmt.Sprint(m.cells[slot].of().kind, n); !taken[name] {
				r.names[slot], taken[name] = name, true
			}
		}
	}
	return r
}

// calls returns the calls as a value of [API.Gen].
func (r *report) calls() callseq.Calls {
	all := make(callseq.Calls, 0, len(r.m.trace))
	for i := range r.m.trace {
		t := &r.m.trace[i]
		call := append(make(callseq.Call, 0, 1+len(t.args)), t.op.name)
		for _, a := range t.args {
			switch a.arg.kind {
			case argSlot, argResult:
				call = append(call, callseq.Name(r.names[a.arg.slot]))
			case argCode:
				call = append(call, Code(a.text))
			case argNil:
				call = append(call, nil)
			default:
				call = append(call, a.arg.lit)
			}
		}
		all = append(all, call)
	}
	return all
}

// maxReported bounds the calls that a report of a failure shows: the last ones.
const maxReported = 200

// failure returns the calls as Go statements, for a failure.
func (r *report) failure() []string {
	var lines []string
	idle := r.idle()
	var named violation
	if n := len(r.m.trace); n > 0 && r.m.trace[n-1].violated != nil {
		named = *r.m.trace[n-1].violated
	}
	for i := range r.m.trace {
		t := &r.m.trace[i]
		if left := len(r.m.trace) - maxReported; i < left {
			if i == left-1 {
				lines = append(lines, fmt.Sprintf("// %d calls", left))
			}
			continue
		}
		if t.wrong != nil {
			lines = append(lines, r.wrongError(t)...)
			continue
		}
		if named.as != "" && named.call == i {
			a := &t.args[named.arg]
			lines = append(lines, named.as+" := "+r.argument(a))
			a.text = named.as
		}
		lines = append(lines, r.statement(t)+r.comment(t))
		if t.violated != nil {
			lines = append(lines, strings.Split(r.violation(t.violated), "\n")...)
		}
	}
	for _, name := range idle {
		lines = append(lines, "_ = "+name)
	}
	return lines
}

// idle returns the names of results that statements declare and none uses.
func (r *report) idle() (names []string) {
	used := make([]bool, len(r.names))
	for i := range r.m.trace {
		t := &r.m.trace[i]
		undeclared := t.failure != "" && !t.returned
		for _, a := range t.args {
			if a.arg.kind == argSlot || a.arg.kind == argResult && undeclared {
				used[a.arg.slot] = true
			}
		}
		if v := t.violated; v != nil && v.code != nil {
			for _, slot := range v.slots {
				used[slot] = true
			}
		}
	}
	for slot, name := range r.names {
		if name != "" && !used[slot] {
			names = append(names, name)
		}
	}
	return names
}

// statement returns the code of a call.
func (r *report) statement(t *traced) string {
	code := r.expression(t)
	var names []string
	named := false
	if t.returned {
		for _, slot := range t.gotSlots {
			names, named = r.name(names, named, slot)
		}
	} else if t.failure == "" {
		for _, a := range t.args {
			if a.arg.kind == argResult {
				names, named = r.name(names, named, a.arg.slot)
			}
		}
	}
	if named {
		return strings.Join(names, ", ") + " := " + code
	}
	return gocode.AsStatement(code)
}

func (r *report) name(names []string, named bool, slot int32) ([]string, bool) {
	if slot < 0 || r.names[slot] == "" {
		return append(names, "_"), named
	}
	return append(names, r.names[slot]), true
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
	name := t.op.name
	receiver, method, _ := strings.Cut(name, ".")
	var args []string
	for i := range t.args {
		switch a := &t.args[i]; {
		case a.arg.kind == argResult:
		case a.name == receiver && method != "":
			text := operand(r.argument(a))
			if a.arg.kind == argNil && a.nil != "" {
				text = a.nil
			}
			name, method = text+"."+method, ""
		default:
			args = append(args, r.argument(a))
		}
	}
	if len(args) == 0 && strings.HasSuffix(name, ")") {
		return name
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// part returns the code of an argument of [C.Code].
func (r *report) part(t *traced, p any) string {
	for i := range t.args {
		if a := &t.args[i]; a.value == p && p != nil {
			if strings.HasPrefix(t.op.name, a.name+".") {
				return operand(r.argument(a))
			}
			return r.argument(a)
		}
	}
	return r.m.literal(p)
}

func (r *report) argument(a *tracedArg) string {
	switch {
	case a.arg.kind == argSlot, a.arg.kind == argResult:
		return r.names[a.arg.slot]
	case a.text != "":
		return a.text
	}
	return r.m.literal(a.lit)
}

// violation returns the code of a contract that is violated.
func (r *report) violation(v *violation) string {
	if v.code == nil {
		return "// then: " + v.message(r.nameOf)
	}
	names := make([]string, len(v.slots))
	for i, slot := range v.slots {
		names[i] = r.names[slot]
	}
	return v.code(names)
}

func (r *report) nameOf(slot int32) string { return r.names[slot] }

// comment returns what a call has returned, or why it has failed.
func (r *report) comment(t *traced) string {
	switch {
	case t.failure != "":
		return " // " + gocode.OneLine(t.failure)
	case len(t.got) == 0:
		return ""
	}
	texts := make([]string, len(t.got))
	for i, v := range t.got {
		switch v := v.(type) {
		case errorText:
			texts[i] = fmt.Sprintf("error %q", gocode.Shorten(string(v)))
		case opaque:
			if texts[i] = "..."; len(t.got) == 1 {
				return ""
			}
		default:
			texts[i] = gocode.Shorten(gocode.OneLine(r.m.literal(v)))
		}
	}
	return " // " + strings.Join(texts, ", ")
}

// operand puts code in parentheses if it needs them before a selector.
func operand(code string) string {
	x, err := parser.ParseExpr(code)
	if err != nil {
		return code
	}
	switch x.(type) {
	case *ast.UnaryExpr, *ast.StarExpr, *ast.BinaryExpr, *ast.BasicLit, *ast.FuncLit:
		return "(" + code + ")"
	}
	return code
}

// wrongError returns the code of a call that fails a test because of the error.
func (r *report) wrongError(t *traced) []string {
	names := make([]string, len(t.got))
	for i := range names {
		names[i] = "_"
	}
	names[len(names)-1] = "err"
	wrong := "err != nil && reflect.ValueOf(err).IsNil()"
	if i := t.wrong.result; i >= 0 {
		names[i], wrong = "got", "got != nil && err != nil"
	}
	return []string{
		fmt.Sprintf("if %s := %s; %s { // %s", strings.Join(names, ", "), r.expression(t), wrong, gocode.OneLine(t.wrong.message)),
		"\tt.Error(err)",
		"}",
	}
}

func isExpression(code string) bool {
	_, err := parser.ParseExpr(code)
	return err == nil
}
