package engine

import (
	"cmp"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
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
		return regexp.MustCompile(`\[[^][{}]*\]|\{[^][{}]*\}`)
	})
	unclosed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[[{].*$`) })
	escape   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[[:xdigit:]]{2}`) })
	// number also matches words in hexadecimal, joined by hyphens, too, and words that have letters
	// after digits, or more than three digits: identifiers that are made by chance have these.
	number = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(^|[^\pL\pN_])(?:U\+[[:xdigit:]]{4,6}\b|` +
			`[[:xdigit:]]{4,}(?:-[[:xdigit:]]{4,})+\b|[[:xdigit:]]{8,}\b|` +
			`[-+]?\pN[\pL\pN_.]*|[\pL_]+(?:\pN+[\pL_]|\pN{4})[\pL\pN_]*)`)
	})
	constant = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(^|[^\pL\pN_])(?:<nil>|[-+]?(?:true|false|nil|NaN|Inf)\b)|\bbe \w+`)
	})
	path    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\S*[/\\]\S*`) })
	part    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^/\\\s]*\pN[^/\\\s]*`) })
	several = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`…(?:[ ,+-]*…)+`) })
	spaces  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s+`) })
	indents = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n[ \t]+`) })
)

// Plain returns the first line of what a test says, without what differs from one failure to
// the next of the same kind: numbers, identifiers made by chance, parts of paths with digits,
// predeclared constants, quoted text, what is between brackets or braces. From the output of an
// assertion package, it takes the line of the error.
//
// If there are texts, which are the input's, it returns only the words that are not in them, as they
// are or in hexadecimal: an error often quotes its input. Upper and lower case are alike, unless the
// message has the word itself.
func Plain(message string, texts ...string) string {
	said, labeled := errorIn(message)
	text := firstLine(withoutWhole(said, texts), labeled)
	text = quoted().ReplaceAllString(text[:min(len(text), maxLine)], "${1}…")
	for before := ""; before != text; {
		before, text = text, bracketed().ReplaceAllString(text, "…")
	}
	text = unclosed().ReplaceAllString(text, "…")
	text = escape().ReplaceAllStringFunc(text, func(found string) string {
		if slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, found) }) {
			return found // a word of the input stays whole
		}
		return string(Left)
	})
	text = number().ReplaceAllString(text, "${1}…")
	text = constant().ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, "be ") {
			return found // what should be true is not the value
		}
		return constant().ReplaceAllString(found, "${1}…")
	})
	if strings.ContainsAny(text, `/\`) {
		text = path().ReplaceAllStringFunc(text, func(path string) string {
			return part().ReplaceAllString(path, "…") // of a directory that is new for each run
		})
	}
	if len(texts) > 0 {
		text = onlyOwn(text, message[:min(len(message), maxLine)], texts)
	}
	text = spaces().ReplaceAllString(several().ReplaceAllString(text, "…"), " ")
	return strings.TrimSpace(strings.ToValidUTF8(text[:min(len(text), maxPlain)], ""))
}

// withoutWhole leaves out whole texts of more than words, which a message may indent.
func withoutWhole(message string, texts []string) string {
	var odd []string
	for _, t := range texts {
		if len(t) <= maxLine && strings.ContainsAny(t, "\"'`[]{}\n") {
			odd = append(odd, t)
		}
	}
	if len(odd) > 0 {
		message = indents().ReplaceAllString(message, "\n")
	}
	slices.SortFunc(odd, func(s, t string) int { return cmp.Compare(len(t), len(s)) })
	for _, t := range odd {
		message = strings.ReplaceAll(message, indents().ReplaceAllString(t, "\n"), string(Left))
	}
	return message
}

// onlyOwn returns the words of a line, without those of one letter, and without those that are also
// in texts. The message may have had more of these.
func onlyOwn(line, message string, texts []string) string {
	said, echoed := map[string]bool{}, map[string]bool{}
	for _, w := range wordsOf(message) {
		said[w] = true
	}
	words := wordsOf(line)
	for _, text := range texts {
		for _, t := range wordsOf(text) {
			for _, w := range words {
				echoed[w] = echoed[w] || w == t || !said[t] && strings.EqualFold(w, t)
			}
		}
		for _, w := range words {
			b, err := hex.DecodeString(w)
			echoed[w] = echoed[w] || err == nil && strings.Contains(text, string(b))
		}
	}
	words = slices.DeleteFunc(words, func(w string) bool {
		return utf8.RuneCountInString(w) == 1 || echoed[w]
	})
	return strings.Join(words, " ")
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !isWord(r) })
}

func isWord(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// errorIn returns what an assertion package labels as the error, or else the message.
func errorIn(message string) (said string, labeled bool) {
	if strings.Contains(message, "Error Trace:") {
		if parts := label().Split(message, 2); len(parts) == 2 {
			return otherLabel().Split(parts[1], 2)[0], true
		}
	}
	return message, false
}

// firstLine returns the first line with text. If it ends with a colon, the next one belongs to it in
// an error of an assertion package; elsewhere, a value is printed below. A line that ends with an
// opening bracket is the beginning of a value, or of a difference.
func firstLine(message string, labeled bool) (first string) {
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(line)
		if opens := strings.TrimRight(line, "({["); opens != line {
			words := strings.TrimRightFunc(opens, func(r rune) bool { return !unicode.IsSpace(r) })
			return strings.TrimSpace(first + " " + words)
		}
		first = strings.TrimSpace(first + " " + line)
		if first != "" && !(labeled && strings.HasSuffix(first, ":")) {
			break
		}
	}
	return first
}

// label and otherLabel match what begins the lines of an assertion package.
var (
	label      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]*Error:`) })
	otherLabel = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*(?:Test|Messages):`)
	})
)

// ClassOf returns the class of a failure, given what the test has printed, and the texts of its
// input: its place, and what the test says there. It is [Unsaid] if the test only fails, and "" if the
// place is not known.
func ClassOf(log string, texts ...string) string {
	place := PlaceOf(log)
	switch {
	case place == "" && isUnsaid(log):
		return Unsaid
	case place == "":
		return ""
	}
	_, said, _ := strings.Cut(log, place+":")
	return JoinClass(place, Plain(said, texts...))
}

// Unsaid is the class of the failures of a test that calls FailNow and says nothing.
const Unsaid = "a failure without a message"

// isUnsaid reports whether a test has printed no more than that it fails.
func isUnsaid(log string) (fails bool) {
	for line := range strings.Lines(log) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "--- FAIL: "):
			fails = true
		case line != "" && line != "FAIL":
			return false
		}
	}
	return fails
}

// JoinClass returns the class of failures in a place that have the same message.
func JoinClass(place, plain string) string {
	if plain == "" {
		return place
	}
	return place + ": " + plain
}
