package api

import (
	"math/rand/v2"
	"reflect"
	"time"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/mutate"
)

// A busy machine must not change the sequences of a test.
func init() { maxTime, longTime = time.Minute, time.Minute }

// StateOf is the fingerprint of a value.
func StateOf(v any) uint64 {
	var f fingerprint
	f.begin()
	f.walk(reflect.ValueOf(v))
	return f.hash
}

// LiveOffers are the weights of the operations, twice, of calls from several goroutines, once there
// is a value of each pool.
func (a *API) LiveOffers() (first, again []float64) {
	m := a.newMachine(&quiet{})
	m.begin()
	for _, p := range m.pools {
		p.names.Next()
	}
	weights := func() (all []float64) {
		for _, alt := range (liveMachine{m}).Offer() {
			all = append(all, alt.Weight)
		}
		return all
	}
	return weights(), weights()
}

// Decoder returns a function that returns the sequence of an entry.
func (a *API) Decoder() func(entry []byte) callseq.Calls {
	g := newGenerator(a, Options{}.withDefaults())
	return func(entry []byte) callseq.Calls { return g.decode(entry).calls }
}

// Autopsy minimizes a sequence that ends its goroutine, as corpusgen does if one ends the process.
// It returns the last one that has, and how many have.
func (a *API) Autopsy(calls callseq.Calls) (last callseq.Calls, ended int) {
	var entry []byte
	g := newGenerator(a, Options{}.withDefaults())
	g.runs, g.turn = g.read(calls), len(calls)-1
	g.tell(func(_ callseq.Calls, told []byte) { entry = told })
	var ends []bool
	for {
		survived, returned := 0, false
		var told callseq.Calls
		g := newGenerator(a, Options{
			Before: func(calls callseq.Calls, _ []byte) { told = calls },
			Kept:   func(callseq.Calls, []byte) { survived++ },
		}.withDefaults())
		done := make(chan bool)
		go func() {
			defer close(done)
			g.autopsy(entry, ends)
			returned = true
		}()
		<-done
		g.timer.Stop()
		if returned {
			return last, ended
		}
		last, ended = told, ended+1
		ends = append(append(ends, make([]bool, survived)...), true)
	}
}

// Instrumented returns the options for code that tells a link what it does.
func (o Options) Instrumented(link *engine.Link) Options {
	o.link = link
	return o
}

// Full returns the options for a process that sequences may fill.
func (o Options) Full(full func()) Options {
	o.full = full
	return o
}

// Space returns the options for a disk with so many bytes.
func (o Options) Space(space func() uint64) Options {
	o.space = space
	return o
}

// LimitFile bounds how large the process can make a file.
var LimitFile = limitFile

// Changes are small changes of what a test tests. Each test has its own.
type Changes struct {
	switches
	anywhere bool
	Telling  func(change int) // in place of telling what runs; or nil
}

// NewChanges returns the changes of a test, of which none is made.
func NewChanges() *Changes {
	c := &Changes{switches: switches{new(int), new([]bool), new(int)}}
	*c.made = -1
	return c
}

// Made is what corpusgen api adds to a package, under another name.
func (c *Changes) Made(n int) bool {
	if *c.steps--; *c.steps == 0 {
		panic("it does not end")
	}
	if n < len(*c.reached) {
		(*c.reached)[n] = true
	}
	return *c.made == n
}

// Select returns the regression tests that notice changes below number, of the sequences that so
// many attempts keep.
func (c *Changes) Select(a *API, number int, opts Options) []Test {
	g := newGenerator(a, opts.withDefaults())
	g.switches = c.switches
	for n := 0; !g.done(n); n++ {
		g.attempt()
	}
	return g.selected(&job.Mistakes{Number: number, Candidates: g.suite().Candidates})
}

// Hunt returns a test for each change below number that so many sequences find, and how many have run
// with each.
func (c *Changes) Hunt(a *API, number int, opts Options) Suite {
	suite, _ := c.HuntOn(a, number, nil, opts)
	return suite
}

// HuntOn is Hunt in a process that resumes with what an earlier one has told, and returns what it
// tells.
func (c *Changes) HuntOn(
	a *API, number int, known []job.Told, opts Options,
) (_ Suite, told []job.Told) {
	opts.mistakes = &job.Mistakes{Number: number, Hunt: true, Closing: time.Minute, Known: known}
	opts.tried = func(t job.Told) { told = append(told, t) }
	g := newGenerator(a, opts.withDefaults())
	g.switches = c.switches
	return g.generate(), told
}

// SelectOf returns the regression tests that notice changes below number, of some sequences.
func (c *Changes) SelectOf(a *API, number int, all ...callseq.Calls) []Test {
	return c.SelectUntil(a, number, 0, all...)
}

// SelectAnywhere is SelectOf for a process in which nothing else runs.
func (c *Changes) SelectAnywhere(a *API, number int, all ...callseq.Calls) []Test {
	c.anywhere = true
	return c.SelectOf(a, number, all...)
}

// SelectUntil is SelectOf without the changes from until on, in the order in which they are tried.
func (c *Changes) SelectUntil(a *API, number, until int, all ...callseq.Calls) []Test {
	g := newGenerator(a, Options{}.withDefaults())
	g.switches = c.switches
	m := &job.Mistakes{Number: number, Until: until}
	for _, calls := range all {
		m.Candidates = append(m.Candidates, entryOf(g.read(calls).tree, len(calls)))
	}
	if c.anywhere {
		g.opts.tried = func(t job.Told) { m.Known = append(m.Known, t) }
		m.Away = true
		g.selected(m)
		m.Away = false
		g = newGenerator(a, Options{}.withDefaults())
		g.switches = c.switches
	}
	if c.Telling != nil {
		g.opts.Before = func(callseq.Calls, []byte) { c.Telling(g.mistake) }
	}
	return g.selected(m)
}

// EntriesOf returns the entries of sequences that were kept.
var EntriesOf = entriesOf

// Weave edits a text, with a part of another one.
func Weave(text, other string, r *rand.Rand) string {
	m := &mutate.Mutator{Corpus: []choices.Tree{{{Kind: choices.Text, Tag: other}}}}
	t, _ := weave(m, choices.Tree{{Kind: choices.Text, Tag: text}}, r)
	return t[0].Tag
}

// Doubt returns why it may be a mistake of the caller that the last of some calls has no end, or
// "".
func (a *API) Doubt(calls callseq.Calls) string {
	g := newGenerator(a, Options{}.withDefaults())
	return g.obituary(&job.API{Entry: entryOf(g.read(calls).tree, len(calls))}).Errors[0].Doubt
}

// SetClosing sets how long the suite may take to make, and returns a function that undoes that.
func SetClosing(d time.Duration) (undo func()) {
	old := closing
	closing = d
	return func() { closing = old }
}

// Tainted reports whether the last of some calls is given what may have no end.
func (a *API) Tainted(calls callseq.Calls) bool {
	g := newGenerator(a, Options{}.withDefaults())
	return g.obituary(&job.API{Entry: entryOf(g.read(calls).tree, len(calls))}).Tainted
}

// Alias gives the last call of a sequence a literal of an earlier one, if it can.
func Alias(a *API, calls callseq.Calls, r *rand.Rand) (callseq.Calls, bool) {
	g := newGenerator(a, Options{}.withDefaults())
	t, ok := alias(nil, g.read(calls).tree, r)
	return g.make(choices.Replay(t, nil)).calls, ok
}

// IsOdd reports whether a call need not bear a value.
func IsOdd(v any) bool { return isOdd(reflect.ValueOf(v), 1) }

// Titles returns what a test may be called.
var Titles = titles

// Shown is how messages show a value.
func Shown(v any) string { return shown(v) }
