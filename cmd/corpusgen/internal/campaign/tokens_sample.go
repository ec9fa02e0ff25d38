package campaign

import (
	"encoding/binary"
	"go/ast"
	"go/constant"
	"go/token"
	"math/bits"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
)

// samples adds texts that the literals of a call stand for: what a regular expression matches, and
// what a format scans.
func (l literals) samples(call *ast.CallExpr) {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	x, ok := f.X.(*ast.Ident)
	if !ok {
		return
	}
	for _, arg := range call.Args {
		lit, ok := arg.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			continue
		}
		s := constant.StringVal(constant.MakeFromLiteral(lit.Value, lit.Kind, 0))
		switch {
		case x.Name == "regexp":
			for _, sample := range matching(s) {
				l.text(sample)
			}
		case x.Name == "fmt" && strings.HasSuffix(f.Sel.Name, "canf"):
			l.text(scanned(s))
		}
	}
}

// verb is a verb of a format, with its width.
var verb = regexp.MustCompile(`%[0-9]*[a-zA-Z%]`)

// scanned returns a text that a format of fmt.Sscanf scans.
func scanned(format string) string {
	return verb.ReplaceAllStringFunc(format, func(verb string) string {
		switch verb[len(verb)-1] {
		case '%':
			return "%"
		case 's', 'c':
			return "a"
		case 'q':
			return `"a"`
		case 't':
			return "true"
		}
		return "1"
	})
}

// matching returns texts that a regular expression matches: one with as little as possible, and one
// with the last of all alternatives and each optional part.
func matching(expr string) (texts []string) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	for _, most := range []bool{false, true} {
		var b strings.Builder
		match(&b, re, most)
		texts = append(texts, b.String())
	}
	return texts
}

// match writes a text that re matches, as far as a token may be long.
func match(b *strings.Builder, re *syntax.Regexp, most bool) {
	if b.Len() > maxTokenText {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(common(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpStar, syntax.OpQuest:
		if most {
			match(b, re.Sub[0], most)
		}
	case syntax.OpRepeat:
		n := re.Min
		if most {
			n = max(n, 1)
		}
		for range min(n, maxTokenText) {
			match(b, re.Sub[0], most)
		}
	case syntax.OpAlternate:
		i := 0
		if most {
			i = len(re.Sub) - 1
		}
		match(b, re.Sub[i], most)
	default: // a sequence, a group, one or more, or what matches no text
		for _, sub := range re.Sub {
			match(b, sub, most)
		}
	}
}

// common returns a character of a class, given by ranges: a letter or digit if it has one in ASCII.
func common(ranges []rune) rune {
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= min(ranges[i+1], unicode.MaxASCII); r++ {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
		}
	}
	if len(ranges) == 0 {
		return 'a'
	}
	return ranges[0]
}

// keys adds the keys of a literal of a map that have several integers.
func (l literals) keys(n *ast.CompositeLit) {
	if _, ok := n.Type.(*ast.MapType); !ok {
		return
	}
	for _, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			l.bytes(kv.Key)
		}
	}
}

// bytes adds what a struct or array of integers is in an input: its integers one after the other. The
// literal does not tell how many bytes each has, nor in which order.
func (l literals) bytes(x ast.Expr) {
	lit, ok := x.(*ast.CompositeLit)
	if !ok || len(lit.Elts) < 2 {
		return
	}
	var numbers []uint64
	all := uint64(0)
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		n, ok := e.(*ast.BasicLit)
		if !ok || n.Kind != token.INT && n.Kind != token.CHAR {
			return
		}
		u, ok := constant.Uint64Val(constant.ToInt(constant.MakeFromLiteral(n.Value, n.Kind, 0)))
		if !ok {
			return
		}
		numbers, all = append(numbers, u), all|u
	}
	for size := 1; size <= 8; size *= 2 {
		if bits.Len64(all) <= 8*size {
			var big, little []byte
			for _, n := range numbers {
				big = append(big, binary.BigEndian.AppendUint64(nil, n)[8-size:]...)
				little = append(little, binary.LittleEndian.AppendUint64(nil, n)[:size]...)
			}
			l.text(string(big))
			l.text(string(little))
		}
	}
}
