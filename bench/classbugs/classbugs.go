// Package classbugs has small programs with planted bugs: what telling failures apart is measured
// by. Bugs of one oracle have the same place and message. A bug that is alone invites being
// told as many.
package classbugs

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext"
)

// The groups of subjects, by the bugs that they have together.
const (
	Many   = "12 bugs of 4 oracles"
	Losses = "10 bugs of one oracle"
	Single = "6 single bugs"
)

// Subjects returns all subjects.
func Subjects() []Subject {
	return []Subject{
		newSubject(Many, "Query", 3, queryComesBack),
		newSubject(Many, "Layers", 3, layersMerge),
		newSubject(Many, "Cut", 3, cutPoints),
		newSubject(Many, "Formula", 3, formulaRuns),

		newSubject(Losses, "Command", len(commandLosses), commandComesBack),

		newSubject(Single, "Document", 1, documentRenders),
		newSubject(Single, "Stock", 1, stockComesBack),
		newSubject(Single, "Version", 1, versionParses),
		newSubject(Single, "Page", 1, pageEnds),
		newSubject(Single, "Task", 1, taskClones),
		newSubject(Single, "Slots", 1, slotsOverlap),
	}
}

// Group returns the subjects of a group.
func Group(name string) []Subject {
	return slices.DeleteFunc(Subjects(), func(s Subject) bool { return s.Group != name })
}

// A Subject is a property of a program that has bugs.
type Subject struct {
	Group, Name string
	Bugs        int
	Check       func(t *testing.T)
	Fuzz        func(f *testing.F)

	// Entry makes a value, as the bytes of an entry of a corpus.
	Entry func(src choices.Source) ([]byte, error)

	// Shown returns the bugs that the value of an entry shows: each of them alone makes the
	// property fail.
	Shown func(entry []byte) (Set, error)
}

// A Set is a set of the bugs of a program.
type Set uint

// Told returns how many bugs have an entry, by the bugs that the values of the entries show. A bug
// has an entry if a value shows it and no other bug, or only others that have an entry already: one
// who fixes bug by bug sees it then. So of two bugs that no value shows one by one, neither has
// one.
func Told(shown []Set) int {
	var told Set
	for range shown {
		for _, bugs := range shown {
			if more := bugs &^ told; more&(more-1) == 0 {
				told |= more
			}
		}
	}
	return bits.OnesCount(uint(told))
}

// planted is the set of the bugs that the programs have.
var planted = ^Set(0)

// bug reports whether a program has a bug.
func bug(i int) bool { return planted>>i&1 != 0 }

func newSubject[V any](group, name string, bugs int, prop func(t testing.TB, v V)) Subject {
	gen := bigen.For[V]()
	ours := func(t *fuzzext.T, v V) { prop(t, v) }
	return Subject{
		Group: group,
		Name:  name,
		Bugs:  bugs,
		Check: func(t *testing.T) { fuzzext.Check(t, gen, ours) },
		Fuzz:  func(f *testing.F) { f.Fuzz(fuzzext.Valid(gen, ours)) },
		Entry: func(src choices.Source) ([]byte, error) {
			_, tree, err := bigen.Run(gen, src)
			return choices.Encode(tree), err
		},
		Shown: func(entry []byte) (shown Set, err error) {
			v, err := bigen.Decode(gen, entry)
			if err != nil {
				return 0, err
			}
			if fails(prop, v, 0) {
				return 0, fmt.Errorf("%s: without a bug, %+v fails", name, v)
			}
			for i := range bugs {
				if fails(prop, v, 1<<i) {
					shown |= 1 << i
				}
			}
			return shown, nil
		},
	}
}

// fails reports whether a property fails for a value, with some bugs.
func fails[V any](prop func(t testing.TB, v V), v V, bugs Set) (failed bool) {
	defer func(all Set) { planted, failed = all, recover() != nil }(planted)
	planted = bugs
	prop(failure{}, v)
	return false
}

// failure panics when a property fails.
type failure struct{ testing.TB }

func (failure) Helper() {}
