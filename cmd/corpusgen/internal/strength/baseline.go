package strength

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
)

// tests is what is known of the tests of a package without a mistake.
type tests struct {
	names  []string // all that -run selects, in the order of the source
	listed []string // all of them
	all    *test    // all in one process
	init   map[int]bool
	own    []*test         // those that pass alone, each time
	rest   []string        // the others: they run only beside all
	reach  map[int][]*test // of own, by mistake
	alone  bool            // two processes disturb each other
}

// A test is one, or all in one process.
type test struct {
	name    string
	cost    cost
	reaches map[int]bool

	mu           sync.Mutex
	tries, kills int
}

// A testResult is how a test does alone.
type testResult struct {
	passed int // times, of two
	outcome
}

// testName matches what -test.list prints of a test, an example or a fuzz target.
var testName = regexp.MustCompile(`^(Test|Example|Fuzz)[^\s|()]*$`)

// baseline runs the tests as they are: all of them, and each alone, twice. A process for each test
// shows what it reaches though others have been there before.
func (p *program) baseline(ctx context.Context) error {
	p.tests = &tests{reach: map[int][]*test{}}
	if p.binary == nil {
		return nil
	}
	if err := p.listTests(ctx); err != nil {
		return err
	}
	if len(p.tests.names) == 0 {
		return p.noTests()
	}
	p.Status("running the tests of %s", p.pkg.ImportPath)
	all, err := p.process(ctx, task{order: telling})
	if err != nil {
		return err
	}
	if !all.passed {
		return p.brokenTests(ctx, all)
	}
	p.tests.all = testOf("", all)
	nothing, err := p.process(ctx, task{tests: []string{}, order: telling})
	if err != nil {
		return err
	}
	p.tests.init, _ = mistake.Told(nothing.told)
	results := make([]testResult, len(p.tests.names))
	if err := p.each(ctx, len(results), func(i int) (err error) {
		results[i], err = p.twice(ctx, p.tests.names[i])
		return err
	}); err != nil {
		return err
	}
	for i, r := range results {
		p.sort(p.tests.names[i], r)
	}
	return nil
}

// telling is the order to tell what is reached.
var telling = mistake.Order{File: "told"}

func testOf(name string, o outcome) *test {
	t := &test{name: name, cost: o.cost}
	t.reaches, t.cost.turns = mistake.Told(o.told)
	return t
}

// listTests asks the test binary for its tests.
func (p *program) listTests(ctx context.Context) error {
	out := &bounded{}
	exit := p.binary.Run(gotest.Process{
		Args: []string{"-test.list=."}, Vars: append(p.vars(), temporary(p.short)...), Output: out,
		Interrupt: ctx, Kill: ctx,
	})
	if exit.Err != nil {
		return &brokenError{fmt.Sprintf("the tests of %s cannot be listed: %v\n%s", p.pkg.ImportPath,
			exit.Err, strings.TrimSpace(out.String()))}
	}
	for line := range strings.Lines(out.String()) {
		name := strings.TrimSpace(line)
		if !testName.MatchString(name) {
			continue
		}
		p.tests.listed = append(p.tests.listed, name)
		if p.only.MatchString(name) && (p.skip == nil || !p.skip.MatchString(name)) {
			p.tests.names = append(p.tests.names, name)
		}
	}
	return nil
}

// errNoTests says that a package has tests, but none of them is to run.
var errNoTests = errors.New("no test is selected")

// noTests says what it means that there is no test to run.
func (p *program) noTests() error {
	if len(p.tests.listed) > 0 {
		return errNoTests
	}
	p.note(p.pkg.ImportPath + ": its test files have no test, or its TestMain runs none")
	return nil
}

// brokenTests says why the tests fail as they are.
func (p *program) brokenTests(ctx context.Context, all outcome) error {
	text := fmt.Sprintf("the tests of %s fail without any mistake, so they can notice none. If they "+
		"pass under go test, one of them may measure the code itself, such as what it allocates, or how "+
		"long it takes: -skip leaves tests out", p.pkg.ImportPath)
	if !p.unconfined {
		p.unconfined = true
		again, err := p.process(ctx, task{})
		p.unconfined = false
		if err != nil {
			return err
		}
		if again.passed {
			text = fmt.Sprintf("the tests of %s pass only if nothing confines them. They may change files "+
				"in their temporary directory only, and no modes, owners or times of files anywhere: "+
				"-unconfined lets them, also while mistakes are made, and -skip leaves tests out",
				p.pkg.ImportPath)
		}
	}
	return &brokenError{text + "\n" + strings.TrimSpace(all.output)}
}

// twice runs a test alone, twice at the same time: a test that disturbs itself varies. What fails at
// the same time runs again, one after the other.
func (p *program) twice(ctx context.Context, name string) (r testResult, err error) {
	var outcomes [2]outcome
	var errs [2]error
	p.Status("running %s", name)
	both := func() {
		var wait sync.WaitGroup
		for i := range outcomes {
			t := task{tests: []string{name}}
			if i == 0 {
				t.order = telling
			}
			run := func() { outcomes[i], errs[i] = p.process(ctx, t) }
			if p.parallel == 1 || p.tests.isAlone() {
				run()
			} else {
				wait.Go(run)
			}
		}
		wait.Wait()
	}
	count := func() (passed int) {
		for _, o := range outcomes {
			if o.passed {
				passed++
			}
		}
		return passed
	}
	both()
	if passed := count(); passed < 2 && p.parallel > 1 && errs == [2]error{} {
		before := p.tests.setAlone(true)
		if both(); count() == passed {
			p.tests.setAlone(before) // it is not for that
		}
	}
	for _, e := range errs {
		if e != nil {
			return r, e
		}
	}
	return testResult{count(), outcomes[0]}, nil
}

var aloneMu sync.Mutex

func (t *tests) isAlone() bool {
	aloneMu.Lock()
	defer aloneMu.Unlock()
	return t.alone
}

func (t *tests) setAlone(alone bool) (before bool) {
	aloneMu.Lock()
	defer aloneMu.Unlock()
	before, t.alone = t.alone, alone
	return before
}

// sort takes note of how a test does alone.
func (p *program) sort(name string, r testResult) {
	if r.passed < 2 {
		p.tests.rest = append(p.tests.rest, name)
		if r.passed == 1 {
			p.note(fmt.Sprintf("%s: %s sometimes fails without any mistake: it only counts as part of "+
				"all tests, if they fail twice", p.pkg.ImportPath, name))
		}
		return
	}
	t := testOf(name, r.outcome)
	p.tests.own = append(p.tests.own, t)
	for n := range t.reaches {
		p.tests.reach[n] = append(p.tests.reach[n], t)
	}
}

// reached reports whether tests reach a mistake, together if not alone.
func (t *tests) reached(n int) bool {
	return len(t.reach[n]) > 0 || t.all != nil && t.all.reaches[n]
}

// of returns the names of the tests that decide on a mistake: those that reach it, without those that
// only begin after it, and those that cannot be asked alone.
func (t *tests) of(n int) (names []string) {
	for _, x := range t.reach[n] {
		names = append(names, x.name)
	}
	if t.all != nil && t.all.reaches[n] {
		names = append(names, t.rest...)
	}
	return names
}

// each calls f for 0 to n-1, in several goroutines. It returns the first error.
func (p *program) each(ctx context.Context, n int, f func(i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var wait sync.WaitGroup
	workers := p.parallel
	if p.tests.isAlone() {
		workers = 1
	}
	for range min(workers, n) {
		wait.Go(func() {
			for i := range next {
				if err := f(i); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	wait.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return nil
}
