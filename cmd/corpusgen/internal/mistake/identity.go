package mistake

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"sort"
	"strconv"
	"strings"
)

// A declaration is a function, or a variable of the package: what mistakes belong to. Its identity
// depends on its package, its name and its tokens, but not on comments, on the layout of its lines,
// and on what else the package has, but for those that are the same: two init functions, or two
// variables without a name. Their order tells them apart.
type declaration struct {
	name, id string
	from     int          // the offset in the file
	tokens   []int        // offsets in the declaration
	results  *types.Tuple // of the function
}

func (e *editor) declaration(n ast.Node, name string) *declaration {
	code, offsets := Tokens(e.Of(n))
	id := hash(e.Path, name, code)
	if e.same[id]++; e.same[id] > 1 {
		id = hash(id, strconv.Itoa(e.same[id]))
	}
	return &declaration{
		name: name, id: id, from: e.Offset(n.Pos()), tokens: offsets,
	}
}

// mistake returns the identity of a mistake at an offset of the file.
func (d *declaration) mistake(offset int, kind Kind, changes []change) string {
	texts := []string{d.id, strconv.Itoa(sort.SearchInts(d.tokens, offset-d.from)), string(kind)}
	for _, c := range changes {
		code, _ := Tokens(c.text)
		texts = append(texts, code)
	}
	return hash(texts...)
}

// Tokens returns the tokens of Go code, without comments and semicolons, and their offsets.
func Tokens(code string) (text string, offsets []int) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(code))
	s.Init(file, []byte(code), func(token.Position, string) {}, 0)
	var b strings.Builder
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return b.String(), offsets
		}
		if tok == token.SEMICOLON {
			continue // lines and braces decide whether it is written
		}
		offsets = append(offsets, file.Offset(pos))
		fmt.Fprintf(&b, "%s %s\n", tok, literal)
	}
}

// hash returns a short hash of texts.
func hash(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%d %s", len(text), text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}
