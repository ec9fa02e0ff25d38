// Package text has what reports write numbers, lists and long texts with.
package text

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Count returns a number and a noun, in the plural unless the number is 1.
func Count(n int, noun string) string { return CountOf(n, noun, noun+"s") }

// CountOf is Count for a noun with a plural of its own.
func CountOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Indent indents each line.
func Indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }

// Shorten cuts a text after so many bytes.
func Shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + fmt.Sprintf(" ... (cut after %d of %d bytes)", end, len(s))
}
