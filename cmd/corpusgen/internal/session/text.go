package session

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/espalier-go/espalier/internal/visible"
)

func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Names lists packages and the like, about five by name, or all.
func Names(names []string, all bool) string {
	if shown := Shown(len(names), 5); !all && shown < len(names) {
		names = append(slices.Clone(names[:shown]), fmt.Sprintf("%d others", len(names)-shown))
	}
	return strings.Join(names, ", ")
}

// Shown returns how many of n things to list if a list has room for most and a line that counts the
// others. That line never stands for one thing, which needs no more room.
func Shown(n, most int) int {
	if n == most+1 {
		return n
	}
	return min(n, most)
}

func Indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}

func Count(n int, one, many string) string {
	return fmt.Sprintf("%d %s", n, Verb(n, one, many))
}

func Percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(of))
}

// FirstLine returns the first line of a text that is not blank.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Print prints a text so that a terminal does nothing but show it.
func Print(w io.Writer, text string) { io.WriteString(w, visible.Text(text)) }

// paint colors the lines that say how something has ended: red for failures, green for success.
func paint(text string) string {
	return outcome.ReplaceAllStringFunc(text, func(line string) string {
		if good.MatchString(line) {
			return "\x1b[32m" + line + "\x1b[0m"
		}
		return "\x1b[1;31m" + line + "\x1b[0m"
	})
}

var (
	outcome = regexp.MustCompile(`(?m)^(?:\S+: )?(?:\s*--- FAIL: .*|FAIL\b.*|\tfailures?(?: at|:) .*|` +
		`ok  \t.*|PASS)$`)
	good = regexp.MustCompile(`^(?:\S+: )?(?:ok  \t|PASS$)`)
)

// A printable writes JSON with escapes for what does not print.
type printable struct{ io.Writer }

func (w printable) Write(b []byte) (int, error) {
	var escaped []byte
	for _, r := range string(b) {
		if r == '\n' || unicode.IsPrint(r) {
			escaped = utf8.AppendRune(escaped, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			escaped = fmt.Appendf(escaped, `\u%04x`, unit)
		}
	}
	_, err := w.Writer.Write(escaped)
	return len(b), err
}

// Printable returns a text that fits in a cell of a line: quoted if it has characters that do not
// show.
func Printable(text string) string {
	if q := strconv.Quote(text); q != `"`+text+`"` {
		return q
	}
	return text
}
