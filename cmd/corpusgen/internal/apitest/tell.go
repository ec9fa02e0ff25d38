package apitest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
)

// A Search seeks tests that notice mistakes of a package.
type Search struct {
	*session.Output
	Flags      *gotest.Flags
	Env        *gotest.Env
	Tmp, Cache string        // directories for files of the search, and of later ones
	Time       time.Duration // CPU time of the sequences, at most

	Package string
	Wanted  map[string]bool // the identities of the mistakes
	Taken   []string        // names that no test may have
}

// Told is what a [Search] finds.
type Told struct {
	Tests []Noticing
	Text  []byte         // a Go file with them
	Stubs []byte         // a Go file that they need, or nil
	Tries map[string]int // by mistake, how many sequences of calls have run with it
	Found []string       // mistakes that a sequence tells apart, also if none of the tests does
	Ends  []string       // mistakes with which a sequence ends the process
	CPU   time.Duration  // of all processes
}

// A Noticing is a test that notices mistakes, by their identities.
type Noticing struct {
	apigen.Func
	Notices []string
}

// Tell seeks tests that notice mistakes of a package: sequences of calls of its API that return
// something else. The error wraps [apigen.ErrNoAPI] if there is nothing to call.
func Tell(ctx context.Context, s Search) (*Told, error) {
	r := &apiRun{
		Output: s.Output, flags: s.Flags, env: s.Env, tmp: s.Tmp, cache: s.Cache, dir: s.Tmp,
		time: 2 * s.Time / 3, length: maxTelling, seed: 1, // the rest is for making the tests
	}
	pkg, err := r.load(ctx, s.Package)
	if err != nil {
		return nil, err
	}
	h, text, err := r.makeHarness(pkg)
	if err != nil {
		return nil, err
	}
	g := &generation{apiRun: r, pkg: pkg, harness: h, text: text, taken: pkg.TestNames(), stop: ctx.Done()}
	for _, name := range s.Taken {
		g.taken[name] = true
	}
	flags, err := g.instrument(ctx)
	if err != nil {
		return nil, err
	}
	program, err := g.withMistakes(ctx, flags...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pkg.Path, err)
	}
	g.binary = g.altered
	hunt := &job.Mistakes{Hunt: true, Number: 1, Closing: s.Time / 3}
	g.mistakes = map[int]mistake.Mistake{}
	for _, m := range program.Mistakes {
		hunt.Number = max(hunt.Number, m.Number+1)
		if s.Wanted[m.ID] && m.Kind != mistake.Lock {
			g.mistakes[m.Number] = m
		}
	}
	for n := 1; n < hunt.Number; n++ {
		if _, wanted := g.mistakes[n]; !wanted {
			hunt.Skip = append(hunt.Skip, n)
		}
	}
	g.order = &job.API{
		Seed: g.seed, Length: g.length, Harness: h.Calls, Patience: mistakePatience, Mistakes: hunt,
	}
	if err := g.run(ctx); err != nil {
		return nil, err
	}
	if g.suite.Tries == nil {
		return nil, fmt.Errorf("%s: sequences of calls end the process, too often to make tests", pkg.Path)
	}
	return g.told()
}

// maxTelling is how many calls a sequence has at most: the test should be short.
const maxTelling = 20

// told returns what a hunt has found.
func (g *generation) told() (*Told, error) {
	t := &Told{Tries: map[string]int{}, Stubs: g.harness.Stubs, CPU: g.cpu}
	for n, tries := range g.suite.Tries {
		if m, ok := g.mistakes[n]; ok {
			t.Tries[m.ID] = tries
		}
	}
	ids := func(numbers []int) (all []string) {
		for _, n := range numbers {
			if m, ok := g.mistakes[n]; ok {
				all = append(all, m.ID)
			}
		}
		return all
	}
	t.Found, t.Ends = ids(g.suite.Found), ids(g.order.Mistakes.Skip)
	taken := maps.Clone(g.taken)
	var funcs []apigen.Func
	for _, test := range g.suite.Regressions {
		f := g.funcOf(test, taken)
		funcs = append(funcs, f)
		t.Tests = append(t.Tests, Noticing{f, ids(test.Notices)})
	}
	text, failed, err := g.harness.Tests("", funcs)
	if err != nil {
		return nil, err
	}
	t.Text = text
	t.Tests = slices.DeleteFunc(t.Tests, func(f Noticing) bool { return failed[f.Name] != "" })
	return t, nil
}
