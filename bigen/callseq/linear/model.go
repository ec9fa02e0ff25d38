package linear

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
)

// A Model describes the operations of something that several goroutines use. [New] makes it.
// Several goroutines may use it at once.
type Model struct {
	live    live.Model
	serial  live.Serial // the same, or nil
	gen     bigen.Gen[Calls]
	threads int
	mean    int
	most    int
	runs    int

	where  []bigen.Gen[int] // the generators of threads: see machine
	failed atomic.Bool      // a run has: it takes more of them to fail again

	mu     sync.Mutex
	counts counts
}

// counts is what the runs of a model were.
type counts struct{ runs, impossible, undecided int }

// An Option changes what [New] makes.
type Option func(*Model)

// Threads sets how many goroutines call at once. The default is 3.
func Threads(n int) Option {
	if n < 2 || n > maxThreads {
		panic(fmt.Sprintf("linear.Threads: %d threads: want 2 to %d", n, maxThreads))
	}
	return func(m *Model) { m.threads = n }
}

// Length sets how many calls a random sequence has on average, and at most. The default is
// 12 and 100. How long it takes to check a history can grow exponentially with the number of
// calls that overlap.
func Length(mean, most int) Option {
	if mean < 0 || mean > most || most < 1 {
		panic(fmt.Sprintf("linear.Length: a mean of %d of up to %d calls", mean, most))
	}
	return func(m *Model) { m.mean, m.most = mean, most }
}

// Runs sets how many times a sequence runs, each time with other delays between calls. The
// default is 20. A model that has failed runs each sequence 10 times as often from then on, so
// that shrinking does not lose the failure.
func Runs(n int) Option {
	if n < 1 {
		panic(fmt.Sprintf("linear.Runs: %d runs of a sequence", n))
	}
	return func(m *Model) { m.runs = n }
}

const maxThreads = 16

// New returns the model that define describes, for concurrent calls. define is a function as
// for [callseq.New].
func New(define func(c *callseq.C), opts ...Option) *Model {
	m := &Model{live: live.Of(callseq.New(define))}
	return m.with(opts)
}

// Of returns a model of an API without one: calls from several goroutines must return what they
// return one after the other, in some order (Burckhardt, Dern, Musuvathi and Tan, "Line-Up: A
// Complete and Automatic Linearizability Checker", PLDI 2010). So a run fails if a call panics or
// never returns, or a contract is violated in the end, and that does not happen in any order of the
// calls. Calls run at once only if they use values of types that are [api.Concurrent], which
// earlier calls have made.
//
//	func TestThreads(t *testing.T) { fuzzext.Sequence(t, linear.Of(calls), fuzzext.Schedules()) }
//
// Results that differ if the same calls run again one after the other are not compared.
func Of(calls *api.API, opts ...Option) *Model {
	serial := live.OfAPI(calls)
	m := &Model{live: serial, serial: serial}
	return m.with(opts)
}

// with sets what options and their defaults say.
func (m *Model) with(opts []Option) *Model {
	m.threads, m.mean, m.most, m.runs = 3, 12, 100, 20
	if m.serial != nil {
		m.mean, m.most = 5, 40
	}
	for _, o := range opts {
		o(m)
	}
	m.where = m.places()
	m.gen = bigen.As[Calls](bigen.Steps(m.begin, float64(m.mean), m.most))
	return m
}

// Gen returns the generator of the sequences. The preconditions of operations hold if the calls
// run in the order of the sequence.
func (m *Model) Gen() bigen.Gen[Calls] { return m.gen }

// Run runs calls several times, the calls of a thread in a goroutine. It fails t if no order of the
// calls explains what they have returned, if a call panics or fails its test, or if calls never
// return. Then it writes when the calls began and returned, and the calls as Go statements, to
// t's output.
func (m *Model) Run(t testing.TB, calls Calls) {
	t.Helper()
	newTrial(m, calls).run(t)
}

// NeverCalled returns the operations that none of the sequences run so far has called.
func (m *Model) NeverCalled() []string { return m.live.NeverCalled() }

// Notes says how many runs could not be judged, if any.
func (m *Model) Notes() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var notes []string
	note := func(n int, why string) {
		if n > 0 {
			notes = append(notes, fmt.Sprintf("%d of %d runs are not judged: %s", n, m.counts.runs, why))
		}
	}
	if m.serial != nil {
		note(m.counts.impossible, "calls never end if they run one after the other")
	} else {
		note(m.counts.impossible, "a call may have run where its precondition, or an argument, "+
			"does not hold")
	}
	note(m.counts.undecided, "there are too many orders of the calls to try")
	return notes
}

func (m *Model) count(v verdict) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts.runs++
	switch v {
	case impossible:
		m.counts.impossible++
	case undecided:
		m.counts.undecided++
	}
}
