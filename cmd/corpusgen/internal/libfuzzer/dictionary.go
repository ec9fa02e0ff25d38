package libfuzzer

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxWords bounds a dictionary: libFuzzer chooses among its words at random.
const maxWords = 2000

// Dictionary returns the words that code in Go files compares its input with, as far as its
// constants tell, in the format of libFuzzer's dictionaries. It returns nil if there are none.
func Dictionary(files []string) ([]byte, error) {
	words := map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(f, func(n ast.Node) bool { return collect(words, n) })
	}
	if len(words) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	b.WriteString(Mark + "\n")
	for _, w := range slices.Sorted(maps.Keys(words))[:min(len(words), maxWords)] {
		b.WriteString(quote(w) + "\n")
	}
	return b.Bytes(), nil
}

// messages are functions whose texts the input is not compared with.
var messages = map[string]bool{"panic": true, "New": true, "Errorf": true, "Sprintf": true, "Printf": true, "Fprintf": true, "Fatal": true, "Fatalf": true}

// collect adds the words of a node. It reports whether there may be more below it.
func collect(words map[string]bool, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		if n.Tag != nil {
			return false
		}
	case *ast.CallExpr:
		switch f := n.Fun.(type) {
		case *ast.Ident:
			return !messages[f.Name]
		case *ast.SelectorExpr:
			return !messages[f.Sel.Name]
		}
	case *ast.BasicLit:
		add(words, n)
	}
	return true
}

const maxWord = 32 // bytes

func add(words map[string]bool, lit *ast.BasicLit) {
	switch lit.Kind {
	case token.STRING:
		if s, err := strconv.Unquote(lit.Value); err == nil && len(s) > 1 && len(s) <= maxWord {
			words[s] = true
		}
	case token.INT:
		n, err := strconv.ParseUint(lit.Value, 0, 64)
		if err != nil || n < 1<<8 {
			return
		}
		b := binary.BigEndian.AppendUint64(nil, n)
		for size := 2; size <= 8; size *= 2 {
			if n>>(8*size-1)>>1 == 0 {
				b = b[8-size:]
				break
			}
		}
		words[string(b)] = true
		slices.Reverse(b)
		words[string(b)] = true
	}
}

// quote returns a word as a line of a dictionary.
func quote(word string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(word) {
		switch c := word[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(rune(c)))
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}
