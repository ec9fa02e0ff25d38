package jsonschema

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/dlclark/regexp2"
	"github.com/espalier-go/espalier/bigen/internal/wholetext"
)

// A pattern is a regular expression of a schema, which matches a part of a string. It should be of
// ECMA-262. But where package regexp can read it, it means what that says, as for all validators in
// Go: the two differ in which rare spaces are \s, and which line ends are not a dot.
type pattern struct {
	source string
	re     *regexp.Regexp  // nil if package regexp lacks what the pattern has
	full   *regexp2.Regexp // then
	whole  string          // matches whole strings, in Go's syntax; without re, it may match more
}

func (p *pattern) String() string { return p.source }

// MatchString reports whether a part of s matches.
func (p *pattern) MatchString(s string) bool {
	if p.re != nil {
		return p.re.MatchString(s)
	}
	ok, err := p.full.MatchString(s)
	return ok && err == nil
}

// exact reports whether the whole strings are those that match.
func (p *pattern) exact() bool { return p.re != nil }

// maxMatching bounds the time for an expression that package regexp cannot match.
const maxMatching = 100 * time.Millisecond

func newPattern(source string) (*pattern, error) {
	p := &pattern{source: source, whole: `(?s:.*)`}
	text, exact, err := source, true, error(nil)
	if _, invalid := syntax.Parse(source, syntax.Perl); invalid != nil {
		text, exact, err = translate(source)
	}
	if err == nil {
		var whole string
		if whole, err = wholetext.Of(text); err == nil {
			p.whole = whole
		}
	}
	if err == nil && exact {
		if p.re, err = regexp.Compile(text); err == nil {
			return p, nil
		}
	}
	full, err2 := regexp2.Compile(source, regexp2.ECMAScript|regexp2.Unicode)
	if err2 != nil {
		return nil, err2
	}
	full.MatchTimeout = maxMatching
	p.full = full
	return p, nil
}

// translate returns an expression of ECMA-262 in the syntax of package regexp. It is not exact if
// what that lacks has been left out: looking around, and references to groups.
func translate(source string) (text string, exact bool, err error) {
	t := translation{in: []rune(source), exact: true}
	if err := t.alternatives(0); err != nil {
		return "", false, fmt.Errorf("%q: %w", source, err)
	}
	return t.out.String(), t.exact, nil
}

type translation struct {
	in    []rune
	at    int
	out   strings.Builder
	exact bool
}

func (t *translation) next() (r rune, ok bool) {
	if t.at == len(t.in) {
		return 0, false
	}
	t.at++
	return t.in[t.at-1], true
}

// follows reports whether s comes next, and skips it.
func (t *translation) follows(s string) bool {
	rs := []rune(s)
	if t.at+len(rs) > len(t.in) || string(t.in[t.at:t.at+len(rs)]) != s {
		return false
	}
	t.at += len(rs)
	return true
}

// alternatives translates up to the end of a group, or of the text.
func (t *translation) alternatives(depth int) error {
	for {
		r, ok := t.next()
		switch {
		case !ok && depth > 0:
			return fmt.Errorf("a group does not end")
		case !ok:
			return nil
		case r == ')' && depth == 0:
			return fmt.Errorf("a ) without its (")
		case r == ')':
			t.out.WriteByte(')')
			return nil
		case r == '(':
			if err := t.group(depth); err != nil {
				return err
			}
		case r == '[':
			if err := t.class(); err != nil {
				return err
			}
		case r == '\\':
			if err := t.escape(false); err != nil {
				return err
			}
		default:
			t.out.WriteRune(r)
		}
	}
}

func (t *translation) group(depth int) error {
	around := false
	for _, begin := range []string{"?=", "?!", "?<=", "?<!"} {
		around = around || t.follows(begin)
	}
	if !around {
		t.out.WriteByte('(')
		return t.alternatives(depth + 1)
	}
	// What is looked for is left out.
	t.exact = false
	kept := t.out
	t.out = strings.Builder{}
	err := t.alternatives(depth + 1)
	t.out = strings.Builder{}
	t.out.WriteString(kept.String() + "(?:)")
	return err
}

func (t *translation) class() error {
	not := t.follows("^")
	if t.follows("]") {
		if not {
			t.out.WriteString(`(?s:.)`)
		} else {
			t.out.WriteString(`[^\x{0}-\x{10ffff}]`)
		}
		return nil
	}
	t.out.WriteByte('[')
	if not {
		t.out.WriteByte('^')
	}
	for {
		r, ok := t.next()
		switch {
		case !ok:
			return fmt.Errorf("a [ without its ]")
		case r == ']':
			t.out.WriteByte(']')
			return nil
		case r == '\\':
			if err := t.escape(true); err != nil {
				return err
			}
		case r == '[' || r == '^' || r == '&' || r == '~':
			t.out.WriteString(`\` + string(r))
		default:
			t.out.WriteRune(r)
		}
	}
}

// escape translates what follows a backslash.
func (t *translation) escape(class bool) error {
	r, ok := t.next()
	if !ok {
		return fmt.Errorf("a backslash at the end")
	}
	switch {
	case strings.ContainsRune("dDwWsSnrtfv", r), (r == 'b' || r == 'B') && !class:
		t.out.WriteString(`\` + string(r))
	case r == 'b': // in a class, a backspace
		t.out.WriteString(`\x08`)
	case r == 'p' || r == 'P':
		return t.property(r)
	case r == 'c' && t.at < len(t.in):
		letter, _ := t.next()
		fmt.Fprintf(&t.out, `\x{%x}`, letter%32)
	case r == 'x':
		return t.codePoint(2)
	case r == 'u' && t.follows("{"):
		end := t.at
		for end < len(t.in) && t.in[end] != '}' {
			end++
		}
		n := end - t.at
		err := t.codePoint(n)
		t.follows("}")
		return err
	case r == 'u':
		return t.codePoint(4)
	case r == '0':
		t.out.WriteString(`\x00`)
	case '1' <= r && r <= '9', r == 'k':
		t.exact = false
		for t.at < len(t.in) && '0' <= t.in[t.at] && t.in[t.at] <= '9' {
			t.at++
		}
		if r == 'k' {
			for t.at < len(t.in) && t.in[t.at-1] != '>' {
				t.at++
			}
		}
		t.out.WriteString(`(?s:.*)`)
	case r == '-' || r == '^' || r == ']':
		t.out.WriteString(`\` + string(r))
	default:
		t.out.WriteString(regexp.QuoteMeta(string(r)))
	}
	return nil
}

// codePoint translates n hexadecimal digits, or two of them that are a surrogate pair.
func (t *translation) codePoint(n int) error {
	hex := func() (rune, error) {
		if t.at+n > len(t.in) {
			return 0, fmt.Errorf("%d hexadecimal digits are missing", n)
		}
		v, err := strconv.ParseUint(string(t.in[t.at:t.at+n]), 16, 32)
		t.at += n
		return rune(v), err
	}
	r, err := hex()
	if err != nil {
		return err
	}
	if utf16.IsSurrogate(r) && n == 4 && t.follows(`\u`) {
		low, err := hex()
		if err != nil {
			return err
		}
		r = utf16.DecodeRune(r, low)
	}
	fmt.Fprintf(&t.out, `\x{%x}`, r)
	return nil
}

// properties has Go's names of the general categories, by their long names.
var properties = map[string]string{
	"Letter": "L", "Lowercase_Letter": "Ll", "Uppercase_Letter": "Lu", "Titlecase_Letter": "Lt",
	"Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Nonspacing_Mark": "Mn",
	"Spacing_Mark": "Mc", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd",
	"Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "Symbol": "S",
	"Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Separator": "Z", "Space_Separator": "Zs",
	"Other": "C", "Control": "Cc", "Format": "Cf",
}

func (t *translation) property(p rune) error {
	if !t.follows("{") {
		return fmt.Errorf(`a \%c without its {`, p)
	}
	begin := t.at
	for t.at < len(t.in) && t.in[t.at] != '}' {
		t.at++
	}
	name := string(t.in[begin:t.at])
	t.follows("}")
	for _, prefix := range []string{"Script=", "sc=", "Script_Extensions=", "scx=", "General_Category=", "gc="} {
		name = strings.TrimPrefix(name, prefix)
	}
	if short, ok := properties[name]; ok {
		name = short
	}
	fmt.Fprintf(&t.out, `\%c{%s}`, p, name)
	return nil
}
