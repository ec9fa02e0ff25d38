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

// A finder returns the changes of an edit; none if the source has no place for it.
type finder func(s *source) []change

// after inserts text behind the node of a function that reads as code.
func after(recv, function, code, text string) finder {
	return func(s *source) []change {
		if n := s.only(recv, function, code); n != nil {
			return []change{{n.End(), n.End(), text}}
		}
		return nil
	}
}

// before inserts text in front of the node of a function that reads as code.
func before(recv, function, code, text string) finder {
	return func(s *source) []change {
		if n := s.only(recv, function, code); n != nil {
			return []change{{n.Pos(), n.Pos(), text}}
		}
		return nil
	}
}

// instead replaces the node of a function that reads as code by text.
func instead(recv, function, code, text string) finder {
	return func(s *source) []change {
		if n := s.only(recv, function, code); n != nil {
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

// only returns the node of a function that reads as code; nil unless there is exactly
// one, or one among several that is a statement of the function's own block.
func (s *source) only(recv, function, code string) ast.Node {
	fn := s.function(recv, function)
	if fn == nil {
		return nil
	}
	found := s.find(fn.Body, code)
	if len(found) == 1 {
		return found[0]
	}
	found = nil
	for _, stmt := range fn.Body.List {
		if s.of(stmt) == code {
			found = append(found, stmt)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return nil
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
