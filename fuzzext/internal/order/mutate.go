package order

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/mutate"
	"golang.org/x/exp/slices"
)

// A mutation makes mutants of the entries of a corpus.
type mutation struct {
	*worker
	o       *job.Mutate
	mutator mutate.Mutator
	parents []string        // names of the entries whose choices are the mutator's corpus
	seen    map[string]bool // values, by their keys
	places  map[string]bool // where the property has failed
	drawn   struct{ tried, valid int }
	begun   time.Time // the first value
	end     job.End
}

// mutate makes mutants. Each is a function of the corpus, the seed and its number.
func (w *worker) mutate(o *job.Mutate) job.End {
	operators, err := operatorsOf(o.Operators)
	if err != nil {
		return job.End{Error: err.Error()}
	}
	m := w.mutation(o, operators)
	m.adopt()
	if len(m.parents) == 0 {
		m.end.Note = "the corpus has no value to mutate: run corpusgen seed first"
		if !o.Random {
			return m.end
		}
	}
	m.begun = time.Now()
	before := runtime.NumGoroutine()
	for found := 0; m.wanted(found); m.spend() {
		status, more := m.next()
		if status == job.Valid || o.Check && status == job.Failing {
			found++
		}
		if !more {
			if m.end.Note == "" {
				m.end.Note = "stopped at the value on which the property does not return"
			}
			return m.end
		}
	}
	// What the last runs have started may still report.
	for looks := 0; o.Check && runtime.NumGoroutine() > before && looks < 1000; looks++ {
		time.Sleep(time.Millisecond)
	}
	m.late(job.Entry{Number: m.end.Next})
	return m.end
}

func (w *worker) mutation(o *job.Mutate, operators []mutate.Operator) *mutation {
	compat := mutate.SameFamily
	if o.Same == "tag" {
		compat = mutate.SameTag
	}
	m := &mutation{
		worker:  w,
		o:       o,
		mutator: mutate.Mutator{Compat: compat, Operators: operators},
		seen:    map[string]bool{},
		places:  map[string]bool{},
		end:     job.End{Next: o.From},
	}
	for _, place := range o.Known {
		m.places[place] = true
	}
	return m
}

// wanted reports whether the order wants more mutants.
func (m *mutation) wanted(found int) bool {
	o := m.o
	return m.end.Next < o.To && (o.N == 0 || found < o.N) && (o.Limit == 0 || m.end.Spent < o.Limit)
}

// late hands over a failure that a goroutine has reported after its run. It reports whether there
// is one: nobody knows of which value.
func (m *mutation) late(e job.Entry) bool {
	late := m.Late()
	if late == "" || !m.o.Check {
		return false
	}
	m.end.Note = "stopped at a failure after a run"
	m.out.Put(job.Entry{
		Number: e.Number,
		Of:     e.Of,
		Drawn:  e.Drawn,
		Status: job.Failing,
		Why:    late,
		Place:  "after a run",
	})
	return true
}

// spend takes down how long the order has been carried out.
func (m *mutation) spend() {
	if m.o.Limit > 0 {
		m.end.Spent = time.Since(m.begun)
	}
}

// operatorsOf returns the operators with these names.
func operatorsOf(names []string) (chosen []mutate.Operator, err error) {
	all := mutate.Operators()
	for _, name := range names {
		i := slices.IndexFunc(all, func(op mutate.Operator) bool { return op.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("this version of fuzzext has no operator %q", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// adopt makes the corpus the parents. Entries that the generator rejects are none.
func (m *mutation) adopt() {
	for _, in := range m.inputs(m.o.Corpus, true) {
		if in.err != nil {
			if m.o.From == 0 { // otherwise, another process has said so
				m.out.Put(job.Entry{Number: -1, Of: in.name, Status: job.Rejected, Why: in.err.Error()})
			}
			continue
		}
		_, t, _, key, err := m.value(m.Decode(in.data))
		if err != nil || m.seen[key] {
			continue
		}
		m.seen[key] = true
		m.parents = append(m.parents, in.name)
		m.mutator.Corpus = append(m.mutator.Corpus, t)
	}
	m.end.Parents = len(m.parents)
}

// next makes the next mutant. It reports false if the process should make no other one.
func (m *mutation) next() (status job.Status, more bool) {
	number := m.end.Next
	m.end.Next++
	m.end.Tried++
	r := rand.New(rand.NewPCG(m.order.Seed^hash.FNV64(m.order.Target), uint64(number)))
	e, parent, draw := m.origin(number, r)
	m.out.Begin(e, m.end) // the generator may end the process
	src := m.source(parent, draw, r)
	if src == nil {
		m.end.Old++
		return "", true
	}
	v, t, data, key, err := m.value(src)
	switch {
	case err == bigen.ErrRejected:
		m.end.Rejected++
		return job.Rejected, true
	case err != nil:
		e.Status, e.Why = job.Rejected, err.Error()
		m.end.Rejected++
		if !m.places[e.Why] {
			m.places[e.Why] = true
			m.out.Put(e)
		}
		return e.Status, true
	case m.seen[key]:
		m.end.Old++
		return "", true
	}
	m.seen[key] = true
	e.Data = data
	m.out.Begin(e, m.end)
	verdict := m.Judge(v, t)
	if e.Status = verdict.Status; e.Status == job.Hanging {
		e.Why, _, e.Saved = m.Minimize()
		m.out.Put(e)
		return e.Status, false
	}
	if m.late(e) {
		return job.Failing, false
	}
	if e.Drawn && e.Status != job.Invalid {
		m.drawn.valid++
	}
	switch e.Status {
	case job.Invalid:
		m.end.Invalid++
	case job.Failing:
		m.failing(e, v, t, verdict)
		return e.Status, true
	case job.Valid:
		if m.o.Check {
			break
		}
		if m.o.Parents {
			e.Tree, e.Value = job.Tree(t), m.literal(maxValue, v)
			if !e.Drawn {
				e.Parent = job.Tree(m.mutator.Corpus[parent])
			}
		}
		m.out.Put(e)
	}
	return e.Status, true
}

// origin returns the entry of the mutant of a number, without a value, and the indices of its
// parent and of its random value. An index is -1 if there is none; a random value counts more than
// a parent.
func (m *mutation) origin(number int, r *rand.Rand) (e job.Entry, parent, draw int) {
	e = job.Entry{Number: number}
	parent, draw = -1, -1
	if len(m.parents) > 0 {
		parent = r.IntN(len(m.parents))
	}
	switch e.Drawn = parent < 0 || m.o.Random && number%inTurn > 0 && !m.wasteful(); {
	case parent < 0:
		draw = number
	case e.Drawn:
		draw = number/inTurn*(inTurn-1) + number%inTurn - 1
	default:
		e.Of = m.parents[parent]
		return e, parent, draw
	}
	e.Of = fmt.Sprintf("random#%d", draw)
	m.drawn.tried++
	return e, parent, draw
}

// inTurn is how many values there are in a turn, if some are random: a mutant of an entry, a
// mutant of a random value, into which parts of entries may go, and random values. A corpus
// is a small sample of the values there are, and its mutants stay near it: where no entry is
// near a bug, random values find it sooner.
const inTurn = 4

// source returns the source of a mutant of an entry or, if draw is not negative, of the
// random value of that number or a mutant of it. The source is nil if there is nothing to edit.
func (m *mutation) source(parent, draw int, r *rand.Rand) choices.Source {
	var t choices.Tree
	if draw < 0 {
		t = m.mutator.Corpus[parent]
	} else {
		random := values.Bound(varied.Source(r, draw), values.UsualQuestions)
		if draw%(inTurn-1) > 0 {
			return random
		}
		var err error
		if _, t, _, _, err = m.value(random); err != nil {
			return nil
		}
	}
	edited, ok := m.mutator.Havoc(t, r)
	if !ok {
		return nil
	}
	return values.Bound(choices.Replay(edited, r), values.UsualQuestions+len(edited))
}

// wasteful reports whether hardly any random value is new and valid.
func (m *mutation) wasteful() bool {
	return m.drawn.tried >= 200 && m.drawn.valid < m.drawn.tried/4
}

// failing hands over a mutant for which the property fails in a new place: as it is, or, to
// check the property, the minimal value that fails there.
func (m *mutation) failing(e job.Entry, v any, t choices.Tree, verdict job.Verdict) {
	if m.places[verdict.Place] {
		return
	}
	m.places[verdict.Place] = true
	e.Why, e.Place = verdict.Why, verdict.Place
	if m.o.Check {
		m.out.Begin(e, m.end) // a smaller value may end the process
		if m.failsSo(v, t, verdict.Place) {
			e.Why, e.Value, e.Saved = m.Minimize()
		}
	}
	m.out.Put(e)
}

// failsSo makes the last run one that fails in a place: of a saved entry, so that a failure that is
// known has no other file, or else of the value. It reports false if none fails.
func (m *mutation) failsSo(v any, t choices.Tree, place string) bool {
	const mostSaved, tries = 200, 3
	looked := 0
	for i, name := range m.parents {
		if !strings.Contains(filepath.ToSlash(name), "testdata/") {
			continue
		}
		if looked++; looked > mostSaved {
			break
		}
		v, t, _, _, err := m.value(choices.Replay(m.mutator.Corpus[i], nil))
		if err != nil {
			continue
		}
		switch verdict := m.Judge(v, t); {
		case verdict.Status == job.Failing && verdict.Place == place:
			return true
		case verdict.Status == job.Hanging:
			return false
		}
	}
	for n := 0; n < tries && looked > 0; n++ { // a flaky failure may not come again
		if m.Judge(v, t).Status == job.Failing {
			return true
		}
	}
	return looked == 0
}
