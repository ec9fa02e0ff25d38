package fuzzext

import (
	"fmt"
	"math/rand/v2"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/mutate"
)

// A mutation makes mutants of the entries of a corpus.
type mutation[V any] struct {
	*ordered[V]
	o        *job.Mutate
	reporter reporter[V]
	tb       *reporting
	s        *trial
	mutator  mutate.Mutator
	parents  []string        // names of the entries whose choices are the mutator's corpus
	seen     map[string]bool // values, by their keys
	places   map[string]bool // where the property has failed
	last     engine.Failure  // that was reported
	end      job.End
}

// mutate makes mutants. Each is a function of the corpus, the seed and its number.
func (w *ordered[V]) mutate(o *job.Mutate) job.End {
	operators, err := operatorsOf(o.Operators)
	if err != nil {
		return job.End{Error: err.Error()}
	}
	m := &mutation[V]{
		ordered:  w,
		o:        o,
		reporter: reporter[V]{spec: w.spec, home: w.home},
		tb:       &reporting{detached: detached{name: w.order.Target}},
		mutator:  mutate.Mutator{Compat: compatOf(o), Operators: operators},
		seen:     map[string]bool{},
		places:   map[string]bool{},
		end:      job.End{Next: o.From},
	}
	m.s = newTrial(m.tb)
	m.s.probe = &probe{
		begin:   func(choices.Tree) {},
		finish:  func() {},
		crashed: func() {},
		offer:   func([]byte) {},
		tell:    func(f engine.Failure) { m.last = f },
	}
	defer m.tb.remove()
	defer m.s.end()
	for _, place := range o.Known {
		m.places[place] = true
	}
	m.adopt()
	if len(m.parents) == 0 {
		m.end.Note = "the corpus has no value to mutate: run corpusgen seed first"
		return m.end
	}
	for found := 0; m.end.Next < o.To && (o.N == 0 || found < o.N) && (o.Until.IsZero() || time.Now().Before(o.Until)); {
		status, more := m.next()
		if status == job.Valid || o.Check && status == job.Failing {
			found++
		}
		if !more {
			m.end.Note = "stopped at the value on which the property does not return"
			break
		}
	}
	return m.end
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

// compatOf returns which picks can replace each other.
func compatOf(o *job.Mutate) mutate.Compat {
	switch {
	case o.Classes != nil:
		return func(a, b *choices.Choice) bool {
			if a.Tag == b.Tag {
				return true
			}
			ca, okA := o.Classes[a.Tag]
			cb, okB := o.Classes[b.Tag]
			return okA && okB && ca == cb
		}
	case o.Same == "tag":
		return mutate.SameTag
	}
	return mutate.SameFamily
}

// adopt makes the corpus the parents. Entries that the generator rejects are none.
func (m *mutation[V]) adopt() {
	for _, in := range m.inputs(m.o.Corpus, true) {
		if in.err != nil {
			continue // corpusgen has said so
		}
		_, t, _, key, err := m.value(m.decode(in.data))
		if err != nil || m.seen[key] {
			continue
		}
		m.seen[key] = true
		m.parents = append(m.parents, in.name)
		m.mutator.Corpus = append(m.mutator.Corpus, t)
	}
	m.end.Parents = len(m.parents)
	if unknown := m.unknownTags(); len(unknown) > 0 {
		m.end.Note = fmt.Sprintf("no value of the corpus has the tags %q", unknown)
	}
}

// unknownTags returns the tags that are to be alike and that no entry has.
func (m *mutation[V]) unknownTags() (tags []string) {
	known := map[string]bool{}
	for _, t := range m.mutator.Corpus {
		for i := range t {
			known[t[i].Tag] = true
		}
	}
	for tag := range m.o.Classes {
		if !known[tag] {
			tags = append(tags, tag)
		}
	}
	slices.Sort(tags)
	return tags
}

// next makes the next mutant. It reports false if the process should make no other one.
func (m *mutation[V]) next() (status job.Status, more bool) {
	number := m.end.Next
	m.end.Next++
	m.end.Tried++
	r := rand.New(rand.NewPCG(m.order.Seed^hash.FNV64(m.order.Target), uint64(number)))
	parent := r.IntN(len(m.parents))
	edited, ok := m.mutator.Havoc(m.mutator.Corpus[parent], r)
	if !ok {
		m.end.Old++
		return "", true
	}
	e := job.Entry{Number: number, Of: m.parents[parent]}
	m.out.Begin(e, m.end) // the generator may end the process
	v, t, data, key, err := m.value(bound(choices.Replay(edited, r), maxAsks+len(edited)))
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
	m.s.tree = t
	run := m.judge(m.s, e, m.end, v)
	if run == nil {
		e.Status = job.Hanging
		m.reporter.report(m.s, failure{
			index: reducing,
			log:   fmt.Sprintf("the property has not returned after %v\n", runLimit),
			what:  "value on which it does not return, not minimized",
			tree:  t,
			hangs: true,
			where: "hang",
		})
		e.Why, e.Saved = m.tb.take(), m.last.File
		m.out.Put(e)
		return e.Status, false
	}
	e.Status = statusOf(run)
	switch e.Status {
	case job.Invalid:
		m.end.Invalid++
	case job.Failing:
		m.failing(e, t, run)
		return e.Status, true
	case job.Valid:
		if !m.o.Check {
			if m.o.Parents {
				e.Parent, e.Tree = job.Tree(m.mutator.Corpus[parent]), job.Tree(t)
				e.Value, _ = literal.Within(maxValue, v, m.target.pkg)
			}
			m.out.Put(e)
		}
	}
	m.s.recycle(run)
	return e.Status, true
}

// failing hands over a mutant for which the property fails in a new place: as it is, or, to
// check the property, the minimal value that fails there.
func (m *mutation[V]) failing(e job.Entry, t choices.Tree, run *T) {
	log, where := run.logged()
	if m.places[where] {
		return
	}
	m.places[where] = true
	e.Why, e.Place = log, where
	if m.o.Check {
		m.out.Begin(e, m.end) // a smaller value may end the process
		m.reporter.fail(m.s, t, run)
		e.Why, e.Value, e.Saved = m.tb.take(), m.last.Value, m.last.File
	}
	m.out.Put(e)
}
