package classes

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
)

// Keys finds the keys of messages. It keeps the last, since the messages about one value after
// another mostly have the same. The zero Keys is ready to use.
type Keys struct {
	mu          sync.Mutex
	format, all string
	words       bool
	plain       string
}

// MessageKey returns what is the same in all messages that a call of Error or Errorf writes
// about failures of one kind: the format, the texts of errors, and the first string if there
// is not a format with words. If these texts may have parts of the value, said is all of it.
func (k *Keys) MessageKey(format string, args []any) (key, said string) {
	shown := make([]any, len(args))
	words := k.hasWords(format)
	echo := false
	for i, a := range args {
		_, text := a.(string)
		_, failed := a.(error)
		echo = echo || failed || text && !words
		shown[i] = plain{a, failed || text && !words}
		words = words || text
	}
	all := fmt.Sprintln(shown...)
	if format != "" {
		all = fmt.Sprintf(format, shown...)
	}
	if echo {
		said = all
	}
	return k.plainOf(all), said
}

// hasWords reports whether a format has words of its own.
func (k *Keys) hasWords(format string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if format != k.format {
		k.format, k.words = format, letters(verb().ReplaceAllString(format, ""))
	}
	return k.words
}

func (k *Keys) plainOf(all string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if all != k.all {
		k.all, k.plain = all, engine.Plain(all)
	}
	return k.plain
}

var verb = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`%[^a-zA-Z%]*[a-zA-Z%]`)
})

func letters(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' })
}

// plain shows an argument of a message if it is one that counts.
type plain struct {
	arg    any
	counts bool
}

func (p plain) Format(s fmt.State, _ rune) {
	if p.counts {
		_, _ = fmt.Fprint(s, p.arg)
		return
	}
	_, _ = io.WriteString(s, string(engine.Left))
}

// Unechoed returns the words of what a failure says of the value of a tree, without those that
// are also in its texts and tags: an error often quotes its input. Upper and lower case are alike,
// unless the text itself is quoted. A word of one letter does not count.
func Unechoed(said string, t choices.Tree) string {
	spelled, odd := map[string][]string{}, []string{} // the words of texts, in lower case
	for i := range t {
		if t[i].Kind > choices.Text {
			continue
		}
		if strings.ContainsAny(t[i].Tag, "\"'`[]{}\n") { // words would be left out with them
			odd = append(odd, t[i].Tag)
		}
		for _, w := range wordsOf(t[i].Tag) {
			spelled[strings.ToLower(w)] = append(spelled[strings.ToLower(w)], w)
		}
	}
	slices.SortFunc(odd, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // whole texts
	for _, text := range odd {
		said = strings.ReplaceAll(said, text, string(engine.Left))
	}
	words := wordsOf(engine.Plain(said))
	var left []string
	for _, w := range words {
		lower := strings.ToLower(w)
		same := slices.Contains(spelled[lower], w)
		others := slices.ContainsFunc(spelled[lower], func(s string) bool { return slices.Contains(words, s) })
		if utf8.RuneCountInString(w) > 1 && !same && (others || spelled[lower] == nil) {
			left = append(left, lower)
		}
	}
	return strings.Join(left, " ")
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return r == utf8.RuneError || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
