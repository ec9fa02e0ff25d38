package apigen

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
)

// Comments of types that several goroutines may use, and of types and methods that they must not. What
// says both is about the latter, mostly.
var (
	saysConcurrent = regexp.MustCompile(`(?is)\b(go-?routine|thread|concurren(cy|t|tly))[- ]?(safe|use|access|map|cache|queue|set|list)|\bsafe\b.{0,40}\b(concurren|parallel|simultaneous|go-?routines|threads)|\bconcurrent(ly)?\b`)
	saysAlone      = regexp.MustCompile(`(?is)\b(not?|never|n't|isn't)\b[^.]{0,40}\b(concurren|parallel|simultaneous|goroutine|thread)|\bunsafe\b|\bonly\b[^.]{0,20}\b(goroutine|thread)\b`)
)

// concurrent reports whether several goroutines may use values of a type at once: its comment says so, or
// it has a lock or atomic values.
func (e *enum) concurrent(t types.Type) bool {
	named := namedOf(t)
	if named == nil || !e.own(named) {
		return false
	}
	doc := e.pkg.comment(named.Obj().Pos())
	return !saysAlone.MatchString(doc) && (saysConcurrent.MatchString(doc) || e.synchronizes(named, 0) && (!lockable(named) || e.locks(named)))
}

// lockable reports whether users can lock values of a type.
func lockable(named *types.Named) bool {
	lock, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, nil, "Lock")
	return lock != nil
}

// locks reports whether methods of a type lock something.
func (e *enum) locks(named *types.Named) (locks bool) {
	for _, f := range e.pkg.files {
		for _, d := range f.Decls {
			method, ok := d.(*ast.FuncDecl)
			if !ok || method.Recv == nil || !mentions(method.Recv, named.Obj().Name()) {
				continue
			}
			locks = locks || mentions(method, "Lock") || mentions(method, "RLock")
		}
	}
	return locks
}

// mentions reports whether code has a name.
func mentions(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// maxParts is how deep types nest that are searched for locks.
const maxParts = 4

// synchronizes reports whether a type of the package has locks or atomic values, also in its parts.
func (e *enum) synchronizes(t types.Type, depth int) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok && !e.own(named) {
		return named.Obj().Pkg() != nil && slices.Contains([]string{"sync", "sync/atomic"}, named.Obj().Pkg().Path()) && named.Obj().Name() != "Once"
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return depth < maxParts && slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return e.synchronizes(f.Type(), depth+1) })
	case interface{ Elem() types.Type }: // pointer, slice, array, map, channel
		return depth < maxParts && e.synchronizes(u.Elem(), depth+1)
	}
	return false
}

// alone reports whether an operation of a value that is concurrent must not run at once with others: it
// is no call, or its comment says so.
func (e *enum) alone(o *op) bool {
	return slices.ContainsFunc(o.takes(), func(k *kind) bool { return e.concurrent(k.typ) }) &&
		(o.do != call || saysAlone.MatchString(e.pkg.comment(o.at)))
}

// threads reports whether the harness has a type whose methods several goroutines may call.
func (e *enum) threads() bool {
	return slices.ContainsFunc(e.ops, func(o *op) bool { return o.do == call && o.recv != nil && e.concurrent(o.recv.typ) })
}
