package apigen

import (
	"fmt"
	"go/types"
	"regexp"
	"strings"
)

// The lines of the text of a law. F(x, y) is a call, whose details follow by themselves:
//
//	v := F(x)           values for which the call fails are discarded
//	v := F(x) or fail   the test fails with the call
//	let v = F(x)        stands for the call, unless that can fail
//	try F(x)            sets err alone; with v := before the call, also v
//	when C              discards values for which a condition does not hold
//	same v, w           fails if the values differ
//	empty v             fails if v is not zero beside an error
//	fail C: message     fails if the condition holds
var (
	binding = regexp.MustCompile(`^(let |try )?(?:(\w+) :?= )?([FGH])\(([^()]*)\)( or fail)?$`)
	word    = regexp.MustCompile(`\b[a-zA-Z]+\b`)
)

// A prose is the text of a law while it is written for a match.
type prose struct {
	*scene
	*match
	known map[string]known
	lines []string
	more  map[*callable][]string // details
	bad   bool                   // there is no value of some parameter
}

// A known is what a variable of a law is in Go.
type known struct {
	expr string
	typ  types.Type
}

// text writes the text of the law of a match. It returns "" if there are no values for it.
func (s *scene) text(m *match) string {
	w := &prose{scene: s, match: m, known: map[string]known{}, more: map[*callable][]string{}}
	several := 0
	used := map[string]bool{}
	for _, name := range word.FindAllString(m.law.text, -1) {
		used[name] = true
	}
	for _, slot := range m.slots {
		for _, param := range slot.params {
			if !used[param[0]] {
				continue
			}
			if _, ok := w.known[param[0]]; !ok {
				w.known[param[0]] = known{}
				several++
			}
		}
	}
	for _, slot := range m.slots {
		for _, param := range slot.params {
			w.generate(param[0], param[1], several > 1)
		}
	}
	for _, line := range strings.Split(m.law.text, "\n") {
		if w.bad {
			return ""
		}
		w.line(line)
	}
	return strings.Join(w.lines, "\n") + "\n"
}

// generate has the scene make the value of a variable.
func (w *prose) generate(name, letter string, renamed bool) {
	if k, used := w.known[name]; !used || k.expr != "" || w.bad {
		return
	}
	v, c := w.vars[name], w.of[name]
	if v == nil { // only the law has it
		for _, x := range w.slots[0].params {
			if x[1] == letter {
				v, c = w.vars[x[0]], w.of[x[0]]
			}
		}
	}
	like := v
	if renamed {
		like = types.NewParam(v.Pos(), v.Pkg(), name, v.Type())
	}
	expr := w.valueOf(c, like, false)
	w.bad = expr == ""
	w.known[name] = known{expr, v.Type()}
}

// line writes a line.
func (w *prose) line(line string) {
	verb, rest, _ := strings.Cut(line, " ")
	switch m := binding.FindStringSubmatch(line); {
	case m != nil:
		w.bind(m[1], m[2], w.callOf(m[3]), strings.Split(m[4], ", "), m[5] != "")
	case verb == "when":
		w.add("t.Assume(" + w.fill(rest) + ")")
	case verb == "same":
		got, want, _ := strings.Cut(rest, ", ")
		g, k := w.known[got], w.known[want]
		if !types.Identical(g.typ, k.typ) && !sameValue(g.typ, k.typ) {
			k.expr = w.p.as(k.expr, k.typ, g.typ)
			k.typ = g.typ
		}
		equal := w.p.equal(g.expr, isPointer(g.typ), k.expr, isPointer(k.typ), g.typ)
		w.add(strings.TrimSuffix(equal, "\n"))
	case verb == "empty":
		w.empty(w.known[rest])
	case verb == "fail":
		condition, message, _ := strings.Cut(rest, ": ")
		w.fail(condition, message)
	}
}

func (w *prose) add(line string) { w.lines = append(w.lines, line) }

// callOf returns the call that a letter stands for.
func (w *prose) callOf(letter string) *callable { return w.match.calls[letter[0]-'F'] }

// bind writes a call whose result a variable gets.
func (w *prose) bind(how, name string, c *callable, vars []string, must bool) {
	call, ok := w.call(c, vars)
	if !ok {
		w.bad = true
		return
	}
	result := types.Type(types.Typ[types.Invalid])
	if len(c.results) > 0 {
		result = c.results[0]
	}
	if how == "let " && c.fails == "" {
		w.known[name] = known{call, result}
		return
	}
	local := "_"
	if name != "" {
		if local = name; name != "data" { // which is reserved for that
			local = w.names.local(name)
		}
		w.known[name] = known{local, result}
	}
	list := strings.TrimSuffix(local+strings.Repeat(", _", max(len(c.results)-1, 0)), ", ")
	if len(c.results) == 0 {
		list = ""
	}
	if c.fails != "" {
		list = strings.TrimPrefix(list+", "+c.fails, ", ")
	}
	assign := " := "
	if strings.Trim(list, "_, ") == "" {
		assign = " = "
	}
	w.add(list + assign + call)
	switch {
	case how == "try " || c.fails == "":
	case must:
		w.add(c.fatal(w.known[vars[0]].expr))
	default:
		w.add(c.assume())
	}
}

// call writes a call with details.
func (w *prose) call(c *callable, vars []string) (text string, ok bool) {
	var args []string
	for i, name := range vars {
		k, simple := w.known[name]
		param := c.params[i].Type()
		switch {
		case !simple: // an expression
			args = append(args, w.fill(name))
		case sameValue(k.typ, param) && namedOf(param) != nil:
			args = append(args, pointed(k.expr, isPointer(k.typ), isPointer(param)))
		default:
			args = append(args, w.p.as(k.expr, k.typ, param))
		}
	}
	details, ok := w.more[c]
	if !ok {
		for _, v := range c.params[len(vars):] {
			arg := w.detail(c, v)
			if arg == "" {
				return "", false
			}
			details = append(details, arg)
		}
		w.more[c] = details
	}
	return c.text(append(args, details...)...), true
}

// detail returns the value of a parameter that a law does not mention: the same for parameters of
// one name and type.
func (w *prose) detail(c *callable, v *types.Var) string {
	key := "detail " + v.Name() + " " + types.TypeString(v.Type(), nil)
	if k, ok := w.known[key]; ok {
		return k.expr
	}
	expr := w.valueOf(c, v, true)
	w.known[key] = known{expr, v.Type()}
	return expr
}

// fill puts what variables are into an expression.
func (w *prose) fill(expr string) string {
	return word.ReplaceAllStringFunc(expr, func(name string) string {
		if k, ok := w.known[name]; ok {
			return k.expr
		}
		return name
	})
}

// fail writes that a condition must not hold. A message names calls by their letters.
func (w *prose) fail(condition, message string) {
	for i, c := range w.match.calls {
		message = regexp.MustCompile(`\b`+w.slots[i].name+`\b`).ReplaceAllString(message, c.base)
	}
	w.add("if " + tidy(w.fill(condition)) + " {\nt.Error(\"" + message + "\")\n}")
}

// tidy removes conversions that a reader stumbles over.
func tidy(condition string) string { return strings.ReplaceAll(condition, "!!", "") }

// empty writes that a result is zero beside an error.
func (w *prose) empty(k known) {
	zero := zeroOf(k.typ)
	switch k.typ.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Interface:
		zero = "nil"
	}
	condition := ""
	switch zero {
	case "":
		w.add(fmt.Sprintf("var zero %s\nfuzzext.Equal(t, %s, zero)",
			w.p.e.typeName(k.typ), k.expr))
		return
	case "false":
		condition = k.expr
	default:
		condition = k.expr + " != " + zero
	}
	w.add("if " + condition + " {\nt.Errorf(\"got %v beside an error\", " + k.expr + ")\n}")
}
