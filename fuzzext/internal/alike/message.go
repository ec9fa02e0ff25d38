package alike

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/internal/engine"
)

// MessageKey returns what is the same in all messages that a call of Error or Errorf writes
// about failures of one kind: the format, the texts of errors, and the first string if there
// is no format with words. If these texts may have parts of the value, said is all of it.
func MessageKey(format string, args []any) (key, said string) {
	shown := make([]any, len(args))
	words := letters(verb.ReplaceAllString(format, ""))
	echo := false
	for i, a := range args {
		_, text := a.(string)
		_, failed := a.(error)
		echo = echo || failed || text && !words
		shown[i] = plain{a, text && !words}
		words = words || text
	}
	all := ""
	if format == "" {
		all = fmt.Sprintln(shown...)
	} else {
		all = fmt.Sprintf(format, shown...)
	}
	if echo {
		said = all
	}
	return engine.Plain(all), said
}

var verb = regexp.MustCompile(`%[^a-zA-Z%]*[a-zA-Z%]`)

func letters(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' })
}

// plain shows an argument of a message: an error, and a string that is the message.
type plain struct {
	arg     any
	message bool
}

func (p plain) Format(s fmt.State, _ rune) {
	switch arg := p.arg.(type) {
	case error:
		_, _ = io.WriteString(s, arg.Error())
	case string:
		if p.message {
			_, _ = io.WriteString(s, arg)
			return
		}
		_, _ = io.WriteString(s, string(engine.Left))
	default:
		_, _ = io.WriteString(s, string(engine.Left))
	}
}
