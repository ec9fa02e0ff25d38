// Package bug describes documented bugs of public modules, each by one property, with generators of
// Espalier and of its peers, and searches for them.
package bug

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/internal/testing/challenge"
)

// A Bug is a documented bug of a module, at the version that go.mod requires.
type Bug struct {
	Name   string // the module, short, and a number, as in bitset/1
	Title  string // what is wrong, in one line
	Source string // who has documented it, and where
	Check  func(t *testing.T, w *Watch)
	Rapid  func(t *testing.T, w *Watch)

	// Challenge is to minimize failing values; the zero Challenge if the values are calls.
	Challenge challenge.Challenge

	// Any is the property of values of any type; the zero Any if the values are calls.
	Any Any

	// Fuzz targets of the same property, whose inputs fuzzext.Valid and rapid.MakeFuzz read.
	FuzzValid, FuzzRapid func(f *testing.F)
}

// Any is a generator, with the values that the property is for, and those of them that fail.
type Any struct {
	Gen          bigen.Gen[any]
	Valid, Fails func(v any) bool
}

// A Spec is a Bug with a property of values of one type.
type Spec[V any] struct {
	Name, Title, Source string

	// Fails returns what is wrong about a value, or "". A panic is wrong, too. Fails must not change
	// the value.
	Fails func(v V) string

	// Valid, if given, says which values Fails is for. Others neither fail nor pass, but count as
	// values.
	Valid func(v V) bool

	// Gen and Rapid make the same values, as users of the two libraries would write it.
	Gen   bigen.Gen[V]
	Rapid func(t *rapid.T) V
}

// New returns the bug of a Spec.
func New[V any](s Spec[V]) Bug {
	return Bug{
		Name: s.Name, Title: s.Title, Source: s.Source,
		Challenge: challenge.New(s.Name, s.Gen, func(v V) bool {
			return (s.Valid == nil || s.Valid(v)) && failure(s.Fails, v) != ""
		}),
		Any: Any{
			Gen: bigen.Iso(s.Gen, func(v V) any { return v }, func(v any) (V, bool) {
				of, ok := v.(V)
				return of, ok
			}),
			Valid: func(v any) bool { return s.Valid == nil || s.Valid(v.(V)) },
			Fails: func(v any) bool { return failure(s.Fails, v.(V)) != "" },
		},
		Check: func(t *testing.T, w *Watch) {
			fuzzext.Check(t, s.Gen, func(t *fuzzext.T, v V) { t.Assume(s.judge(t, w, v)) })
		},
		Rapid: func(t *testing.T, w *Watch) {
			rapid.Check(t, func(t *rapid.T) {
				if !s.judge(t, w, s.Rapid(t)) {
					t.SkipNow()
				}
			})
		},
		FuzzValid: func(f *testing.F) {
			f.Fuzz(fuzzext.Valid(s.Gen, func(t *fuzzext.T, v V) { t.Assume(s.judge(t, endless(), v)) }))
		},
		FuzzRapid: func(f *testing.F) {
			f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
				if !s.judge(t, endless(), s.Rapid(t)) {
					t.SkipNow()
				}
			}))
		},
	}
}

// Sequences is a Bug that calls show, by a model in callseq and a state machine of rapid's.
type Sequences struct {
	Name, Title, Source string

	Model *callseq.Model
	Rapid func(t *rapid.T, calls *int) // which counts the calls that it makes
}

// NewSequences returns the bug of calls.
func NewSequences(s Sequences) Bug {
	check := func(t *fuzzext.T, w *Watch, calls callseq.Calls) {
		n := len(calls)
		run(t, w, &n, func() { s.Model.Run(t, calls) })
	}
	draw := func(t *rapid.T, w *Watch) {
		calls := 0
		run(t, w, &calls, func() { s.Rapid(t, &calls) })
	}
	return Bug{
		Name: s.Name, Title: s.Title, Source: s.Source,
		Check: func(t *testing.T, w *Watch) {
			fuzzext.Check(t, s.Model.Gen(), func(t *fuzzext.T, calls callseq.Calls) { check(t, w, calls) })
		},
		Rapid: func(t *testing.T, w *Watch) { rapid.Check(t, func(t *rapid.T) { draw(t, w) }) },
		FuzzValid: func(f *testing.F) {
			f.Fuzz(fuzzext.Valid(s.Model.Gen(), func(t *fuzzext.T, calls callseq.Calls) {
				check(t, endless(), calls)
			}))
		},
		FuzzRapid: func(f *testing.F) { f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { draw(t, endless()) })) },
	}
}

// run runs a property that fails t itself, or panics.
func run(t interface{ Failed() bool }, w *Watch, size *int, prop func()) {
	if w.begin() {
		return
	}
	defer func() {
		r := recover()
		// by which it skips
		if t.Failed() || r != nil && !strings.HasPrefix(fmt.Sprintf("%T", r), "rapid.") {
			w.found(*size)
		}
		if r != nil {
			panic(r)
		}
	}()
	prop()
}

// judge is the property. It reports whether the value is valid.
func (s Spec[V]) judge(t fatal, w *Watch, v V) (valid bool) {
	switch {
	case w.begin():
		return true
	case s.Valid != nil && !s.Valid(v):
		return false
	}
	if what := failure(s.Fails, v); what != "" {
		w.found(sizeOf(v))
		t.Fatalf("%s", what)
	}
	return true
}

type fatal interface {
	Fatalf(format string, args ...any)
}

func failure[V any](fails func(v V) string, v V) (what string) {
	defer func() {
		if r := recover(); r != nil {
			what = fmt.Sprint("panic: ", r)
		}
	}()
	return fails(v)
}
