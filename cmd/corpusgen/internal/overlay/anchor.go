package overlay

import (
	"go/ast"
	"go/token"
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

// start looks for the body of a function with the given parameters.
func start(function, params string) lookup {
	return func(s *source) ast.Node {
		if fn := s.function("", function); fn != nil && s.of(fn.Type.Params) == params {
			return fn.Body
		}
		return nil
	}
}

// ifBody looks for the body of the if statement with the given condition.
func ifBody(recv, function, condition string) lookup {
	return func(s *source) ast.Node {
		fn := s.function(recv, function)
		if fn == nil {
			return nil
		}
		var found []ast.Node
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if n, ok := n.(*ast.IfStmt); ok && s.of(n.Cond) == condition {
				found = append(found, n.Body)
			}
			return true
		})
		return only(found)
	}
}

// edit returns a finder whose only change is to put text at a place of a node.
func edit(place func(ast.Node) (pos, end token.Pos), l lookup, text string) finder {
	return func(s *source) []change {
		n := l(s)
		if n == nil {
			return nil
		}
		pos, end := place(n)
		return []change{{pos, end, text}}
	}
}

func before(n ast.Node) (pos, end token.Pos)  { return n.Pos(), n.Pos() }
func after(n ast.Node) (pos, end token.Pos)   { return n.End(), n.End() }
func instead(n ast.Node) (pos, end token.Pos) { return n.Pos(), n.End() }

// inside is at the start of a block.
func inside(n ast.Node) (pos, end token.Pos) { return n.Pos() + 1, n.Pos() + 1 }

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
