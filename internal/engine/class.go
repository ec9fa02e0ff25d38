package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Left stands in a [Plain] text for what has been left out.
const Left = '…'

// maxPlain is how many bytes a [Plain] text has at most.
const maxPlain = 200

// Plain returns the first line of what a test says, without what differs from one failure to
// the next of the same kind: numbers, addresses, quoted text, and what is between brackets or
// braces. Of what a package of assertions writes, it takes the line of the error.
func Plain(message string) string {
	p := plainer{text: firstLine(message)}
	for p.text != "" && p.out.Len() < maxPlain {
		p.next()
	}
	return strings.TrimSpace(p.out.String())
}

// firstLine returns the first line with text, or the one labeled Error: with the next line if
// it ends with a colon.
func firstLine(message string) string {
	if _, labeled, ok := strings.Cut(message, "\tError:"); ok && strings.Contains(message, "Error Trace:") {
		message = labeled
	}
	first := ""
	for message != "" {
		var line string
		line, message, _ = strings.Cut(message, "\n")
		line = strings.TrimSpace(line)
		first = strings.TrimSpace(first + " " + line)
		if first != "" && !strings.HasSuffix(first, ":") {
			break
		}
	}
	return first
}

// A plainer makes a text plain.
type plainer struct {
	text string // that is left
	out  strings.Builder
	last rune // of out
}

func (p *plainer) next() {
	r, n := utf8.DecodeRuneInString(p.text)
	inWord := unicode.IsLetter(p.last) || p.last == '_'
	switch {
	case r == '"' || r == '`' || r == '\'' && !inWord:
		p.leave(quoted(p.text, byte(r)))
	case r == '{' || r == '[':
		p.leave(bracketed(p.text))
	case isDigit(r) && !inWord:
		p.leave(number(p.text))
	case (r == '-' || r == '+') && !inWord && p.last != Left && len(p.text) > 1 && isDigit(rune(p.text[1])):
		p.leave(1 + number(p.text[1:]))
	case r == Left:
		p.leave(n)
	case unicode.IsSpace(r):
		p.text = p.text[n:]
		if p.last != ' ' && p.last != 0 {
			p.put(' ')
		}
	case inWord && unicode.IsDigit(r): // int64
		p.text = p.text[n:]
		p.out.WriteRune(r)
	default:
		p.text = p.text[n:]
		p.put(r)
	}
}

func (p *plainer) put(r rune) {
	p.out.WriteRune(r)
	p.last = r
}

// leave leaves out n bytes. One mark stands for several parts left out in a row.
func (p *plainer) leave(n int) {
	p.text = p.text[n:]
	done := strings.TrimRight(p.out.String(), " ,-+")
	if strings.HasSuffix(done, string(Left)) {
		p.out.Reset()
		p.out.WriteString(done)
		p.last = Left
		return
	}
	p.put(Left)
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// number returns the length of the number at the beginning of s, or of another word.
func number(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.'
	}))
}

// quoted returns the length of the quoted text at the beginning of s, or 1.
func quoted(s string, quote byte) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote != '`':
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return 1
}

// bracketed returns the length of s up to the bracket that closes the first, or all of it.
func bracketed(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '`':
			i += quoted(s[i:], s[i]) - 1
		}
	}
	return len(s)
}

// ClassOf returns the class of a failure, given what the test has printed: its place, and what
// the test says there. It is "" if the place is not known.
func ClassOf(log string) string {
	place := PlaceOf(log)
	if place == "" {
		return ""
	}
	at := strings.Index(log, place+":")
	if at < 0 {
		return place
	}
	return JoinClass(place, Plain(log[at+len(place)+1:]))
}

// JoinClass returns the class of failures in a place that say the same.
func JoinClass(place, plain string) string {
	if plain == "" {
		return place
	}
	return place + ": " + plain
}
