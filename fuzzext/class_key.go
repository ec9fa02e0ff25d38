package fuzzext

import (
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"

	"github.com/espalier-go/espalier/internal/engine"
)

// The class of a failure tells it from others: two of one class count as one. Unless the
// property names it ([T.Class]), it consists of
//
//  1. the place: the line that calls Error or the like, or that panics;
//  2. of a panic, the type and the functions below the place, or
//  3. what the property says there, less the values in it, and less what is also in the value
//     that the property has been given ([runner.classOf]).
//
// To minimize a failure, the place alone is enough, except where classes are collected.

// messageKey returns what is the same in all messages that a call of Error or Errorf writes
// about failures of one kind: the format, the texts of errors, and the first string if there
// is no format with words. If these texts may have parts of the value, said is all of it.
func messageKey(format string, args []any) (key, said string) {
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

// keyFrames is how many functions the key of a panic has.
const keyFrames = 3

// panicKey returns what distinguishes a panic from others in its place: its type, and the
// functions that were running. It is called while the panic is being recovered.
func panicKey(value any, helpers map[string]bool) string {
	key := fmt.Sprintf("%T", value)
	panicked := false
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var names []string
	for more := true; more && len(names) < keyFrames; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case !panicked || helpers[f.Function] || standard(f) || strings.HasPrefix(f.Function, "runtime."):
		case strings.HasPrefix(f.Function, thisPackage):
			more = false // the property has been called
		default:
			name := f.Function[strings.LastIndexByte(f.Function, '/')+1:]
			if !strings.Contains("\n"+strings.Join(names, "\n")+"\n", "\n"+name+"\n") { // recursion
				names = append(names, name)
			}
		}
	}
	return strings.Join(append([]string{key}, names...), " in ")
}
