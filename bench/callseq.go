package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/espalier-go/espalier/bench/seqbugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/mutate"
	"pgregory.net/rapid"
)

const (
	seqSeeds   = 20
	seqMinimal = 6 // how many calls reveal each of the bugs
)

// seqLines returns the lines of the functions that describe go-immutable-radix, with callseq and
// with rapid's Repeat.
func seqLines(run) (ours, base figure, err error) {
	_, file, _, _ := runtime.Caller(0)
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, filepath.Join(filepath.Dir(file), "callseq_radix.go"), nil,
		parser.SkipObjectResolution)
	if err != nil {
		return ours, base, err
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			n := float64(files.Position(d.End()).Line - files.Position(d.Pos()).Line + 1)
			switch d.Name.Name {
			case "ourSeqRadix":
				ours.value = n
			case "rapidSeqRadix":
				base.value = n
			}
		}
	}
	return ours, base, nil
}

// seqFound is what was found with each seed.
type seqFound struct {
	Values []int // sequences up to the first that fails
	Calls  []int // of the minimal sequence
}

func (s seqFound) values() figure { return medianValues(s.Values) }

func (s seqFound) minimal() (n figure) {
	for _, calls := range s.Calls {
		if calls == seqMinimal {
			n.value++
		}
	}
	return n
}

// sequences looks for a bug with the sequences of fuzzext.Check, and with rapid's Repeat.
func sequences(of func(seqFound) figure) measure {
	return func(r run) (ours, base figure, err error) {
		bug := "radix " + r.args[0]
		return both(func() (seqFound, error) {
			return once(bug, func() (seqFound, error) { return seqFind(bug) })
		}, func() (seqFound, error) {
			return once(bug+" rapid", func() (seqFound, error) {
				return asked[seqFound](order{Do: "sequences", On: bug}, fmt.Sprint("-rapid.checks=", valuesCap))
			})
		}, of)
	}
}

func seqFind(bug string) (found seqFound, err error) {
	for seed := range uint64(seqSeeds) {
		model := callseq.New(ourSeqRadix)
		rnd := rand.New(rand.NewPCG(seed, sampleStream))
		n, calls, failing := 0, valuesCap, choices.Tree(nil)
		for n < valuesCap && failing == nil {
			v, tree, err := bigen.Run(model.Gen(), varied.Source(rnd, n))
			if err != nil {
				return found, err
			}
			if n++; seqRun(model, v, bug).failed {
				failing = tree
			}
		}
		if failing != nil {
			remake := func(t choices.Tree) (callseq.Calls, choices.Tree, error) {
				return bigen.Run(model.Gen(), choices.Replay(t, nil))
			}
			minimal, _, _ := mutate.Minimize(failing, remake,
				func(v callseq.Calls) bool { return seqRun(model, v, bug).failed }, 2000)
			v, _, err := remake(minimal)
			if err != nil {
				return found, err
			}
			calls = len(v)
		}
		found.Values, found.Calls = append(found.Values, n), append(found.Calls, calls)
	}
	return found, nil
}

// seqRun runs a sequence with a bug.
func seqRun(model *callseq.Model, v callseq.Calls, bug string) *seqTB {
	tb := &seqTB{}
	seqbugs.Planted = bug
	model.Run(tb, v)
	seqbugs.Planted = ""
	return tb
}

// A seqTB is the test of one run.
type seqTB struct {
	testing.TB
	failed bool
	log    bytes.Buffer
}

func (*seqTB) Helper()              {}
func (tb *seqTB) Failed() bool      { return tb.failed }
func (tb *seqTB) Fail()             { tb.failed = true }
func (*seqTB) Skipped() bool        { return false }
func (tb *seqTB) Output() io.Writer { return &tb.log }
func (tb *seqTB) Errorf(format string, args ...any) {
	tb.failed = true
	fmt.Fprintf(&tb.log, format+"\n", args...)
}

func (tb *seqTB) Fatalf(format string, args ...any) {
	panic(fmt.Sprintf(format, args...)) // what a model must not do
}

func seqOrder(o order, t *testing.T) {
	seqbugs.Planted = o.On
	var found seqFound
	for seed := range seqSeeds {
		seedRapid(seed)
		n, calls, failed := 0, valuesCap, false
		t.Run("", func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				seqbugs.Calls = 0
				if !failed {
					n++
				}
				defer func() {
					if t.Failed() {
						failed, calls = true, seqbugs.Calls
					}
				}()
				rapidSeqRadix(t)
			})
		})
		found.Values, found.Calls = append(found.Values, n), append(found.Calls, calls)
	}
	o.answer(found)
}
