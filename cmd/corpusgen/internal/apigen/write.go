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
	for _, k := range used {
		e.writeKind(&b, k)
	}
	for _, k := range used {
		for _, from := range k.from {
			fmt.Fprintf(&b, "api.Assign(%s, %s, func(v %s) %s { return v })\n", k.pool, from.pool, e.typeName(from.typ), e.typeName(k.typ))
		}
	}
	for _, o := range e.ops {
		b.WriteString("\n")
		e.writeOp(&b, o)
	}
	return b.String()
}

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
		if strings.HasPrefix(code, "func(") && strings.HasSuffix(code, "{ return }") && refers(k.typ) {
			fmt.Fprintf(b, ",\napi.Stub[%s](%q, %s)", t, code, code)
		} else if strings.HasSuffix(code, "{}") || strings.HasSuffix(code, ")") || strings.HasSuffix(code, "}") && !strings.HasPrefix(code, "func(") {
			fmt.Fprintf(b, ",\napi.Make(%q, func() %s { return %s })", code, t, code)
		} else {
			fmt.Fprintf(b, ",\napi.Expr[%s](%q, %s)", t, code, code)
		}
	}
	for _, s := range k.stubs {
		for _, code := range s.exprs() {
			fmt.Fprintf(b, ",\napi.Stub[%s](%q, %s)", t, code, code)
		}
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
	var locals namer
	for _, name := range e.imports.names { // that the body may name
		if o.recv == nil {
			locals.local(name)
		}
	}
	for _, k := range slices.Concat(o.takes(), o.resultKinds()) {
		locals.local(k.pool)
	}
	var names, draws, args []string
	recv := ""
	if o.recv != nil {
		recv = locals.local(o.recv.name)
		names, draws = append(names, recv), append(draws, fmt.Sprintf("%s.Arg(%q)", o.recv.pool, o.recv.name))
	}
	for _, p := range o.params {
		name := locals.local(p.name)
		names, draws = append(names, name), append(draws, fmt.Sprintf("%s.Arg(%q)", p.kind.pool, name))
		args = append(args, name+".V")
	}
	into := make([]string, len(o.results))
	for i, r := range o.results {
		if r.kind != nil {
			into[i] = r.kind.name
			if locals.taken[into[i]] {
				into[i] = "result"
			}
			into[i] = locals.local(into[i])
			names, draws = append(names, into[i]), append(draws, r.kind.pool+".Result()")
		}
	}

	fmt.Fprintf(b, "c.Op(%q, func() {\n", o.name)
	if len(names) > 0 {
		fmt.Fprintf(b, "%s := %s\n", strings.Join(names, ", "), strings.Join(draws, ", "))
	}
	if pointed := strings.HasPrefix(o.name, "*"); pointed || o.do != call && o.do != set && !(o.do == fresh && strings.HasSuffix(o.callee, ")")) {
		code := []string{strconv.Quote(o.callee)}
		fmt.Fprintf(b, "c.Code(%s)\n", strings.Join(append(code, names[:len(o.takes())]...), ", "))
	}
	do := e.do(o, recv, args, into, &locals)
	if strings.Contains(do, "\n") {
		do = "\n" + do + "\n"
	}
	b.WriteString("c.Do(func() {" + do + "})\n})")
	e.writeWhen(b, o)
	if e.unready(o) {
		b.WriteString(".Unready()")
	}
	if o.do == element && len(o.params) == 0 || o.do == call && e.mayPanic(o) { // a slice may be empty
		b.WriteString(".MayPanic()")
	}
	if e.writesFiles(o) {
		b.WriteString(".Writes()")
	}
	if e.alone(o) {
		b.WriteString(".Alone()")
	}
	b.WriteString("\n")
}

// unready reports whether an operation makes a value that may not be usable.
func (e *enum) unready(o *op) bool {
	switch o.do {
	case fresh:
		named := namedOf(o.results[0].typ)
		return !e.pointsToSimple(o.results[0].typ) && !isBuffer(o.results[0].typ) && !(strings.HasSuffix(o.name, "{}") && named.NumMethods() == 0) && !e.ready(named) // those are options
	case call:
		return o.recv != nil && e.releases(o)
	case written: // what makes others may set what a test cannot
		k := o.results[0].kind
		return hides(k.typ) && (e.gets(namedOf(k.typ)) || e.handed(namedOf(k.typ)))
	case compose:
		_, isPointer := o.results[0].typ.Underlying().(*types.Pointer)
		return e.isObject(namedOf(o.results[0].typ)) || isPointer && hides(o.results[0].typ)
	case set:
		return !strings.HasPrefix(o.name, "*") && e.isPart(namedOf(o.recv.typ))
	}
	return false
}

// hides reports whether a struct, or what a pointer points to, has fields that are not exported.
func hides(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	return ok && slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return !f.Exported() })
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
func (e *enum) do(o *op, recv string, args, into []string, locals *namer) string {
	expr := o.callee
	if o.do == call && recv != "" {
		expr = recv + ".V." + expr
	}
	if o.do == call {
		expr += "(" + strings.Join(args, ", ") + ")"
	} else if recv != "" {
		args = append([]string{recv + ".V"}, args...)
	}
	for _, arg := range args {
		expr = strings.Replace(expr, "%v", arg, 1)
	}
	expr = strings.ReplaceAll(expr, "%%", "%")
	pooled := slices.ContainsFunc(into, func(s string) bool { return s != "" })
	switch {
	case len(into) == 0:
		return expr
	case !pooled:
		return fmt.Sprintf("c.Got(%s)", expr)
	case len(into) == 1:
		return fmt.Sprintf("%s.V = %s\nc.Got(%s)", into[0], expr, into[0])
	}
	values, got := make([]string, len(into)), make([]string, len(into))
	var set strings.Builder
	for i, r := range o.results {
		values[i] = locals.local(resultName(r))
		got[i] = values[i]
		if into[i] != "" {
			fmt.Fprintf(&set, "%s.V = %s\n", into[i], values[i])
			got[i] = into[i]
		}
	}
	return fmt.Sprintf("%s := %s\n%sc.Got(%s)", strings.Join(values, ", "), expr, set.String(), strings.Join(got, ", "))
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
		stubbed := k != o.recv && len(k.stubs) > 0
		optional := o.do == compose && e.pointsToSimple(k.typ)
		if !stubbed && !optional && !k.always() && (k.made || len(k.from) > 0) && !slices.Contains(pools, k.pool) {
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
