package fuzzext

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// count returns a number and a noun, in the plural unless the number is 1.
func count(n int, noun string) string { return countOf(n, noun, noun+"s") }

// countOf is count for a noun with a plural of its own.
func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }

// shorten cuts a text after so many bytes.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + fmt.Sprintf(" ... (cut after %d of %d bytes)", end, len(s))
}
