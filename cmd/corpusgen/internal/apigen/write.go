package apigen

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// body writes the statements that declare the operations.
func (e *enum) body() string {
	var b strings.Builder
	used := slices.DeleteFunc(slices.Clone(e.kinds), func(k *kind) bool { return !k.used })
	gens := ""
	for _, k := range used {
		e.nameOf(k)
		gens += k.gen + "\n"
	}
	b.WriteString(e.known(gens))
	var kinds strings.Builder
	for _, k := range used {
		e.writeKind(&kinds, k)
	}
	if e.usesLog(kinds.String()) {
		fmt.Fprintf(&b, "%s := new(%s)\nc.Log(%[1]q, \"new(%[2]s)\", %[1]s)\n", e.logVar, e.logName)
	}
	b.WriteString(kinds.String())
	for _, k := range used {
		for _, from := range k.from {
			fmt.Fprintf(&b, "api.Assign(%s, %s, func(v %s) %s { return v })\n",
				k.pool, from.pool, e.typeName(from.typ), e.typeName(k.typ))
		}
	}
	for _, o := range e.ops {
		b.WriteString("\n")
		e.writeOp(&b, o)
	}
	return b.String()
}

// writeKind declares the pool of a kind.
func (e *enum) writeKind(b *strings.Builder, k *kind) {
	t := e.typeName(k.typ)
	fmt.Fprintf(b, "%s := api.Type[%s](c, %q", k.pool, t, k.name)
	if k.gen != "" {
		fmt.Fprintf(b, ", api.Literals(%s)", k.gen)
	}
	if e.concurrent(k.typ) {
		b.WriteString(", api.Concurrent")
	}
	for _, code := range k.exprs {
		isFunc := strings.HasPrefix(code, "func(")
		switch {
		case strings.HasSuffix(code, "{}"), strings.HasSuffix(code, ")"),
			strings.HasSuffix(code, "}") && !isFunc:
			fmt.Fprintf(b, ",\napi.Make(%q, func() %s { return %s })", code, t, code)
		default:
			fmt.Fprintf(b, ",\napi.Expr[%s](%q, %s)", t, code, code)
		}
	}
	if k.stub != nil {
		fmt.Fprintf(b, ",\napi.Stub[%s](%q, %s)", t, k.stub.value(), k.stub.value())
	}
	b.WriteString(")\n")
}

// writeOp writes an operation:
//
//	c.Op("tree.Get", func() {
//		tree, key := trees.Arg("tree"), keys.Arg("key")
//		c.Do(func() { c.Got(tree.V.Get(key.V)) })
//	}).When(trees.Any)
func (e *enum) writeOp(b *strings.Builder, o *op) {
	w := &opWriter{e: e, op: o}
	w.draw()
	fmt.Fprintf(b, "c.Op(%q, func() {\n", o.name)
	if len(w.names) > 0 {
		fmt.Fprintf(b, "%s := %s\n", strings.Join(w.names, ", "), strings.Join(w.draws, ", "))
	}
	isNew := o.do == fresh && strings.HasSuffix(o.callee, ")")
	if strings.HasPrefix(o.name, "*") || o.do != call && o.do != set && !isNew {
		code := append([]string{strconv.Quote(o.callee)}, w.names[:len(o.takes())]...)
		fmt.Fprintf(b, "c.Code(%s)\n", strings.Join(code, ", "))
	}
	do := w.do()
	if strings.Contains(do, "\n") {
		do = "\n" + do + "\n"
	}
	b.WriteString("c.Do(func() {" + do + "})\n})")
	e.writeWhen(b, o)
	for _, mark := range []struct {
		name string
		set  bool
	}{
		{"Unready", e.unready(o)},
		// A slice may be empty.
		{"MayPanic", o.do == element && len(o.params) == 0 || o.do == call && e.mayPanic(o)},
		{"Writes", e.writesFiles(o)},
		{"Alone", e.alone(o)},
	} {
		if mark.set {
			b.WriteString("." + mark.name + "()")
		}
	}
	b.WriteString("\n")
}

// An opWriter writes an operation: names of variables, what they are drawn from, and the call.
type opWriter struct {
	e      *enum
	op     *op
	locals namer
	names  []string // of the receiver, the arguments, and the results with a pool
	draws  []string // the expressions that set them
	recv   string   // "" for none
	args   []string // the code of the values of the arguments
	into   []string // the variable of each result; "" for none
}

// draw names the variables.
func (w *opWriter) draw() {
	o := w.op
	if o.recv == nil { // the body may name packages
		for _, name := range w.e.imports.names {
			w.locals.local(name)
		}
	}
	for _, k := range slices.Concat(o.takes(), o.resultKinds()) {
		w.locals.local(k.pool)
	}
	add := func(name, draw string) string {
		w.names, w.draws = append(w.names, name), append(w.draws, draw)
		return name
	}
	if o.recv != nil {
		draw := fmt.Sprintf("%s.Arg(%q)", o.recv.pool, o.recv.name)
		w.recv = add(w.locals.local(o.recv.name), draw)
	}
	for _, p := range o.params {
		name := w.locals.local(p.name)
		w.args = append(w.args, add(name, fmt.Sprintf("%s.Arg(%q)", p.kind.pool, name))+".V")
	}
	w.into = make([]string, len(o.results))
	for i, r := range o.results {
		if r.kind == nil {
			continue
		}
		name := r.kind.name
		if w.locals.taken[name] {
			name = "result"
		}
		w.into[i] = add(w.locals.local(name), r.kind.pool+".Result()")
	}
}

// unready reports whether an operation makes a value that may not be usable.
func (e *enum) unready(o *op) bool {
	switch o.do {
	case fresh:
		t := o.results[0].typ
		named := namedOf(t)
		isOption := strings.HasSuffix(o.name, "{}") && named.NumMethods() == 0
		return !e.pointsToSimple(t) && !isBuffer(t) && !isOption && !e.ready(named)
	case call:
		return o.recv != nil && saysReleased.MatchString(e.pkg.comment(o.at))
	case compose:
		return e.isObject(namedOf(o.results[0].typ))
	case set:
		return !strings.HasPrefix(o.name, "*") && e.isPart(namedOf(o.recv.typ))
	}
	return false
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (o *op) resultKinds() (all []*kind) {
	for _, r := range o.results {
		if r.kind != nil {
			all = append(all, r.kind)
		}
	}
	return all
}

// do writes the statements that call the package.
func (w *opWriter) do() string {
	o, into := w.op, w.into
	expr, args := o.callee, w.args
	switch {
	case o.do == call && w.recv != "":
		expr = w.recv + ".V." + expr + "(" + strings.Join(args, ", ") + ")"
	case o.do == call:
		expr += "(" + strings.Join(args, ", ") + ")"
	case w.recv != "":
		args = append([]string{w.recv + ".V"}, args...)
	}
	for _, arg := range args {
		expr = strings.Replace(expr, "%v", arg, 1)
	}
	expr = strings.ReplaceAll(expr, "%%", "%")
	switch {
	case len(into) == 0:
		return expr
	case len(o.resultKinds()) == 0:
		return fmt.Sprintf("c.Got(%s)", expr)
	case len(into) == 1:
		return fmt.Sprintf("%s.V = %s\nc.Got(%s)", into[0], expr, into[0])
	}
	values, got, set := make([]string, len(into)), make([]string, len(into)), ""
	for i, r := range o.results {
		values[i] = w.locals.local(resultName(r))
		got[i] = values[i]
		if into[i] != "" {
			set += fmt.Sprintf("%s.V = %s\n", into[i], values[i])
			got[i] = into[i]
		}
	}
	return fmt.Sprintf("%s := %s\n%sc.Got(%s)",
		strings.Join(values, ", "), expr, set, strings.Join(got, ", "))
}

func resultName(r result) string {
	switch b, _ := r.typ.Underlying().(*types.Basic); {
	case r.name != "" && r.name != "_":
		return r.name
	case isError(r.typ):
		return "err"
	case b != nil && b.Kind() == types.Bool:
		return "ok"
	}
	return "v"
}

// writeWhen writes the precondition: there are values of the kinds that only calls make.
func (e *enum) writeWhen(b *strings.Builder, o *op) {
	var pools []string
	for _, k := range o.takes() {
		stubbed := k != o.recv && k.stub != nil
		optional := o.do == compose && e.pointsToSimple(k.typ)
		made := !k.always() && (k.made || len(k.from) > 0)
		if made && !stubbed && !optional && !slices.Contains(pools, k.pool) {
			pools = append(pools, k.pool)
		}
	}
	switch len(pools) {
	case 0:
	case 1:
		fmt.Fprintf(b, ".When(%s.Any)", pools[0])
	default:
		fmt.Fprintf(b, ".When(api.Any(%s))", strings.Join(pools, ", "))
	}
}
