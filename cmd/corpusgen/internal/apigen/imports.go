package apigen

import (
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"
)

// imports are the packages that a harness names.
type imports struct {
	names map[string]string // by path
	taken namer             // also of the variables of pools
}

func newImports(e *enum) *imports {
	i := &imports{names: map[string]string{}}
	for _, p := range append([]string{bigenPath, callsPath, apiPath, fuzzPath, linearPath}, helpers...) {
		if p != e.pkg.Path {
			i.names[p] = i.taken.local(path.Base(p))
		}
	}
	for _, name := range []string{knownTexts, knownBytes, knownValues} {
		i.taken.local(name)
	}
	i.use(e.pkg.types)
	return i
}

// use returns the name of a package in the harness.
func (i *imports) use(p *types.Package) string {
	name := i.names[p.Path()]
	if name == "" {
		name = i.taken.local(p.Name())
		i.names[p.Path()] = name
	}
	return name
}

// named returns the name of a package of the standard library in the harness.
func (i *imports) named(path string) string {
	if i.names[path] == "" {
		i.names[path] = i.taken.local(lastElement(path))
	}
	return i.names[path]
}

// typeName writes a type.
func (e *enum) typeName(t types.Type) string {
	return strings.ReplaceAll(types.TypeString(t, e.imports.use), "interface{}", "any")
}

// qualified writes the name of an object of a package.
func (e *enum) qualified(o types.Object) string { return e.imports.use(o.Pkg()) + "." + o.Name() }

// A namer gives out names that differ.
type namer struct{ taken map[string]bool }

// local returns a name for a local variable that is free: name itself, or with a number.
func (n *namer) local(name string) string { return n.free(name, strconv.Itoa) }

// unique returns a name of a kind that is free: name itself, or with letters added, as the names of
// its values end in numbers.
func (n *namer) unique(name string) string {
	if last := name[len(name)-1]; '0' <= last && last <= '9' {
		name += "Value"
	}
	return n.free(name, func(i int) string { return "Value" + strings.Repeat("s", i-2) })
}

// free returns a name that is free, with a suffix from the second on.
func (n *namer) free(name string, suffix func(i int) string) string {
	if n.taken == nil {
		n.taken = map[string]bool{"c": true, "new": true, "nil": true}
	}
	try := name
	for i := 2; ; i++ {
		_, isType := types.Universe.Lookup(try).(*types.TypeName)
		if !n.taken[try] && !isType && !token.IsKeyword(try) {
			break
		}
		try = name + suffix(i)
	}
	n.taken[try] = true
	return try
}
