package fuzzext

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/alike"
	"github.com/espalier-go/espalier/fuzzext/internal/answers"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/mutate"
)

// failureClasses collects the failures of a Check that continues after a failure: each class
// once, minimized within its class. Failures of one class ([T.Class]) count as several if
// their minimal values need different choices. To find these,
//
//  1. a failing value is minimized among values that have no known pattern of its class;
//  2. a minimal value that differs from a known one as neighbors do widens its pattern;
//  3. one that fails since a part of it does, alone, in a known class, is of that class;
//  4. the pattern of another one is found by trying other answers for each of its choices;
//  5. there are no more of a class if several of them have been seen in one value only: then
//     patterns do not tell failures of this class apart;
//  6. of most random values that have a known pattern, what the pattern needs is changed.
type failureClasses struct {
	*reporter
	s        *trial
	r        *rand.Rand
	list     []*failureClass
	tried    map[string]int // values minimized, by key
	kinds    alike.Fields
	wordings alike.Wordings
	failed   int // values
	others   int // of these, those that have not been looked at

	explained int // classes
}

// A failureClass is a class of failures.
type failureClass struct {
	minimized
	key     string
	place   string
	pattern *alike.Pattern
	others  []*alike.Pattern // of other minimal values of the class
	seen    int              // values
	file    string           // where the minimal value is saved, or ""
	isNew   bool             // it was not before
	err     error            // why it is not saved
	named   bool             // by the property
	given   bool             // the value was saved, or is an example
	flaky   string           // why, or ""
}

const (
	maxClasses    = 50 // in all
	maxStructures = 20 // of a key
	maxSeenOnce   = 5  // of these, ones that only one value has
	maxIntegers   = 3  // classes of a key that differ only in integers
	maxMinimized  = 60 // values of a key
	maxParts      = 4  // minimal values of one failing value
	maxProbes     = 200
	maxHoists     = 50
	maxExplained  = 10
)

// has reports whether a value has a pattern of the class.
func (f *failureClass) has(t choices.Tree) bool { return f.patternOf(t) != nil }

// patternOf returns the pattern of the class that a value has, or nil.
func (f *failureClass) patternOf(t choices.Tree) *alike.Pattern {
	if f.pattern != nil && f.pattern.In(t) {
		return f.pattern
	}
	for _, p := range f.others {
		if p.In(t) {
			return p
		}
	}
	return nil
}

func newFailureClasses(r *reporter, s *trial, seed uint64) *failureClasses {
	return &failureClasses{reporter: r, s: s, r: rand.New(rand.NewPCG(seed, ^seed)), tried: map[string]int{}, wordings: alike.Wordings{}}
}

// add adds the failure of a run on the value of a tree, which may be one that was given.
func (c *failureClasses) add(tree choices.Tree, run *T, given bool) {
	tree = slices.Clone(tree)
	c.kinds.Note(tree)
	c.failed++
	if run.hang != nil {
		c.addHang(tree, run)
		return
	}
	key, place := c.keyOf(run, tree), run.place()
	if sh := c.wordings.Add(place, key); sh != nil {
		key = c.unite(sh, place)
	}
	for range maxParts {
		if known := c.find(key, tree); known != nil {
			known.seen++
			return
		}
		if c.full(key, place, given) {
			c.others++
			return
		}
		c.tried[key]++
		minimal := c.saveFirst(c.s, tree)
		m := c.minimize(c.s, tree, run, c.likes(run, key), func(t choices.Tree) bool { return c.find(key, t) == nil })
		key = c.keyOf(m.run, m.tree)
		if c.isKnown(key, m.tree) {
			minimal("known")
			continue
		}
		found := &failureClass{minimized: m, key: key, place: place, given: given, named: run.class(false) != place}
		if m.stopped == "" {
			found.flaky = c.flaky(c.s, m.tree)
		}
		found.pattern = c.patternOf(found)
		found.file, found.isNew, found.err = saveEntry(c.home.dir(c.s.tb.Name()), choices.Encode(m.tree))
		found.isNew = minimal(found.file) || found.isNew
		c.list = append(c.list, found)
		if found.flaky != "" || found.named || found.pattern.In(tree) {
			found.seen++
			return
		}
	}
	c.list[len(c.list)-1].seen++
}

// keyOf returns the class of the failure of a run on the value of a tree.
func (c *failureClasses) keyOf(run *T, tree choices.Tree) string {
	if c.anyFailure {
		return ""
	}
	key := c.classOf(run, tree)
	if with := run.withEchoes(); slices.ContainsFunc(c.list, func(f *failureClass) bool { return f.key == with }) {
		key = with
	}
	return c.wordings.Key(run.place(), key)
}

// likes returns a function that says whether another run has failed in the same class as the one
// with a key. It may say the same if what both have in common with their values is no echo.
func (c *failureClasses) likes(run *T, key string) func(*T, choices.Tree) bool {
	with := run.withEchoes()
	return func(t *T, tree choices.Tree) bool {
		return c.keyOf(t, tree) == key || with != "" && t.withEchoes() == with
	}
}

// find returns the class with a key to whose pattern a value belongs, or nil.
func (c *failureClasses) find(key string, t choices.Tree) *failureClass {
	for _, f := range c.list {
		if f.key == key && (f.flaky != "" || f.named || f.has(t)) { // hangs have other keys
			return f
		}
	}
	return nil
}

// full reports whether there are so many classes that no other one is looked for.
func (c *failureClasses) full(key, place string, given bool) bool {
	structures, once := 0, 0
	keys := map[string]bool{}
	for _, f := range c.list {
		if f.key == key {
			structures++
			if f.seen <= 1 && !f.given && !given {
				once++
			}
		}
		if f.place == place {
			keys[f.key] = true
		}
	}
	return len(c.list) == maxClasses || structures == maxStructures || once == maxSeenOnce || c.tried[key] == maxMinimized || !keys[key] && len(keys) == engine.MaxPlaceClasses
}

// patternOf returns the pattern of a class, as far as other answers in its minimal value tell.
func (c *failureClasses) patternOf(f *failureClass) *alike.Pattern {
	p := &alike.Pattern{Tree: f.tree, Needs: make([]alike.Need, len(f.tree)), Runes: map[rune]int{}, Families: &c.kinds}
	left := maxProbes
	passes := func(i int, change func(*choices.Choice)) bool {
		left--
		return left >= 0 && c.passesWith(f, i, change)
	}
	for i := range f.tree {
		ch := &f.tree[i]
		switch {
		case ch.Kind > choices.Text || !ch.Asked():
		case ch.IsSimplest():
			if slices.ContainsFunc(answers.Others(ch), func(change func(*choices.Choice)) bool { return passes(i, change) }) {
				p.Needs[i] = alike.Itself
			}
		case ch.Kind == choices.Text:
			p.Needs[i] = alike.Itself
			for _, r := range ch.Tag {
				if _, done := p.Runes[r]; !done {
					p.Runes[r] = alike.KindThatFails(r, func(s rune) bool {
						return !passes(i, func(ch *choices.Choice) { ch.Tag = strings.ReplaceAll(ch.Tag, string(r), string(s)) })
					})
				}
			}
		case ch.Kind == choices.Pick:
			p.Needs[i] = alike.Itself
		default:
			p.Needs[i] = alike.NotSimplest
			if slices.ContainsFunc(answers.Farther(ch), func(n int64) bool { return passes(i, func(ch *choices.Choice) { ch.N = n }) }) {
				p.Needs[i] = alike.Itself
			}
		}
	}
	return p
}

// passesWith reports whether the value passes with another answer to its i-th choice. If it
// fails in another class, that tells something of a choice only if that is not the simplest:
// a larger value fails more often.
func (c *failureClasses) passesWith(f *failureClass, i int, change func(*choices.Choice)) bool {
	edited := append(choices.Tree(nil), f.tree...)
	change(&edited[i])
	v, made, err := c.tryRemake(edited)
	if err != nil {
		return false
	}
	run := c.run(c.s, v, c.s.hangAt, minimizing)
	if run == nil || run.invalid {
		return false
	}
	passes := !run.Failed() || !f.tree[i].IsSimplest() && c.keyOf(run, made) != f.key
	c.s.recycle(run)
	return passes
}

// avoid returns an edited tree of a value that has a known pattern: a replay of it, with a
// random source, makes one that may not. It reports false if the value has none.
func (c *failureClasses) avoid(t choices.Tree) (choices.Tree, bool) {
	c.kinds.Note(t)
	for _, f := range c.list {
		if p := f.patternOf(t); p != nil && f.flaky == "" {
			return p.Without(t, c.r.Uint64()), true
		}
	}
	return t, false
}

const maxClassValue = 4 << 10 // bytes of the literal of a value

// none reports whether no failure has been collected.
func (c *failureClasses) none() bool { return c == nil || len(c.list) == 0 }

// report fails the test with a summary, if there are classes.
func (c *failureClasses) report() {
	if c.none() {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of failures; %s failed", text.CountOf(len(c.list), "class", "classes"), text.Count(c.failed, "value"))
	if seen := 0; len(c.list) > 1 {
		for _, f := range c.list {
			seen += f.seen
		}
		if seen > c.failed {
			b.WriteString(", some for several reasons")
		}
	}
	if c.others > 0 {
		fmt.Fprintf(&b, ", %d of them not looked at", c.others)
	}
	b.WriteString(c.leftBehind() + "\n")
	slices.SortStableFunc(c.list, func(f, g *failureClass) int {
		return cmp.Or(cmp.Compare(f.place, g.place), mutate.Compare(f.tree, g.tree))
	})
	for i, f := range c.list {
		fmt.Fprintf(&b, "\n%d. %s", i+1, c.describe(f))
	}
	test := c.s.tb.Name()
	fmt.Fprintf(&b, "\nto run them again:\n%s\nto make the same random values again:\n%s\n",
		text.Indent(c.home.rerun(test, c.list[0].file, c.hangs())+" -fuzzext.keepgoing"), text.Indent(c.home.repeat(test, c.hangs())+" -fuzzext.keepgoing"))
	fmt.Fprint(c.s.tb.Output(), b.String())
	c.s.tb.Fail()
}

// describe returns the message of a class, its minimal value and where that is saved.
func (c *failureClasses) describe(f *failureClass) string {
	var b strings.Builder
	log, _ := f.run.logged()
	if at := strings.Index(log, f.place+":"); at > 0 {
		log = log[at:] // not what the property has logged before
	}
	if f.run.hang != nil {
		log = f.hangText()
	}
	message, _, panics := strings.Cut(strings.TrimSpace(log), "\n\ngoroutine ")
	if panics {
		message = strings.TrimPrefix(f.place, "panic at ") + ": " + message
	}
	b.WriteString(firstLines(message) + "\n")
	shown, passes, left := "it cannot be made again", "", ""
	if v, _, err := c.tryRemake(f.tree); err == nil {
		var all bool
		shown, all = literal.Within(maxClassValue, v, c.target.pkg)
		if f.run.hang == nil && f.flaky == "" && f.stopped == "" && c.explained < maxExplained {
			c.explained++
			e := c.explain(c.s, f.tree, f.run.class(false), explainTime)
			passes, left = e.Passes, e.Left
			if all && len(e.Marks) > 0 {
				shown, _ = literal.Marked(maxClassValue, v, c.target.pkg, e.Marks)
			}
		}
	}
	what := "minimal failing value"
	switch {
	case f.run.hang != nil:
		what = "value on which it does not return, not minimized"
	case f.flaky != "":
		what = "failing value, flaky: " + f.flaky
	case f.stopped != "":
		what = "failing value, minimized as far as " + f.stopped + " allowed"
	}
	fmt.Fprintf(&b, "    %s:\n%s\n", what, text.Indent(text.Indent(shown)))
	if passes != "" {
		fmt.Fprintf(&b, "    it passes with:\n%s\n", text.Indent(text.Indent(passes)))
	}
	if left != "" {
		fmt.Fprintf(&b, "    not tried, and so without a mark: %s\n", left)
	}
	switch {
	case f.err != nil:
		fmt.Fprintf(&b, "    it could not be saved: %v\n", f.err)
	case f.file != "":
		fmt.Fprintf(&b, "    saved as %s", filepath.ToSlash(f.file))
		if f.seen > 1 {
			fmt.Fprintf(&b, "; %d values failed so", f.seen)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// firstLines returns the first lines of a message, indented but for the first.
func firstLines(message string) string {
	const most = 3
	lines := strings.Split(message, "\n")
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	for i, l := range lines {
		lines[i] = text.Shorten(strings.TrimRight(l, " \t"), 200)
	}
	return strings.Join(lines, "\n    ")
}
