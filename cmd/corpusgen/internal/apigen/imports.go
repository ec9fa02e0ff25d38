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
	for _, p := range []string{"testing", bigenPath, apiPath, fuzzPath} {
		i.names[p] = i.taken.local(path.Base(p))
	}
	for _, p := range helpers {
		if i.names[p] == "" && p != e.pkg.Path {
			i.names[p] = i.taken.local(path.Base(p))
		}
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

// typeName writes a type.
func (e *enum) typeName(t types.Type) string {
	return strings.ReplaceAll(types.TypeString(t, e.imports.use), "interface{}", "any")
}

// qualified writes the name of an object of a package.
func (e *enum) qualified(o types.Object) string { return e.imports.use(o.Pkg()) + "." + o.Name() }

// A namer gives out names that differ.
type namer struct{ taken map[string]bool }

// local returns a name for a local variable that is free: name itself, or with a number.
func (n *namer) local(name string) string {
	if n.taken == nil {
		n.taken = map[string]bool{}
	}
	_, isType := types.Universe.Lookup(name).(*types.TypeName)
	try := name
	for i := 2; n.taken[try] || token.IsKeyword(try) || try == "c" || try == name && (isType || name == "new" || name == "nil"); i++ {
		try = name + strconv.Itoa(i)
	}
	n.taken[try] = true
	return try
}

// unique returns a name of a kind that is free: name itself, or with letters added.
func (n *namer) unique(name string) string {
	if n.taken == nil {
		n.taken = map[string]bool{}
	}
	try := name
	for i := 0; n.taken[try] || token.IsKeyword(try) || types.Universe.Lookup(try) != nil || try == "c" || strings.ContainsAny(try[len(try)-1:], "0123456789"); i++ {
		try = name + suffixes[min(i, len(suffixes)-1)]
		if i >= len(suffixes) {
			try += strings.Repeat("s", i-len(suffixes)+1)
		}
	}
	n.taken[try] = true
	return try
}

var suffixes = []string{"Value", "Other", "More"}
