package api

import (
	"cmp"
	"go/ast"
	"go/parser"
	"maps"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/mutate"
)

// shortest returns a test that notices some changes, as short as can be, and with usual arguments
// if they do. The candidate that is left compares what the test does. number is one more than the
// number of the last change. If the test gets too long, it notices fewer.
func (g *generator) shortest(c *candidate, changes []int, number int) (
	t Test, short *candidate, ok bool,
) {
	// What does not return the same each time may seem to notice some.
	again := g.candidate(c.sequence, 0, moreRuns)
	if again == nil {
		return t, nil, false
	}
	again.from, c = c.from, again
	changes = slices.DeleteFunc(changes, func(m int) bool {
		at, fails := g.notices(c, m)
		if fails {
			c.notices[m] = at
		}
		return !fails
	})
	slices.SortStableFunc(changes, func(a, b int) int { // what a comparison shows comes first
		return cmp.Compare(c.notices[b].result, c.notices[a].result)
	})
	for n := min(len(changes), maxOwn); n > 0; n /= 2 {
		t, short, ok = g.shortened(c, changes[:n], number)
		if !ok || t.statements <= maxStatements {
			return t, short, ok
		}
	}
	return t, short, false
}

// shortened returns a test that notices some changes, of any length.
func (g *generator) shortened(c *candidate, changes []int, number int) (
	t Test, short *candidate, ok bool,
) {
	short = c
	asserts := c.asserts() > 0
	keep := func(s *sequence) bool {
		if g.over(g.closing()) || g.noticing(s, fewRuns, changes, asserts) == nil {
			return false
		}
		d := g.noticing(s, moreRuns, changes, asserts)
		if d != nil {
			short = d
		}
		return d != nil
	}
	mutate.Minimize(c.tree, g.remake, keep, maxShortening/(1+len(changes)))
	g.tryUsual(short.calls, keep)
	g.tryShorter(short.calls, keep)
	return g.finished(short.sequence, changes, number)
}

// tryShorter tries calls without each of them, from the last on.
func (g *generator) tryShorter(calls callseq.Calls, keep func(s *sequence) bool) {
	for i := len(calls) - 1; i >= 0 && len(calls) > 1; i-- {
		fewer := slices.Delete(slices.Clone(calls), i, i+1)
		if s := g.read(fewer); s != nil && keep(s.own()) {
			calls = fewer
		}
	}
}

// finished returns a sequence as a test that notices those of some changes that it does each time.
func (g *generator) finished(s *sequence, changes []int, number int) (
	t Test, c *candidate, ok bool,
) {
	// What depends on the order of a map shows in many runs.
	if c = g.candidate(s, number, manyRuns); c == nil {
		return t, nil, false
	}
	for _, m := range changes {
		if at, fails := g.notices(c, m); fails {
			c.notices[m] = at
			t.Notices = append(t.Notices, m)
		}
	}
	if len(t.Notices) == 0 {
		return t, nil, false
	}
	ok = g.describe(&t, c)
	t.statements = statementsOf(t.Code)
	return t, c, ok
}

// statementsOf returns how many statements the code of a test has.
func statementsOf(code string) int {
	f, err := parser.ParseExpr("func() {\n" + code + "\n}")
	if lit, ok := f.(*ast.FuncLit); ok && err == nil {
		return len(lit.Body.List)
	}
	return 0
}

// noticing returns a sequence as a candidate if it notices all of some changes, one of them by a
// result if asserts is set, or nil.
func (g *generator) noticing(s *sequence, runs int, changes []int, asserts bool) *candidate {
	c := g.candidate(s, 0, runs)
	if c == nil {
		return nil
	}
	for _, m := range changes {
		at, fails := g.notices(c, m)
		if !fails {
			return nil
		}
		c.notices[m] = at
	}
	if asserts && c.asserts() == 0 {
		return nil
	}
	return c
}

// describe sets the code and the titles of a test: it compares the results of a candidate that show
// the changes. The candidate compares no others from now on.
func (g *generator) describe(t *Test, c *candidate) (ok bool) {
	var compared []place
	for _, m := range t.Notices {
		if at, ok := c.shown(c.notices[m]); ok {
			compared = append(compared, at)
		}
	}
	t.Code, ok = g.codeOf(c, func(p place) bool { return slices.Contains(compared, p) })
	last, result := len(c.calls)-1, any(opaque{})
	if len(compared) == 0 {
		t.Code = "// Nothing that the calls return can be compared: they must not panic.\n" + t.Code
	} else {
		at := slices.MaxFunc(compared, func(a, b place) int {
			return cmp.Or(a.call-b.call, a.result-b.result)
		})
		last, result = at.call, c.want[at.call][at.result]
	}
	_, refused := result.(errorText)
	names := titles(c.calls[:last+1], refused || result == any(panicked{}))
	t.Calls, t.Op, t.Titles = c.calls, names[0], names[1:]
	for i := range c.want {
		for k := range c.want[i] {
			if c.want[i][k] == any(panicked{}) {
				continue
			}
			if !slices.Contains(compared, place{i, k}) {
				c.want[i][k] = opaque{}
			}
		}
	}
	return ok
}

// codeOf returns a test of a candidate that compares some of its results.
func (g *generator) codeOf(c *candidate, compares func(p place) bool) (code string, ok bool) {
	if !g.completes(c.sequence, g.traceRun(c.sequence, "")) {
		return "", false
	}
	for i := range g.trace {
		t := &g.trace[i]
		for k := range c.want[i] {
			if t.panics {
				break
			}
			want := any(opaque{})
			if compares(place{i, k}) {
				want = c.want[i][k]
			}
			if n := k - len(t.got); n >= 0 {
				t.left[n] = want
			} else {
				t.got[k] = want
			}
		}
	}
	return g.report().regression(), true
}

// merged returns fewer tests: those of one function are one, as far as that is short enough. number
// is one more than the number of the last mistake.
func (g *generator) merged(tests []Test, chosen []*candidate, number int) (fewer []Test) {
	for len(tests) > 0 {
		t, c := tests[0], chosen[0]
		left, others := tests[:0:0], chosen[:0:0]
		for i := 1; i < len(tests); i++ {
			if t.Op == tests[i].Op && t.statements+tests[i].statements <= maxStatements &&
				!g.over(g.closing()) {
				if more, d, ok := g.both(t, tests[i], c, chosen[i], number); ok {
					t, c = more, d
					continue
				}
			}
			left, others = append(left, tests[i]), append(others, chosen[i])
		}
		fewer, tests, chosen = append(fewer, t), left, others
	}
	return fewer
}

// both returns a test that does what two tests do, one after the other.
func (g *generator) both(a, b Test, c, d *candidate, number int) (Test, *candidate, bool) {
	differ := map[resultOf]bool{}
	maps.Copy(differ, g.differ[c.from])
	maps.Copy(differ, g.differ[d.from])
	g.differ[c.from] = differ
	g.risk(c.sequence, ^c.from)
	end, _ := callsOf(c.tree)
	tree := append(slices.Clone(c.tree[:end]), renamed(c.tree, d.tree)...)
	g.renumber(tree, true)
	s, _, err := g.remake(tree)
	if err != nil {
		return a, nil, false
	}
	notices := append(slices.Clone(a.Notices), b.Notices...)
	short := s
	g.tryShorter(s.calls, func(s *sequence) bool { // what one shows, the other need not
		fewer := !g.over(g.closing()) && g.noticing(s, moreRuns, notices, true) != nil
		if fewer {
			short = s
		}
		return fewer
	})
	s = short
	t, both, ok := g.finished(s, notices, number)
	if !ok || len(t.Notices) < len(notices) || t.statements > maxStatements {
		return a, nil, false
	}
	both.from, t.Op, t.Titles = c.from, a.Op, a.Titles
	return t, both, true
}
