package apitest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/confine"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
	"github.com/espalier-go/espalier/internal/job"
)

const (
	// maxEnding is how many processes may begin once there is no more time to try mistakes. They make only
	// the mistakes that came before the last that has ended a process.
	maxEnding = 20
	// maxTravels is how many candidates may end the process elsewhere.
	maxTravels = 20
	// minChoosing is how much CPU time there is at least to try mistakes, and moreChoosing how much more
	// to make the tests, which is shared by the processes. Each may take as long as leastChoosing.
	minChoosing   = 3 * time.Minute
	moreChoosing  = 2 * time.Minute
	leastChoosing = 5 * time.Second
	// mistakePatience is how long a sequence may take if a mistake is made.
	mistakePatience = time.Second
	// maxTold is how many of the mistakes that a test notices its comment lists.
	maxTold = 5
)

// choose replaces the regression tests by tests that notice small mistakes in the package. It
// leaves them as they are if none can be built in.
func (g *generation) choose(ctx context.Context) error {
	if g.hasty = g.interrupted(); g.hasty {
		g.unchanged = "the run was interrupted"
		return nil
	}
	g.Status("%s: choosing regression tests", g.pkg.Path)
	program, err := g.withMistakes(ctx)
	defer func() { g.changed = nil }()
	if err != nil {
		g.unchanged = err.Error()
		return ctx.Err()
	}
	number := 0
	var skip []int
	for _, m := range program.Mistakes {
		if number = max(number, m.Number); m.Kind == mistake.Lock {
			skip = append(skip, m.Number) // without the race detector, nothing notices it
		}
	}
	suite, err := g.selected(ctx, number+1, skip)
	if suite != nil {
		g.mistakes = map[int]mistake.Mistake{}
		for _, m := range program.Mistakes {
			if m.Kind != mistake.Lock {
				g.mistakes[m.Number] = m
			}
		}
		if len(suite.Regressions) > 0 {
			g.suite.Regressions = suite.Regressions
		}
	}
	return err
}

// withMistakes builds the test binary of the package with mistakes.
func (g *generation) withMistakes(
	ctx context.Context, flags ...string,
) (*mistake.Program, error) {
	pkg, err := g.pkg.Mistakes(apigen.Chosen, confine.Check() == nil)
	if err != nil {
		return nil, err
	}
	program, err := pkg.Compile(ctx)
	if err != nil {
		return nil, err
	}
	program, err = program.Build(ctx, func(program *mistake.Program) (err error) {
		if len(program.Mistakes) == 0 {
			return errors.New("none is possible")
		}
		if err := g.writeTexts(program.Texts); err != nil {
			return err
		}
		g.altered, err = g.build(ctx, harnessFile, g.text, flags...)
		return err
	})
	if rejected := (*gotest.BuildError)(nil); errors.As(err, &rejected) {
		return nil, errors.New("the package with them does not compile")
	}
	return program, err
}

// writeTexts writes the files of the package with mistakes, and those that are added to it.
func (g *generation) writeTexts(texts map[string][]byte) error {
	g.changed = map[string]string{}
	for path, text := range texts {
		at := filepath.Join(g.pkg.Dir, filepath.Base(path))
		for to, from := range g.replaced {
			if from == path {
				at = to
			}
		}
		g.changed[at] = filepath.Join(g.tmp, fmt.Sprintf("changed%d.go", len(g.changed)))
		if err := os.WriteFile(g.changed[at], text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// selected chooses tests by mistakes, whose numbers are less than one. If a mistake ends the
// process, the next one goes without. The suite is nil if that is not enough.
func (g *generation) selected(
	ctx context.Context, number int, skip []int,
) (*job.Suite, error) {
	defer func(b *gotest.Binary) { g.binary = b }(g.binary)
	g.binary = g.altered
	order, died := *g.order, 0
	order.Restore, order.Patience = "", mistakePatience
	order.Tests = 2 * g.tests
	order.Mistakes = &job.Mistakes{
		Number: number, Skip: skip, Candidates: g.suite.Candidates, Away: true,
	}
	g.unchanged = "too many end the process"
	begun, before, late, lost := time.Now(), g.cpu, 0, 0
	fatal := map[int]bool{} // candidates: one that is made of it has ended the process
	comeHome := func() {    // what the time elsewhere has cost does not count
		order.Mistakes.Away, begun, before = false, time.Now(), g.cpu
	}
	for late < maxEnding && !g.interrupted() {
		most := max(g.took, minChoosing)
		if order.Mistakes.Away {
			most /= 2
		}
		spent := max(g.cpu-before, time.Since(begun)/4) // as in the process
		switch {
		case spent < most:
		case order.Mistakes.Away:
			comeHome()
			continue
		default:
			if late++; late == 1 {
				order.Mistakes.Until = died // the changes that have been tried will do
			}
		}
		order.Time = max(most-spent, leastChoosing)
		order.Mistakes.Closing = max(min(moreChoosing, most+moreChoosing-spent)/2, leastChoosing)
		suite, _, exit, err := g.process(ctx, &order)
		if suite != nil && !order.Mistakes.Away || err != nil {
			return suite, err
		}
		for _, t := range job.ReadTold(order.Kept) {
			if t.Tried {
				order.Mistakes.Known = append(order.Mistakes.Known, t)
			}
		}
		told, overdue := job.ReadTold(order.Before), errors.Is(exit, errOvertime)
		switch {
		case suite != nil, overdue && order.Mistakes.Away:
			comeHome()
			continue
		case overdue:
			g.unchanged = "the machine had no time for them"
			return nil, nil
		case len(told) == 0:
			return nil, nil
		}
		switch m := told[0].Mistake; {
		case order.Mistakes.Away && m < 0: // it is not known what it does elsewhere
			order.Mistakes.Known = append(order.Mistakes.Known, job.Told{Mistake: m, Away: true})
			if lost++; lost == maxTravels {
				comeHome()
			}
		case m > 0:
			order.Mistakes.Skip, died = append(order.Mistakes.Skip, m), m
		case m < 0 && fatal[m]:
			order.Mistakes.Candidates[^m] = nil
		default: // a shorter test, or one that observes more
			order.Skip, fatal[m] = append(slices.Clip(order.Skip), told[0].Entry), true
		}
	}
	return nil, nil
}

// funcOf returns a regression test with a name that no other has: of what it calls.
func (g *generation) funcOf(t job.Test, taken map[string]bool) apigen.Func {
	name := g.nameOf(t.Op)
	f := apigen.Func{Name: name, Code: t.Code}
	for _, title := range t.Titles {
		if taken[f.Name] {
			f.Name = g.nameOf(title)
		}
	}
	for n := 2; taken[f.Name]; n++ {
		f.Name = fmt.Sprint(name, "_", n)
	}
	taken[f.Name] = true
	var lines []string
	for _, n := range t.Notices[:min(len(t.Notices), maxTold)] {
		lines = append(lines, describeMistake(g.mistakes[n]))
	}
	if len(lines) > 0 {
		// A tab makes these code, which gofmt leaves alone.
		f.Comment = f.Name + " fails if, for example,\n\n\t" + strings.Join(lines, "\n\t")
	}
	return f
}

// nameOf returns the name of a test of what it calls.
func (g *generation) nameOf(title string) string {
	name, own := "Test", strings.TrimRight(apigen.Title(g.pkg.Name), "0123456789")
	for i, op := range strings.Split(title, " then ") {
		of, call, isMethod := strings.Cut(op, ".")
		if i > 0 {
			name += "Then"
		}
		if !isMethod {
			call = op
		} else if of = apigen.Title(of); strings.TrimRight(of, "0123456789") != own &&
			!strings.HasPrefix(name, "Test"+of) {
			name += of
		}
		name += apigen.Title(call)
	}
	return name
}

// describeMistake says in a line what a mistake changes.
func describeMistake(m mistake.Mistake) string {
	if m.Kind == mistake.Statement || m.Kind == mistake.Defer {
		return fmt.Sprintf("%s: %s is left out", m.Func, brief(without(m.Before, m.After)))
	}
	before, after := brief(m.Before), brief(m.After)
	if before == after {
		return fmt.Sprintf("%s: a part of %s is another one (%s)", m.Func, before, m.Kind)
	}
	return fmt.Sprintf("%s: %s is %s", m.Func, before, after)
}

// without returns what a text has beyond what is left of it. What is left out is shown, too, if the
// rest does not compile without it.
func without(text, left string) string {
	if len(left) >= len(text) {
		return text
	}
	from := 0
	for from < len(left) && text[from] == left[from] {
		from++
	}
	return text[from : from+len(text)-len(left)]
}

// maxBrief bounds the code that the description of a mistake has.
const maxBrief = 60

// brief returns code as the beginning of one line.
func brief(code string) string {
	code = strings.TrimSuffix(strings.Join(strings.Fields(code), " "), " {")
	if len(code) > maxBrief {
		code = strings.ToValidUTF8(code[:maxBrief], "") + "..."
	}
	return code
}
