package engine

import (
	"regexp"
	"strings"
	"sync"
)

// Left replaces what has been left out of a [Plain] text.
const Left = '…'

const (
	maxPlain = 200     // bytes of a [Plain] text
	maxLine  = 4 << 10 // bytes from which it is made
)

var (
	quoted = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(
			"\"(?:\\\\.|[^\"\\\\])*\"|`[^`]*`|(^|[^\\pL\\d_])'(?:\\\\.|[^'\\\\])*'|[\"`]")
	})
	bracketed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\[[^][{}]*[]]|\{[^][{}]*\}|[[{].*$`)
	})
	number = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(^|[^\pL\d_])[-+]?\d[\pL\d_.]*`)
	})
	several = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`…(?:[ ,+-]*…)+`)
	})
	spaces = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\s+`)
	})
)

// Plain returns the first line of what a test says, without what differs from one failure to
// the next of the same kind: numbers, addresses, quoted text, and what is between brackets or
// braces. From the output of an assertion package, it takes the line of the error.
func Plain(message string) string {
	text := firstLine(message)
	text = quoted().ReplaceAllString(text[:min(len(text), maxLine)], "${1}…")
	for before := ""; before != text; {
		before, text = text, bracketed().ReplaceAllString(text, "…")
	}
	text = number().ReplaceAllString(text, "${1}…")
	text = spaces().ReplaceAllString(several().ReplaceAllString(text, "…"), " ")
	return strings.TrimSpace(strings.ToValidUTF8(text[:min(len(text), maxPlain)], ""))
}

// firstLine returns the first line with text, or the one labeled Error: with the next line if
// it ends with a colon.
func firstLine(message string) (first string) {
	if _, labeled, ok := strings.Cut(message, "\tError:"); ok &&
		strings.Contains(message, "Error Trace:") {
		message = labeled
	}
	for line := range strings.Lines(message) {
		first = strings.TrimSpace(first + " " + strings.TrimSpace(line))
		if first != "" && !strings.HasSuffix(first, ":") {
			break
		}
	}
	return first
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

// JoinClass returns the class of failures in a place that have the same message.
func JoinClass(place, plain string) string {
	if plain == "" {
		return place
	}
	return place + ": " + plain
}
