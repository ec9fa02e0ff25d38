package callseq

import (
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"reflect"
	"strings"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/internal/literal"
	"golang.org/x/exp/slices"
)

// Code sets the Go code of the call that is being described, in place of name(arguments), for
// the report of a failure. The arguments are written as Go expressions, and instances of a
// [Pool] by their names, before they are formatted as by [fmt.Sprintf]. An instance without a
// name is called after the call that makes it: it_5 is of the fifth. If the code is an
// expression, and the results are not what [C.Want] says, the report has an if statement that
// compares them. Other code stands there as it is, with the results in a comment. In the
// function given to [New], Code sets what comes before the calls, which otherwise is a comment
// with the values drawn:
//
//	c.Code("cache := NewCache(%v)", size)
func (c *C) Code(format string, args ...any) {
	if c.phase == checking {
		c.misuse("calls Code in Invariant or End")
	}
	if c.doing == running {
		now := c.runner.now()
		now.code, now.parts = format, args
	}
}

// report writes the calls so far as Go statements to the output of the test.
func (r *runner) report() {
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString(strings.TrimSuffix(fmt.Sprintf(format, args...), "\n") + "\n")
	}
	then, shown := r.failure()
	used := r.used()
	var idle []Name
	for i := range r.trace {
		t := &r.trace[i]
		switch left := len(r.trace) - gocode.MaxReported; {
		case i > 0 && i == left-1:
			line("// %d calls", left-1)
			fallthrough
		case i > 0 && i < left:
			continue
		}
		idle = append(idle, r.idle(t, used, shown)...)
		if i == 0 {
			if code := r.setupCode(t); code != "" {
				line("%s", code)
			}
			continue
		}
		if check := r.assertion(t); check != "" {
			line("%s", check)
			continue
		}
		line("%s%s", r.statement(t, used, shown), r.comment(t))
	}
	for _, name := range idle {
		line("_ = %s", name)
	}
	if then == "" && r.checking {
		then = "a function given to Invariant or End fails"
	}
	switch {
	case then == "":
	case len(r.trace) == 1:
		line("// without any call: %s", then)
	default:
		line("// then: %s", then)
	}
	_, _ = io.WriteString(r.c.TB.Output(), gocode.Report(b.String()))
}

// setupCode returns what comes before the calls.
func (r *runner) setupCode(t *traced) string {
	if t.code != "" {
		return r.format(t)
	}
	var lines []string
	for i, name := range t.args {
		lines = append(lines, fmt.Sprintf("// %s = %s", name, gocode.Flat(r.argument(t, i+1))))
	}
	return strings.Join(lines, "\n")
}

// statement returns the code of a call. An instance that it makes has a name if a call uses it,
// or the failure shows it.
func (r *runner) statement(t *traced, used, shown map[Name]bool) string {
	var names []string
	anyUsed := false
	for _, i := range t.binds {
		name, _ := t.call[i].(Name)
		names = append(names, string(name))
		if used[name] || shown[name] {
			anyUsed = true
		} else {
			names[len(names)-1] = "_"
		}
	}
	switch {
	case t.panics:
		return "func() {\n\tdefer func() {\n\t\tif recover() == nil {\n" +
			"\t\t\tt.Error(\"no panic\")\n\t\t}\n\t}()\n\t" + gocode.AsStatement(r.expression(t)) + "\n}()"
	case t.code != "":
		return gocode.AsStatement(r.format(t))
	case !anyUsed:
		return r.expression(t)
	}
	return strings.Join(names, ", ") + " := " + r.expression(t)
}

// idle returns the instances that a call declares as variables, but that no call uses.
func (r *runner) idle(t *traced, used, shown map[Name]bool) (names []Name) {
	for _, name := range t.made {
		declared := shown[name] && t.call.op() != setup
		if t.code != "" {
			code := r.format(t)
			mentions := slices.DeleteFunc(words(code), func(w string) bool { return w != string(name) })
			declared = len(mentions) == 1 && strings.Contains(code, ":=")
		}
		if declared && !used[name] {
			names = append(names, name)
		}
	}
	return names
}

// expression returns the code of a call without what it is assigned to.
func (r *runner) expression(t *traced) string {
	if t.code != "" {
		return r.format(t)
	}
	var args []gocode.Arg
	for i, name := range t.args {
		if !slices.Contains(t.binds, i+1) {
			args = append(args, gocode.Arg{Name: name, Code: r.argument(t, i+1)})
		}
	}
	return gocode.Call(t.call.op(), args)
}

// assertion returns code that fails as the call does, or "" if that cannot be written.
func (r *runner) assertion(t *traced) string {
	if !t.differ || t.panics || len(t.binds) > 0 || len(t.got) == 0 {
		return ""
	}
	var names []string
	for i := range t.got {
		names = append(names, "got")
		if len(t.got) > 1 {
			names[i] += fmt.Sprint(i + 1)
		}
	}
	tests := r.tests(t, names)
	if len(tests) == 0 || len(tests) > maxTests {
		return ""
	}
	list := strings.Join(names, ", ")
	check := fmt.Sprintf("if %s := %s; %s {%s\n\tt.Error(%s)\n}", list, r.expression(t),
		strings.Join(tests, " && "), r.comment(t), list)
	file := "package p\nfunc _() {\n" + check + "\n}"
	if _, err := parser.ParseFile(token.NewFileSet(), "", file, 0); err != nil {
		return ""
	}
	return check
}

// tests returns, for each result that the model allows, an expression that is true if the results
// with these names differ from it. It returns nil if one cannot be written.
func (r *runner) tests(t *traced, names []string) (tests []string) {
	for _, want := range t.want {
		var differ []string
		for i, w := range want {
			test := r.test(names[i], t.got[i], w)
			if test == "" {
				return nil
			}
			differ = append(differ, test)
		}
		test := strings.Join(differ, " || ")
		if len(differ) > 1 && len(t.want) > 1 {
			test = "(" + test + ")"
		}
		if !slices.Contains(tests, test) {
			tests = append(tests, test)
		}
	}
	return tests
}

// maxTests is how many results that the model allows an if statement compares.
const maxTests = 5

// test returns a condition that holds of a result, under a name, but not of one that is wanted; or
// "".
func (r *runner) test(name string, got, want any) string {
	if err, isError := want.(error); isError {
		switch g, _ := got.(error); {
		case g == nil || sameResult(g, err):
			return name + " == nil"
		case strings.Contains(g.Error(), err.Error()):
			return ""
		}
		return fmt.Sprintf("%[1]s == nil || !strings.Contains(%[1]s.Error(), %[2]q)", name, err.Error())
	}
	text, all := literal.Within(gocode.MaxResult, want, r.c.model.pkg)
	switch k := reflect.ValueOf(want).Kind(); {
	case !all:
		return ""
	case text == "true":
		return "!" + name
	case text == "false":
		return name
	case k == reflect.Float64 && !reflect.DeepEqual(want, want):
		return "!math.IsNaN(" + name + ")"
	case !reflect.DeepEqual(want, want): // it has NaN, or a function
		return ""
	case k == reflect.Invalid || k <= reflect.Complex128 || k == reflect.String:
		return name + " != " + text
	}
	return "!reflect.DeepEqual(" + name + ", " + gocode.Flat(text) + ")"
}

// comment returns what a call has returned.
func (r *runner) comment(t *traced) string {
	switch {
	case t.differ:
		return " // " + r.gotten(t) + "; " + r.wanted(t)
	case t.returned && len(t.got) > 0:
		return " // " + r.results(t.got, nil)
	}
	return ""
}

// used returns the instances that calls have as arguments.
func (r *runner) used() map[Name]bool {
	used := map[Name]bool{}
	for i := range r.trace {
		for k, arg := range r.trace[i].call {
			if name, ok := arg.(Name); ok && !slices.Contains(r.trace[i].binds, k) {
				used[name] = true
			}
		}
	}
	return used
}

func (r *runner) format(t *traced) string {
	parts := make([]any, len(t.parts))
	for i, p := range t.parts {
		k := slices.IndexFunc(r.instances, func(n named) bool {
			return reflect.TypeOf(p) == reflect.TypeOf(n.instance) && p == n.instance
		})
		if k >= 0 {
			p = r.instances[k].name
		}
		parts[i] = r.literal(p)
	}
	return fmt.Sprintf(t.code, parts...)
}

// argument returns the code of the i-th argument of a call, from 1.
func (r *runner) argument(t *traced, i int) string {
	if text, ok := t.texts[i]; ok {
		return text
	}
	if i >= len(t.call) {
		return "?"
	}
	return r.literal(t.call[i])
}

func (r *runner) literal(v any) string {
	if name, ok := v.(Name); ok {
		return string(name)
	}
	return literal.OfValue(reflect.ValueOf(v), r.c.model.pkg)
}
