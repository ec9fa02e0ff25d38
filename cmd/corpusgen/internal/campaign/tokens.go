package campaign

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/internal/engine"
)

// Literals that are tokens.
const (
	minTokenText   = 2  // bytes; shorter texts come by themselves
	maxTokenText   = 64 // bytes
	minTokenNumber = 17 // or less than its opposite
	maxTokens      = 2000
)

// literals are the literals of source files.
type literals struct {
	texts   map[string]bool
	numbers map[uint64]bool
}

// add adds the literals of a file. A file that cannot be read or parsed has none.
func (l literals) add(path string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.CallExpr:
			l.samples(n)
			return !tells(n)
		case *ast.CompositeLit:
			l.keys(n)
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				l.bytes(n.X)
				l.bytes(n.Y)
			}
		case *ast.BasicLit:
			l.literal(n)
		}
		return true
	})
}

// tells reports whether a call makes or writes a message: its literals are for people.
func tells(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		x, ok := f.X.(*ast.Ident)
		return ok && slices.Contains([]string{"fmt", "log", "errors", "slog"}, x.Name)
	}
	return false
}

func (l literals) literal(n *ast.BasicLit) {
	v := constant.MakeFromLiteral(n.Value, n.Kind, 0)
	switch n.Kind {
	case token.STRING:
		l.text(constant.StringVal(v))
	case token.CHAR:
		if r, ok := constant.Int64Val(v); ok && r >= utf8.RuneSelf {
			l.text(string(rune(r)))
		}
	case token.INT:
		u, ok := constant.Uint64Val(v)
		if ok && u >= minTokenNumber && len(l.numbers) < maxTokens {
			l.numbers[u] = true
		}
	}
}

// text adds a text, unless it is too short or too long, or there are very many.
func (l literals) text(s string) {
	if len(s) >= minTokenText && len(s) <= maxTokenText && len(l.texts) < maxTokens {
		l.texts[s] = true
	}
}

// tokens returns what inputs may need: the texts of the user's dictionary and the literals of files,
// the first of them if there are very many.
func tokens(dict, files []string) engine.Tokens {
	l := literals{map[string]bool{}, map[uint64]bool{}}
	for _, s := range dict {
		l.texts[s] = true
	}
	for _, path := range files {
		l.add(path)
	}
	return engine.Tokens{Texts: slices.Sorted(maps.Keys(l.texts)),
		Numbers: slices.Sorted(maps.Keys(l.numbers))}
}

// readDictionary reads a dictionary as AFL and libFuzzer have them: lines NAME="TEXT", NAME@1="TEXT"
// or "TEXT", in which \\, \" and \xNN are escapes; empty lines; and comments that begin with #.
func readDictionary(path string) (texts []string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' {
			continue
		}
		start := strings.IndexByte(text, '"')
		if start < 0 || len(text) < start+2 || text[len(text)-1] != '"' {
			return nil, fmt.Errorf("%s:%d: want NAME=\"TEXT\" or \"TEXT\": %s", path, number, text)
		}
		s, err := unescape(text[start+1 : len(text)-1])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w: %s", path, number, err, text)
		}
		if s != "" {
			texts = append(texts, s)
		}
	}
	return texts, nil
}

// unescape returns what a text of a dictionary stands for.
func unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return "", fmt.Errorf(`a quote within the text must be \"`)
		case s[i] != '\\':
			b.WriteByte(s[i])
		case i+1 < len(s) && (s[i+1] == '\\' || s[i+1] == '"'):
			i++
			b.WriteByte(s[i])
		case i+3 < len(s) && s[i+1] == 'x':
			c, err := strconv.ParseUint(s[i+2:i+4], 16, 8)
			if err != nil {
				return "", fmt.Errorf(`want two hexadecimal digits after \x`)
			}
			b.WriteByte(byte(c))
			i += 3
		default:
			return "", fmt.Errorf(`want \\, \" or \xNN`)
		}
	}
	return b.String(), nil
}
