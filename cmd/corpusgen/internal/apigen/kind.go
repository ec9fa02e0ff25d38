package apigen

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// A kind is a type of arguments and results, which has a pool in the harness.
type kind struct {
	typ  types.Type
	name string // of its values
	pool string // the variable

	gen   string   // the code of a generator of values that are there before any call; "" for none
	exprs []string // expressions that are written as they are
	from  []*kind  // whose values can stand for it
	stub  *stub    // what takes its place in arguments; or nil

	made      bool // a call returns it, or writes it
	used      bool // a call takes it
	available bool
}

// always reports whether there is a value before any call. Two interfaces may stand for each other.
func (k *kind) always() bool {
	return k.constant() || slices.ContainsFunc(k.from, (*kind).constant)
}

// constant reports whether a value of the kind itself is there before any call.
func (k *kind) constant() bool { return k.gen != "" || len(k.exprs) > 0 }

// kind returns the kind of a type. Types that are not exported are known by their methods.
func (e *enum) kind(t types.Type) *kind {
	for _, k := range e.kinds {
		if types.Identical(k.typ, t) {
			return k
		}
	}
	k := &kind{typ: t}
	e.kinds = append(e.kinds, k)
	e.source(k)
	e.compose(k)
	return k
}

// source decides where values of a kind come from, other than from calls.
func (e *enum) source(k *kind) {
	t := k.typ
	k.exprs = e.standard(t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		k.gen = e.basic(t)
	case *types.Signature:
		k.exprs = append(k.exprs, e.functions(t, u)...)
	case *types.Interface:
		if u.NumMethods() == 0 && u.IsMethodSet() {
			k.gen, k.exprs = e.anyValue(), []string{`errors.New("error")`}
			if name := e.typeName(k.typ); namedOf(k.typ) != nil {
				k.gen = fmt.Sprintf("bigen.Iso(%s,\nfunc(v any) %s { return v }, "+
					"func(v %[2]s) (any, bool) { return v, true })", k.gen, name)
			}
		}
	default:
		k.gen = e.generator(t, 0)
		if types.Identical(t, types.NewSlice(types.Typ[types.Byte])) {
			k.exprs = e.contents("%[2]s")
		}
		if _, named := types.Unalias(t).(*types.Named); named && k.gen == "" && !e.isObject(namedOf(t)) {
			e.addNew(k)
		}
	}
	k.available = k.always()
}

// isObject reports whether a struct has methods, and the package gives users values of it.
func (e *enum) isObject(n *types.Named) bool {
	if n == nil || !e.own(n) || n.NumMethods() == 0 {
		return false
	}
	_, plain := e.given(n.Origin(), false)
	return plain
}

// compose adds an operation that makes a value of its parts, if it can have any of the package: a
// slice of two, a map of one, or a struct of the package.
func (e *enum) compose(k *kind) {
	if k.gen != "" || !e.expressible(k.typ) {
		return
	}
	o := &op{do: compose, helps: true, results: []result{{"", k, k.typ}}}
	code := e.typeName(k.typ) + "{"
	name := code
	add := func(before, arg, after string, t types.Type) {
		if e.unusable(t) == "" {
			code, name = code+before+"%v"+after, name+before+arg+after
			o.params = append(o.params, param{arg, e.kind(t)})
		}
	}
	switch u := k.typ.Underlying().(type) {
	case *types.Slice:
		add("", "a", ", ", u.Elem())
		add("", "b", ", ", u.Elem())
	case *types.Map:
		add("", "key", ": ", u.Key())
		add("", "value", ", ", u.Elem())
	case *types.Struct:
		if named := namedOf(k.typ); named == nil || !e.own(named) && !isData(named) {
			return // the zero value of another struct may be of no use
		}
		for f := range u.Fields() {
			if isField(f) {
				add(f.Name()+": ", lowerFirst(f.Name()), ", ", f.Type())
			}
		}
	}
	if len(o.params) == 0 {
		return
	}
	o.callee, o.name = strings.TrimSuffix(code, ", ")+"}", strings.TrimSuffix(name, ", ")+"}"
	if !e.skips(o.name) {
		e.ops = append(e.ops, o)
	}
}

// takeApart adds an operation that gives the first of a slice, or ranges over a sequence, once.
func (e *enum) takeApart(k *kind) {
	e.pointed(k, false)
	o := &op{do: element, recv: k}
	switch u := k.typ.Underlying().(type) {
	case *types.Slice:
		named := namedOf(u.Elem())
		if named == nil || !e.own(named) || !e.expressible(u.Elem()) ||
			!e.once("first of "+types.TypeString(k.typ, nil)) {
			return
		}
		e.nameOf(k)
		o.name, o.callee, o.results = k.name+"[0]", "%v[0]", []result{{"", e.kind(u.Elem()), u.Elem()}}
	case *types.Signature:
		if !isSeq(u) || !e.once("range of "+types.TypeString(k.typ, nil)) {
			return
		}
		e.nameOf(k)
		o.name, o.params = "range "+k.name, []param{{"most", e.kind(types.Typ[types.Int])}}
		o.callee, o.results = e.ranging(u.Params().At(0).Type().Underlying().(*types.Signature))
	default:
		return
	}
	if !e.skips(o.name) {
		e.ops = append(e.ops, o)
	}
}

// ranging returns code that collects what a sequence yields, up to an argument. If a type cannot be
// named there, it counts.
func (e *enum) ranging(yield *types.Signature) (code string, results []result) {
	var declared, names, lines, lists []string
	for i := range yield.Params().Len() {
		list := types.NewSlice(yield.Params().At(i).Type())
		name, elem := fmt.Sprint("all", i+1), fmt.Sprint("v", i+1)
		if yield.Params().Len() == 1 {
			name, elem = "all", "v"
		}
		if !e.expressible(list) {
			declared = nil
			break
		}
		declared = append(declared, name+" "+e.typeName(list))
		names, lists = append(names, elem), append(lists, name)
		lines = append(lines, fmt.Sprintf("\t\t%s = append(%[1]s, %s)\n", name, elem))
		results = append(results, result{name, nil, list})
	}
	if declared == nil {
		return "func() (n int) {\n\tfor range %v {\n\t\tif n++; n >= %v {\n\t\t\tbreak\n\t\t}\n\t}\n" +
			"\treturn n\n}()", []result{{"n", nil, types.Typ[types.Int]}}
	}
	return fmt.Sprintf("func() (%s) {\n\tfor %s := range %%v {\n%s\t\tif len(%s) >= %%v {\n\t\t\tbreak\n"+
		"\t\t}\n\t}\n\treturn %s\n}()", strings.Join(declared, ", "), strings.Join(names, ", "),
		strings.Join(lines, ""), lists[0], strings.Join(lists, ", ")), results
}

// isSeq reports whether a function is one that range takes, such as an iter.Seq.
func isSeq(s *types.Signature) bool {
	if s.Results().Len() > 0 || s.Params().Len() != 1 {
		return false
	}
	yield, ok := s.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Params().Len() <= 2 && yield.Results().Len() == 1 &&
		types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool])
}

// maxDepth is how deep types nest for which a generator is written.
const maxDepth = 4

// generator returns the code of a generator of values without identity: basic ones, slices, maps
// and arrays of these, and types of the standard library that bigen.For knows. It returns "" if
// there is none: users make structs of their fields, see compose.
func (e *enum) generator(t types.Type, depth int) string {
	if depth > maxDepth || !e.expressible(t) {
		return ""
	}
	whole := fmt.Sprintf("bigen.For[%s]()", e.typeName(t))
	if slices.Contains(derived, types.TypeString(t, nil)) {
		return whole
	}
	format, parts := "", []string{}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return e.basic(t)
	case *types.Interface:
		if types.Identical(t, types.Universe.Lookup("any").Type()) && depth > 0 {
			return knownValues
		}
	case *types.Slice:
		if types.Identical(t, types.NewSlice(types.Typ[types.Byte])) {
			return fmt.Sprintf("bigen.Prefer(bigen.Bytes(0, %d), %s...)", maxLongLen, knownBytes)
		}
		format, parts = "bigen.SliceOf(%s, 0, 4)", []string{e.generator(u.Elem(), depth+1)}
	case *types.Map:
		format = "bigen.MapOf(%s, 0, 4)"
		parts = []string{e.generator(u.Key(), depth+1), e.generator(u.Elem(), depth+1)}
	case *types.Array:
		if u.Len() <= 1<<10 {
			format, parts = whole, []string{e.generator(u.Elem(), depth+1)}
		}
	}
	hasAny := usesValues.MatchString(strings.Join(parts, " "))
	switch _, isArray := t.Underlying().(*types.Array); {
	case format == "" || slices.Contains(parts, "") || isArray && hasAny:
		return ""
	case hasAny && !types.Identical(t, t.Underlying()): // bigen.For knows no types for any
		format = "bigen.As[" + e.typeName(t) + "](" + format + ")"
	case isArray || !types.Identical(t, t.Underlying()):
		return whole
	}
	return fmt.Sprintf(format, strings.Join(parts, ", "))
}

// derived are types that bigen.For knows.
var derived = []string{
	"time.Time", "net/netip.Addr", "net/netip.AddrPort", "net/netip.Prefix",
	"net/url.URL", "*net/url.URL", "math/big.Int", "*math/big.Int",
}

// functions returns expressions of a function type: the comparison of package cmp, or functions
// that note how they are called, and return an argument, true, an error, and zero values.
func (e *enum) functions(t types.Type, s *types.Signature) (all []string) {
	if !e.expressible(s) {
		return nil
	}
	if compare := e.comparison(s); compare != "" {
		return []string{compare}
	}
	label, _ := wordsOf(t)
	note, params := e.note(label, s)
	last := s.Results().Len() - 1
	if last < 0 {
		return []string{e.head(s, params, unnamed) + " " + block(note)}
	}
	if code := e.passing(s); code != "" {
		all = append(all, code)
	}
	body := func(results func(int) string, code string) {
		all = append(all, e.head(s, params, results)+" { "+note+code+" }")
	}
	if last == 0 && isBool(s.Results().At(0).Type().Underlying()) {
		all = append(all, e.head(s, params, unnamed)+" { "+note+"return true }")
	}
	if isError(s.Results().At(last).Type()) {
		body(func(i int) string {
			if i == last {
				return "failed"
			}
			return "_"
		}, `failed = errors.New("error"); return`)
	}
	body(blank, "return")
	return all
}

// block returns statements, the last of which ends in a semicolon, as a block of one line.
func block(statements string) string {
	if statements == "" {
		return "{}"
	}
	return "{ " + strings.TrimSuffix(statements, "; ") + " }"
}

// head writes a signature with names of parameters and results, by their indexes.
func (e *enum) head(s *types.Signature, param, result func(i int) string) string {
	rename := func(all *types.Tuple, name func(i int) string) *types.Tuple {
		vars := slices.Collect(all.Variables())
		for i, v := range vars {
			vars[i] = types.NewParam(v.Pos(), v.Pkg(), name(i), v.Type())
		}
		return types.NewTuple(vars...)
	}
	params, results := rename(s.Params(), param), rename(s.Results(), result)
	return e.typeName(types.NewSignatureType(nil, nil, nil, params, results, s.Variadic()))
}

func unnamed(int) string { return "" }
func blank(int) string   { return "_" }

// comparison returns the function of package cmp that has a type, or "".
func (e *enum) comparison(s *types.Signature) string {
	if s.Params().Len() != 2 || s.Results().Len() != 1 || s.Variadic() {
		return ""
	}
	t, result := s.Params().At(0).Type(), types.Unalias(s.Results().At(0).Type())
	switch {
	case !types.Identical(t, s.Params().At(1).Type()) || !ordered(t):
	case result == types.Typ[types.Int]:
		return "cmp.Compare[" + e.typeName(t) + "]"
	case result == types.Typ[types.Bool]:
		return "cmp.Less[" + e.typeName(t) + "]"
	}
	return ""
}

func ordered(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsOrdered != 0
}

// passing returns a function that returns a parameter, the first of the type, for each result but
// an error, or "".
func (e *enum) passing(s *types.Signature) string {
	params, names, values := slices.Collect(s.Params().Variables()), map[int]string{}, []string{}
	for r := range s.Results().Variables() {
		if isError(r.Type()) {
			values = append(values, "nil")
			continue
		}
		same := func(p *types.Var) bool { return types.Identical(p.Type(), r.Type()) }
		i := slices.IndexFunc(params, same)
		if i < 0 {
			return ""
		}
		names[i] = "v"
		if i > 0 {
			names[i] += strconv.Itoa(i)
		}
		values = append(values, names[i])
	}
	if len(names) == 0 {
		return ""
	}
	name := func(i int) string { return cmp.Or(names[i], "_") }
	return e.head(s, name, unnamed) + " { return " + strings.Join(values, ", ") + " }"
}

// expressible reports whether a harness can write a type: each of its names is exported, and
// of a package that the harness may import.
func (e *enum) expressible(t types.Type) bool {
	if alias, ok := t.(*types.Alias); ok && !e.nameable(alias.Obj()) {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid
	case *types.Named:
		if !e.nameable(t.Obj()) {
			return false
		}
		for arg := range t.TypeArgs().Types() {
			if !e.expressible(arg) {
				return false
			}
		}
		return true
	case *types.Interface:
		if !t.IsMethodSet() { // a union
			return false
		}
	}
	all, ok := partsOf(t)
	return ok && !slices.ContainsFunc(all, func(p types.Type) bool { return !e.expressible(p) })
}

// nameable reports whether a harness can write the name of a type.
func (e *enum) nameable(o *types.TypeName) bool {
	return o.Pkg() == nil ||
		o.Exported() && o.Parent() == o.Pkg().Scope() && e.importable(o.Pkg().Path())
}

// partsOf returns the types of the elements, fields, parameters, results and methods that a type
// literal consists of. It reports false if it is none, or if some of these are not exported.
func partsOf(t types.Type) (all []types.Type, ok bool) {
	ok = true
	switch t := types.Unalias(t).(type) {
	case *types.Map:
		return []types.Type{t.Key(), t.Elem()}, true
	case interface{ Elem() types.Type }: // pointer, slice, array, channel
		return []types.Type{t.Elem()}, true
	case *types.Tuple:
		for v := range t.Variables() {
			all = append(all, v.Type())
		}
	case *types.Signature:
		params, _ := partsOf(t.Params())
		results, _ := partsOf(t.Results())
		return slices.Concat(params, results), true
	case *types.Struct:
		for f := range t.Fields() {
			all, ok = append(all, f.Type()), ok && f.Exported()
		}
	case *types.Interface:
		for m := range t.Methods() {
			all, ok = append(all, m.Type()), ok && m.Exported()
		}
	default:
		return nil, false
	}
	return all, ok
}

// importable reports whether the tests of the package may import another one.
func (e *enum) importable(path string) bool {
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 || e.opts.Away && e.pkg.Module == "" {
		return i < 0
	}
	root := strings.TrimSuffix(("/" + path + "/")[:i], "/")
	return strings.HasPrefix("/"+e.pkg.Path+"/", root+"/") && root != ""
}

// isStandard reports whether a package is one of the standard library.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
