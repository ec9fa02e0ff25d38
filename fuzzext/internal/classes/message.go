package classes

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
)

// Message returns what a call of Error or Errorf says about all failures of one kind: the format,
// the texts of errors, and the first string if there is not a format with words. Such texts may
// have parts of the value: then echoes is true.
func Message(format string, args []any) (said string, echoes bool) {
	shown := make([]any, len(args))
	words := hasWords(verb().ReplaceAllString(format, ""))
	for i, a := range args {
		_, text := a.(string)
		_, failed := a.(error)
		counts := failed || text && !words
		shown[i] = argument{a, counts}
		words, echoes = words || text, echoes || counts
	}
	if format == "" {
		return fmt.Sprintln(shown...), echoes
	}
	format = verb().ReplaceAllStringFunc(format, func(v string) string {
		if strings.HasSuffix(v, "p") || strings.HasSuffix(v, "T") { // no method of an argument is called
			return v[:len(v)-1] + "v"
		}
		return v
	})
	return fmt.Sprintf(format, shown...), echoes
}

var verb = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`%[^a-zA-Z%]*[a-zA-Z%]`)
})

func hasWords(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' })
}

// An argument shows an argument of a message if it is one that counts.
type argument struct {
	any
	counts bool
}

// Format implements [fmt.Formatter].
func (a argument) Format(s fmt.State, _ rune) {
	if a.counts {
		_, _ = fmt.Fprint(s, a.any)
		return
	}
	_, _ = io.WriteString(s, string(engine.Left))
}

// Texts returns the texts and the tags of a tree.
func Texts(t choices.Tree) (texts []string) {
	for i := range t {
		if t[i].Kind <= choices.Text && t[i].Tag != "" {
			texts = append(texts, t[i].Tag)
		}
	}
	return texts
}
