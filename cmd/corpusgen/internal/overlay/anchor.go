package overlay

import (
	"go/ast"
	"strings"
)

// An anchor is the place of an edit in the sources of internal/fuzz.
type anchor struct {
	file string
	name string // what is looked for, as messages say it
	find finder
}

// A finder returns the changes of an edit, or none if the source has no place for it.
type finder func(s *source) []change

// A lookup returns the node that an edit is about, or nil if there is none or more than one.
type lookup func(s *source) ast.Node

// within looks for code anywhere in a function.
func within(recv, function, code string) lookup {
	return func(s *source) ast.Node {
		if fn := s.function(recv, function); fn != nil {
			return only(s.find(fn.Body, code))
		}
		return nil
	}
}

// statement looks for code among the statements of a function's own block, not of blocks
// within it.
func statement(recv, function, code string) lookup {
	return func(s *source) ast.Node {
		fn := s.function(recv, function)
		if fn == nil {
			return nil
		}
		var found []ast.Node
		for _, stmt := range fn.Body.List {
			if s.of(stmt) == code {
				found = append(found, stmt)
			}
		}
		return only(found)
	}
}

func only(found []ast.Node) ast.Node {
	if len(found) == 1 {
		return found[0]
	}
	return nil
}

// after inserts text behind a node.
func after(l lookup, text string) finder {
	return func(s *source) []change {
		if n := l(s); n != nil {
			return []change{{n.End(), n.End(), text}}
		}
		return nil
	}
}

// before inserts text in front of a node.
func before(l lookup, text string) finder {
	return func(s *source) []change {
		if n := l(s); n != nil {
			return []change{{n.Pos(), n.Pos(), text}}
		}
		return nil
	}
}

// instead replaces a node by text.
func instead(l lookup, text string) finder {
	return func(s *source) []change {
		if n := l(s); n != nil {
			return []change{{n.Pos(), n.End(), text}}
		}
		return nil
	}
}

// atStart inserts text at the start of a function with the given parameters.
func atStart(function, params, text string) finder {
	return func(s *source) []change {
		fn := s.function("", function)
		if fn == nil || s.of(fn.Type.Params) != params {
			return nil
		}
		at := fn.Body.Lbrace + 1
		return []change{{at, at, text}}
	}
}

// inIf inserts text at the start of the body of the if statement with the given condition.
func inIf(recv, function, condition, text string) finder {
	return func(s *source) []change {
		fn := s.function(recv, function)
		if fn == nil {
			return nil
		}
		var changes []change
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if n, ok := n.(*ast.IfStmt); ok && s.of(n.Cond) == condition {
				at := n.Body.Lbrace + 1
				changes = append(changes, change{at, at, text})
			}
			return true
		})
		if len(changes) != 1 {
			return nil
		}
		return changes
	}
}

// loops returns the loops below n whose body is one statement that begins with code.
func (s *source) loops(n ast.Node, code string) []*ast.ForStmt {
	var loops []*ast.ForStmt
	ast.Inspect(n, func(n ast.Node) bool {
		loop, ok := n.(*ast.ForStmt)
		if ok && len(loop.Body.List) == 1 && strings.HasPrefix(s.of(loop.Body.List[0]), code) {
			loops = append(loops, loop)
		}
		return true
	})
	return loops
}
