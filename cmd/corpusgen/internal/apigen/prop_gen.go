package apigen

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
)

// parts returns the package variables that generate a type, or parts of it. It declares them.
func (p *Properties) parts(t types.Type, depth int) (gens []string) {
	if gen := p.generatorOf(t); gen != "" {
		return []string{gen}
	}
	return p.within(t, depth)
}

// within returns the package variables that generate parts of a type.
func (p *Properties) within(t types.Type, depth int) (gens []string) {
	all, _ := partsOf(t.Underlying())
	for _, part := range all {
		if _, isFunc := part.Underlying().(*types.Signature); !isFunc && depth < maxDepth {
			gens = append(gens, p.parts(part, depth+1)...)
		}
	}
	return gens
}

// generatorOf declares the package variable that generates a type, and returns its name: for
// structs of the package, which a user may want to restrict, and for types with constants or
// variables.
func (p *Properties) generatorOf(t types.Type) string {
	named := namedOf(t)
	if named == nil {
		return ""
	}
	text := p.e.typeName(t)
	if name, ok := p.named[text]; ok {
		return name
	}
	p.named[text] = "" // also while its parts are looked up
	about, code := "", ""
	if vars := p.variables(t); vars != "" {
		about, code = "the "+text+" that the package has.", "bigen.OneOf("+vars+")"
	} else if _, isBasic := t.Underlying().(*types.Basic); isBasic && text != "time.Duration" {
		about, code = p.enumerated(named)
	} else if isStruct(t) && !isPointer(t) && p.e.own(named) && p.e.derivable(named, 0) {
		about = "any " + text + ". TODO: restrict it to valid ones, as by bigen.Field."
		code = "bigen.For[" + text + "](" + with(p.within(named, 0)) + ")"
	}
	if code == "" {
		return ""
	}
	name := p.names.local("gen" + named.Obj().Name())
	p.named[text], p.gens[name] = name, "// "+name+" makes "+about+"\nvar "+name+" = "+code
	return name
}

// variables lists the variables of the package that have a type which nothing else generates.
func (p *Properties) variables(t types.Type) string {
	var list []string
	if types.IsInterface(t) || p.e.derivable(namedOf(t), 0) {
		return ""
	}
	for _, o := range p.e.objects() {
		if v, ok := o.(*types.Var); ok && types.Identical(v.Type(), t) &&
			(!isPointer(t) || p.e.pkg.initialized(v.Name())) {
			list = append(list, p.e.qualified(v))
		}
	}
	return strings.Join(list, ", ")
}

// initialized reports whether the declaration of a variable gives it a value. A pointer without one
// is nil, which is for users to set.
func (p *Package) initialized(name string) bool {
	for _, f := range p.files {
		for _, d := range f.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range decl.Specs {
				spec, ok := s.(*ast.ValueSpec)
				named := func(id *ast.Ident) bool { return id.Name == name }
				if ok && len(spec.Values) > 0 && slices.ContainsFunc(spec.Names, named) {
					return true
				}
			}
		}
	}
	return false
}

// enumerated writes the generator of a type with constants: these alone if they are names or
// numbers without gaps, otherwise any value, and the constants more often.
func (p *Properties) enumerated(named *types.Named) (about, code string) {
	t, constants := p.e.typeName(named), p.e.constants(named)
	if len(constants) < 2 {
		return "", ""
	}
	var list []string
	var numbers []int64
	for _, c := range constants {
		list = append(list, p.e.qualified(c))
		if n, ok := constant.Int64Val(constant.ToInt(c.Val())); ok && c.Val().Kind() == constant.Int {
			numbers = append(numbers, n)
		}
	}
	values := strings.Join(list, ", ")
	isDense := len(numbers) == len(list) &&
		slices.Max(numbers)-slices.Min(numbers) < int64(2*len(list))
	switch info := named.Underlying().(*types.Basic).Info(); {
	case info&types.IsString != 0, isDense:
		return "the constants of " + t + ".", "bigen.OneOf(" + values + ")"
	case info&types.IsInteger != 0:
		code = "bigen.Favor(bigen.Int[" + t + "](), " + values + ")"
		return "any " + t + ", and often its constants.", code
	}
	return "", ""
}

// derivable reports whether bigen.For has a generator of a type whose values are of use.
func (e *enum) derivable(t types.Type, depth int) bool {
	if depth > maxDepth || !e.expressible(t) {
		return depth > maxDepth && e.deep
	}
	if slices.Contains(derived, types.TypeString(t, nil)) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		if u.Len() > 1<<10 {
			return false
		}
	case *types.Pointer:
		if depth == 0 {
			return false
		}
	case *types.Slice, *types.Map, *types.Struct:
	default:
		return false
	}
	all, ok := partsOf(t.Underlying())
	return ok && !slices.ContainsFunc(all, func(p types.Type) bool { return !e.derivable(p, depth+1) })
}
