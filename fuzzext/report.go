package fuzzext

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/explain"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/literal"
)

// A reporter runs a property on many values and reports a failure: it minimizes the value,
// saves it and fails the test.
type reporter struct {
	*spec
	home home
}

// each is [runner.each]. It reports false if it has failed the test itself, because a run
// hangs or the generator panics.
func (r *reporter) each(s *trial, values maker, after func(i int, t *T) (more bool)) bool {
	switch e := r.runner.each(s, values, after); {
	case e.hangs:
		r.reportHang(s, e)
		return false
	case e.crash != "":
		r.reportCrash(s, e.crash)
		return false
	}
	return true
}

// fail minimizes a failing value, which tree makes and on which the property has run as
// first, and fails the test with the report of the result. It returns the path of what it has saved.
//
// If -run selects only this value, it has run, and is not run again: so a debugger stops once.
func (r *reporter) fail(s *trial, tree choices.Tree, first *T) (path string) {
	if s.alone {
		f := failure{index: first.index, run: first, tree: tree, labels: first.labels()}
		f.what = fmt.Sprintf("failing value, as saved (%s)", text.Count(len(tree), "choice"))
		f.account = first.account()
		return r.report(s, f)
	}
	m := minimized{tree: tree, run: first}
	minimal := r.saveFirst(s, tree)
	defer func() { minimal(path) }()
	if !first.testFailed {
		m = r.minimize(s, tree, first, nil, nil)
	}
	f := r.failureOf(s, len(tree), m)
	r.addMarks(s, &f, m)
	f.index = first.index
	return r.report(s, f)
}

// failureOf returns what a report tells of the result of minimizing a value of so many choices.
func (r *reporter) failureOf(s *trial, of int, m minimized) failure {
	f := failure{index: m.run.index, run: m.run, tree: m.tree, what: "minimal failing value"}
	if _, _, err := r.remake(m.tree); err != nil {
		f.note = fmt.Sprintf("the choices of the failing value do not make it again: %v: the generator is not deterministic\n", err)
	} else if m.doubt != "" {
		f.note, f.mark = "flaky: "+m.doubt+"\n", flakyMark
	}
	switch {
	case r.shrinks == 0 || m.run.testFailed || m.doubt != "" && m.runs == 0:
		f.what = "failing value, not minimized"
	case f.note != "" && !m.repeated:
		f.what = "failing value"
	case m.stopped != "":
		f.what = "failing value, minimized as far as " + m.stopped + " allowed"
	}
	if name := m.run.left().class; name != "" {
		f.what += fmt.Sprintf(", of class %q", name)
	}
	f.how = fmt.Sprintf(", after %s in %s (%s, of %d)",
		text.Count(m.steps, "step"), text.Count(m.runs, "run"), text.Count(len(m.tree), "choice"), of)
	f.account, f.labels, f.smaller = m.run.account(), m.run.labels(), m.smaller
	return f
}

// addMarks adds to a failure what explains it, unless there is no time or no use for that.
func (r *reporter) addMarks(s *trial, f *failure, m minimized) {
	if s.probe == nil && !fuzzing() && f.note == "" && m.stopped == "" && r.shrinks > 0 && !m.run.testFailed {
		f.explanation = r.explain(s, m.tree, m.run.class(), explainTime)
	}
}

// saveFirst saves a value that is about to be minimized, since a run on a smaller one may end the
// process. The function that it returns removes the file if the minimal value has been saved as
// another one, and otherwise reports whether the file has been written anew.
func (r *reporter) saveFirst(s *trial, tree choices.Tree) (done func(path string) (isNew bool)) {
	if s.seed == 0 {
		return func(string) bool { return false }
	}
	first, isNew, err := saveEntry(r.home.dir(s.test.Name()), choices.Encode(tree), "")
	return func(path string) bool {
		if isNew && err == nil && path != first && (path != "" || r.fault != "") {
			_ = os.Remove(inPackage(first))
			return false
		}
		return isNew
	}
}

// reportHang reports a run that has been abandoned, or the generator.
func (r *reporter) reportHang(s *trial, e ending) {
	if e.run == nil {
		fmt.Fprintf(s.tb.Output(), "the generator, or all runs together, have not ended after %v, in %v\n%s\n", e.after, stack.Innermost(e.stack), e.stack)
		s.tb.Fail()
		return
	}
	if e.starved {
		r.reportStarved(s, e)
		return
	}
	f := r.hangOf(e.run, e)
	f.tree = s.tree
	f.what += fmt.Sprintf(" (%s)", text.Count(len(s.tree), "choice"))
	r.report(s, f)
}

// hangOf returns what a report tells of a run that does not return.
func (r *reporter) hangOf(run *T, e ending) failure {
	a, at := run.account(), stack.Innermost(e.stack)
	a.before, a.where = len(a.log), cmp.Or(at.Place, "hang")
	if a.log += fmt.Sprintf("the property has not returned after %v, with %v of CPU time\n", e.after, e.cpu); e.stack != "" {
		a.log += fmt.Sprintf("it is in %v\n\n%s", at, e.stack)
	}
	return failure{
		account: a,
		index:   run.index,
		run:     run,
		labels:  run.labels(),
		what:    "value on which it does not return, not minimized",
		hangs:   true,
		class:   "hang in " + at.Function,
	}
}

// reportStarved reports a run for which there has been too little CPU time. That is no failure
// to the fuzzer, which meets the value again.
func (r *reporter) reportStarved(s *trial, e ending) {
	if fuzzing() {
		return
	}
	fmt.Fprintf(s.tb.Output(), "no verdict: the property had run for %v, but this process had only %v of CPU time: the machine is busy. Raise -timeout, or fuzzext.Timeout if it is set\n\n%s\n", e.after, e.cpu, e.stack)
	s.tb.Fail()
}

// reportCrash reports a generator that panics.
func (r *reporter) reportCrash(s *trial, crash string) {
	fmt.Fprintln(s.tb.Output(), crash)
	if s.probe != nil {
		s.probe.crashed()
	}
	if r.home.repeat != nil {
		fmt.Fprintf(s.tb.Output(), "to run it again:\n%s\n", text.Indent(r.home.repeat(s.test.Name(), false)))
	}
	s.tb.Fail()
}

const maxTree = 2 << 10 // bytes of a tree in a report

// A failure is what a report tells.
type failure struct {
	account
	index  int    // of the value in the trial
	run    *T     // or nil
	note   string // a line
	mark   string // at the end of the name of its file
	what   string // the tree's value is
	how    string // it has been found
	tree   choices.Tree
	labels []string
	hangs  bool   // the property does not return
	class  string // unless it is the place
	data   []byte // see [engine.KnownClass]

	explanation explain.Explanation
	smaller     elsewhere
}

// report saves the value of a failure, and fails the test with the report. It returns the path of
// the file.
func (r *reporter) report(s *trial, f failure) (path string) {
	if r.fault != "" && r.schedules != nil { // which explains it, and is reported
		return ""
	}
	var b strings.Builder
	part := text.Parts(&b)
	test := s.test.Name()

	if log := strings.TrimSuffix(f.log, "\n"); log != "" {
		if r.home.maxLog > 0 {
			log = text.Shorten(log, r.home.maxLog)
		}
		b.WriteString(log + "\n\n")
	}
	b.WriteString(f.note)
	encoded := choices.Encode(f.tree)
	path, err := r.home.save(test, encoded, f.mark)
	if s.probe != nil {
		s.probe.offer(encoded)
	}
	f.what += f.how
	shown, value, all := r.describe(&f, maxValue, path != "")
	b.WriteString(shown)
	v, _, lost := r.remake(f.tree)
	smaller := ""
	if f.smaller.tree != nil {
		smaller, _ = r.literalOf(f.smaller.tree, maxValue)
	}
	if smaller != "" && len(smaller) < len(value) {
		how := "another place"
		switch {
		case f.smaller.class != "":
			how = fmt.Sprintf("class %q", f.smaller.class)
		case f.smaller.where == f.where:
			how = "another class"
		}
		part("a smaller value fails in "+how, smaller+"\n"+text.Line(f.smaller.message()))
	}
	part("its choices", text.Shorten(f.tree.String(), maxTree))
	part("its labels", strings.Join(f.labels, ", "))
	switch {
	case err != nil:
		fmt.Fprintf(&b, "it could not be saved: %v\n", err)
	case path != "":
		part("saved as", filepath.ToSlash(path))
	}
	command := r.home.rerun(test, path, f.hangs)
	part("to run it again", command)
	if lost == nil {
		if title, code := r.home.snippet(r.write(v, above, all, encoded)); code != "" {
			part(title, code)
		}
	}
	if s.probe != nil {
		s.probe.tell(engine.Failure{
			Target: test,
			Class:  cmp.Or(f.class, f.where),
			Data:   f.data,
			Place:  f.where,
			Log:    f.message(),
			Value:  value,
			File:   filepath.ToSlash(path),
			Rerun:  command,
			Hangs:  f.hangs,
		})
	}
	if r.home.repeat != nil && path != "" {
		if ran, random := r.home.before(f.index); random {
			part(fmt.Sprintf("to make the same random values again (%d ran before this one)", ran), r.home.repeat(test, f.hangs))
		}
	}
	if f.run != nil && s.probe == nil {
		part("its artifacts", f.run.publish())
	}
	fmt.Fprint(s.tb.Output(), b.String())
	s.tb.Fail()
	return path
}

// describe returns what a report shows of the value of a failure, which may be saved, and its
// literal, of at most so many bytes, and whether that is all of it.
func (r *reporter) describe(f *failure, most int, saved bool) (shown, value string, all bool) {
	var b strings.Builder
	part := text.Parts(&b)
	value, all = "it cannot be made again", false
	v, _, err := r.remake(f.tree)
	if err == nil {
		value, all = literal.Within(most, v, r.target().pkg)
	}
	shown = value
	if all && len(f.explanation.Marks) > 0 {
		shown, _ = literal.Marked(most, v, r.target().pkg, f.explanation.Marks)
	}
	part(f.what, shown)
	if !all && strings.Contains(value, "/* ... */") {
		cut := "(cut)"
		if saved {
			cut = "(cut; the file has all of it)"
		}
		fmt.Fprintln(&b, cut)
	}
	part("it needs", f.explanation.Needs)
	part("it passes with", f.explanation.Passes)
	if f.explanation.Left != "" {
		fmt.Fprintf(&b, "not tried, and so without a mark: %s\n", f.explanation.Left)
	}
	return b.String(), value, all
}

// literalOf returns the literal of the value of a tree, of at most so many bytes, and whether that
// is all of it. It is "" if the value cannot be made again.
func (r *spec) literalOf(t choices.Tree, most int) (text string, all bool) {
	v, _, err := r.tryRemake(t)
	if err != nil {
		return "", false
	}
	return literal.Within(most, v, r.target().pkg)
}

// write returns a value as code can have it. text is its literal, or a name for it, and all
// says whether the literal has all of it.
func (r *reporter) write(v any, text string, all bool, encoded []byte) writtenValue {
	w := writtenValue{literal: text, exact: all, bytes: encoded}
	if _, err := values.Choices(r.gen, v); err != nil {
		w.exact = false // the value would be refused
	}
	if typ := r.typ; typ.Kind() == reflect.Interface { // the literal is of another type
		w.typeArgs = "[" + literal.TypeName(typ, r.target().pkg) + "]"
	}
	return w
}
