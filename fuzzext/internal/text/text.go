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

// Parts returns a function that writes a part of a report: a title, and below it an indented body.
// It writes nothing if that is empty.
func Parts(b *strings.Builder) func(title, body string) {
	return func(title, body string) {
		if body != "" {
			fmt.Fprintf(b, "%s:\n%s\n", title, Indent(body))
		}
	}
}

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

// Line returns the first line of a text that is not empty.
func Line(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// Lines returns at most so many lines of a text, each of at most so many bytes.
func Lines(s string, most, bytes int) string {
	lines := strings.Split(s, "\n")
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	for i, l := range lines {
		lines[i] = Shorten(strings.TrimRight(l, " \t"), bytes)
	}
	return strings.Join(lines, "\n")
}

// AfterRun says which failures came after the end of their run.
func AfterRun(failures []string) string {
	return "a run failed after the property had returned, so its value is not known:\n" +
		Indent(strings.Join(failures, "\n")) +
		"\nthe property must wait for the goroutines that it starts, for example with a sync.WaitGroup"
}

// Placed puts the place of a message before it.
func Placed(where, s string) string {
	return where + ": " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n    ")
}
