package callseq

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
)

// Error is Log and Fail.
func (c *C) Error(args ...any) {
	c.TB.Helper()
	c.noteFailure(fmt.Sprintln(args...))
	c.TB.Error(args...)
}

// Errorf is Logf and Fail.
func (c *C) Errorf(format string, args ...any) {
	c.TB.Helper()
	c.noteFailure(fmt.Sprintf(format, args...))
	c.TB.Errorf(format, args...)
}

// Fatal is Log and FailNow.
func (c *C) Fatal(args ...any) {
	c.TB.Helper()
	c.noteFailure(fmt.Sprintln(args...))
	c.TB.Fatal(args...)
}

// Fatalf is Logf and FailNow.
func (c *C) Fatalf(format string, args ...any) {
	c.TB.Helper()
	c.noteFailure(fmt.Sprintf(format, args...))
	c.TB.Fatalf(format, args...)
}

// noteFailure keeps the text of a failure for the report.
func (c *C) noteFailure(text string) {
	if r := c.runner; r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.failures = append(r.failures, text)
	}
}

// failure returns the first line of the first failure, and the names of instances in it.
func (r *runner) failure() (line string, named map[Name]bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.failures) == 0 {
		return "", nil
	}
	named = map[Name]bool{}
	said := words(strings.Join(r.failures, "\n"))
	for _, n := range r.instances {
		if n.name != "" && slices.Contains(said, string(n.name)) {
			named[n.name] = true
		}
	}
	text := r.failures[0]
	if _, after, ok := strings.Cut(text, "\tError:"); ok { // of package testify
		text, _, _ = strings.Cut(after, "\tTest:")
		text, _, _ = strings.Cut(text, "Diff:")
		return gocode.Shorten(gocode.OneLine(text)), named
	}
	line, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return gocode.Shorten(line), named
}

// words returns what could be identifiers in a text.
func words(s string) []string {
	return strings.FieldsFunc(s, func(x rune) bool {
		return x != '_' && !unicode.IsLetter(x) && !unicode.IsDigit(x)
	})
}
