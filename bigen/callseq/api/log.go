package api

import (
	"reflect"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/panics"
)

// A Log notes how functions and stubs that are arguments are called. See [C.Log].
type Log interface {
	Calls() []string // so far, as text
	Reset()          // forgets them
}

// Log declares a variable of a test, by its name and the code that makes it. Functions and stubs
// that are arguments note in it how they are called, so that tests can compare that:
//
//	log := new(callLog)
//	c.Log("log", "new(callLog)", log)
//	api.Expr("func(n int) { log.add(n) }", func(n int) { log.add(n) })
//
// It forgets all calls before each sequence.
func (c *C) Log(name, code string, log Log) { c.m.log = logging{Log: log, name: name, code: code} }

// logging is what is known of a [Log].
type logging struct {
	Log
	name, code string
	before     []string // its calls before the call that runs
}

// uses reports whether code has the log.
func (l *logging) uses(code string) bool {
	return l.Log != nil &&
		(strings.Contains(code, l.name+".") || strings.Contains(code, "{"+l.name+"}"))
}

// ofLog is the number that stands for the log in place of that of an argument.
const ofLog = -1

// maxLogged bounds how many calls of a log a test compares.
const maxLogged = 12

// notes takes note of what a call has added to the log.
func (x *tracer) notes(t *traced) {
	if x.log.Log == nil {
		return
	}
	var added any = opaque{}
	if calls := x.log.Calls(); len(calls) <= maxLogged && !reflect.DeepEqual(calls, x.log.before) {
		added = slices.Clone(calls)
	}
	t.views, t.left = append(t.views, view{ofLog, ".Calls()"}), append(t.left, added)
}

// byCallback reports whether a function literal of the harness that is an argument has panicked,
// not what has called it.
func (m *machine) byCallback() bool {
	inner := false
	if m.log.Log == nil {
		return false
	}
	for f := range panics.Frames() {
		if strings.HasPrefix(f.Function, "runtime.") {
			continue
		}
		if inner {
			return !strings.HasSuffix(f.Function, "/api.(*C).Do")
		}
		if inner = strings.HasPrefix(f.Function, m.defined+"."); !inner {
			return false
		}
	}
	return false
}
