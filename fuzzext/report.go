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
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/internal/visible"
)

// eachReported is [trial.each]. It reports false if it has failed the test itself, because a run
// hangs or the generator panics.
func (tr *trial) eachReported(values maker, after func(i int, t *T) (more bool)) bool {
	switch e := tr.each(values, after); {
	case e.hangs:
		tr.reportHang(e)
		return false
	case e.crash != "":
		tr.reportCrash(e.crash)
		return false
	}
	return true
}

// reportFailure minimizes a failing value, which tree makes and on which the property has run as
// first. It fails the test with a report of the result, and returns the path of the saved value.
//
// If -run selects only this value, it does not run again, so that a debugger stops once.
func (tr *trial) reportFailure(tree choices.Tree, first *T) (path string) {
	if tr.alone {
		f := failure{index: first.index, run: first, tree: tree, labels: first.labels()}
		f.what = fmt.Sprintf("failing value, as saved (%s)", text.Count(len(tree), "choice"))
		f.account = first.account()
		return tr.report(f)
	}
	if job.BriefChecks() > 0 {
		a := first.account()
		fmt.Fprintln(tr.tb.Output(), text.Line(a.message()))
		tr.tb.Fail()
		return ""
	}
	m := minimized{tree: tree, run: first}
	minimal := tr.saveFirst(tree)
	defer func() { minimal(path) }()
	if !first.testFailed {
		m = tr.minimize(tree, first, nil, nil)
	}
	f := tr.failureOf(len(tree), m)
	tr.addMarks(&f, m)
	f.index = first.index
	return tr.report(f)
}

// failureOf returns what a report tells of the result of minimizing a value of so many choices.
func (tr *trial) failureOf(of int, m minimized) failure {
	f := failure{index: m.run.index, run: m.run, tree: m.tree, what: job.MinimalValue}
	if _, _, err := tr.spec.remake(m.tree); err != nil {
		f.note = fmt.Sprintf("the choices of the failing value do not make it again: %v: the "+
			"generator is not deterministic\n", err)
	} else if m.doubt != "" {
		f.note, f.mark = "flaky: "+m.doubt+"\n", flakyMark
	}
	switch {
	case tr.spec.shrinks == 0 || m.run.testFailed || m.doubt != "" && m.runs == 0:
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

// addMarks adds the explanation to a failure, unless there is no time or no use for it.
func (tr *trial) addMarks(f *failure, m minimized) {
	if tr.probe == nil && !fuzzing() && f.note == "" && m.stopped == "" && tr.spec.shrinks > 0 &&
		!m.run.testFailed {
		f.explanation = tr.explain(m.tree, m.run.className(), explainTime)
	}
}

// saveFirst saves a value that is about to be minimized, since a run on a smaller one may end the
// process. The function that it returns removes the file if the minimal value has been saved as
// another one, and otherwise reports whether the file has been written anew.
func (tr *trial) saveFirst(tree choices.Tree) (done func(path string) (isNew bool)) {
	if tr.seed == 0 {
		return func(string) bool { return false }
	}
	first, isNew, err := saveEntry(tr.home.dir(tr.test.Name()), choices.Encode(tree), "")
	return func(path string) bool {
		if isNew && err == nil && path != first && (path != "" || tr.spec.fault != "") {
			_ = os.Remove(inPackage(first))
			return false
		}
		return isNew
	}
}

// reportHang reports a run that has been abandoned, or the generator.
func (tr *trial) reportHang(e ending) {
	if e.run == nil {
		fmt.Fprintf(tr.tb.Output(), "the generator, or all runs together, have not ended after "+
			"%v, in %v\n%s\n", e.after, stack.Innermost(e.stack), e.stack)
		tr.tb.Fail()
		return
	}
	if e.starved {
		tr.reportStarved(e)
		return
	}
	f := hangOf(e.run, e)
	f.tree = tr.tree
	f.what += fmt.Sprintf(" (%s)", text.Count(len(tr.tree), "choice"))
	tr.report(f)
}

// hangOf returns what a report tells of a run that does not return.
func hangOf(run *T, e ending) failure {
	a, at := run.account(), stack.Innermost(e.stack)
	a.before, a.where = len(a.log), cmp.Or(at.Place, "hang")
	if a.log += fmt.Sprintf("the property has not returned after %v, with %v of CPU time\n",
		e.after, e.cpu); e.stack != "" {
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

// reportStarved reports a run for which there was too little CPU time. The fuzzer does not count it
// as a failure: it meets the value again.
func (tr *trial) reportStarved(e ending) {
	if fuzzing() {
		return
	}
	f := hangOf(e.run, e)
	f.tree = tr.tree
	f.what = fmt.Sprintf("value on which it ran (%s)", text.Count(len(tr.tree), "choice"))
	shown, _, _ := tr.spec.describe(&f, maxValue, false)
	fmt.Fprintf(tr.tb.Output(), "no verdict: the property had run for %v, but this process had "+
		"only %v of CPU time: the machine is busy. Raise -timeout, or fuzzext.Timeout if it is "+
		"set\n\n%s\n%s\n", e.after, e.cpu, visible.Text(shown), e.stack)
	tr.tb.Fail()
}

// reportCrash reports a generator that panics.
func (tr *trial) reportCrash(crash string) {
	fmt.Fprintln(tr.tb.Output(), visible.Text(crash))
	if tr.probe != nil {
		tr.probe.crashed()
	}
	if tr.home.repeat != nil {
		fmt.Fprintf(tr.tb.Output(), "to run it again:\n%s\n",
			text.Indent(tr.home.repeat(tr.test.Name(), false)))
	}
	tr.tb.Fail()
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

	variant string // of the class, or ""
	data    []byte // see [engine.KnownClass]

	explanation explain.Explanation
	smaller     elsewhere
}

// report saves the value of a failure, and fails the test with the report. It returns the path of
// the file.
func (tr *trial) report(f failure) (path string) {
	if tr.spec.fault != "" && tr.spec.schedules { // which explains it, and is reported
		return ""
	}
	var b strings.Builder
	part := text.Parts(&b)
	test := tr.test.Name()
	b.WriteString(tr.logOf(f) + f.note)
	encoded := choices.Encode(f.tree)
	path, err := tr.home.save(test, encoded, f.mark)
	if tr.probe != nil {
		tr.probe.offer(encoded)
	}
	f.what += f.how
	shown, value, all := tr.spec.describe(&f, maxValue, path != "")
	b.WriteString(shown)
	v, _, lost := tr.spec.remake(f.tree)
	if where, smaller := tr.smaller(f); smaller != "" && len(smaller) < len(value) {
		part("a smaller value fails in "+where, smaller+"\n"+text.Line(f.smaller.message()))
	}
	part("its choices", text.Shorten(f.tree.String(), maxTree))
	part("its labels", strings.Join(f.labels, ", "))
	switch {
	case err != nil:
		fmt.Fprintf(&b, "it could not be saved: %v\n", err)
	case path != "":
		part(job.SavedAs, filepath.ToSlash(path))
	}
	command := tr.home.rerun(test, path, f.hangs)
	part("to run it again", command)
	always := ""
	if lost == nil {
		if title, code := tr.home.snippet(tr.spec.write(v, above, all, encoded)); code != "" {
			part(title, code)
			always = title + ":\n" + code
		}
	}
	if tr.probe != nil {
		tr.probe.tell(engine.Failure{
			Target:  test,
			Class:   cmp.Or(f.class, f.where),
			Variant: f.variant,
			Data:    f.data,
			Place:   f.where,
			Log:     tr.spec.once(&f, f.message()),
			Value:   value,
			File:    filepath.ToSlash(path),
			Rerun:   command,
			Always:  always,
			Hangs:   f.hangs,
		})
	}
	if tr.home.repeat != nil && path != "" {
		if ran, random := tr.home.before(f.index); random {
			title := "to make the same random values again (%d ran before this one)"
			part(fmt.Sprintf(title, ran), tr.home.repeat(test, f.hangs))
		}
	}
	if f.run != nil && tr.probe == nil {
		part("its artifacts", f.run.publish())
	}
	if tr.spec.schedules && tr.probe == nil {
		job.TellSchedule(tr.spec.target().pkg, test, b.String())
	}
	fmt.Fprint(tr.tb.Output(), visible.Text(b.String()))
	tr.tb.Fail()
	return path
}

// logOf returns what the run of a failure has logged, as the report begins with it.
func (tr *trial) logOf(f failure) string {
	log := tr.spec.once(&f, strings.TrimSuffix(f.log, "\n"))
	if log == "" {
		return ""
	}
	if tr.home.maxLog > 0 {
		log = text.Shorten(log, tr.home.maxLog)
	}
	return log + "\n\n"
}

// smaller returns the value that fails elsewhere, and where.
func (tr *trial) smaller(f failure) (where, value string) {
	if f.smaller.tree == nil {
		return "", ""
	}
	value, _ = tr.spec.literalOf(f.smaller.tree, maxValue)
	switch {
	case f.smaller.class != "":
		return fmt.Sprintf("class %q", f.smaller.class), value
	case f.smaller.where == f.where:
		return "another class", value
	}
	return "another place", value
}

// describe returns what a report shows of the value of a failure, which may be saved, and its
// literal, of at most so many bytes, and whether that is all of it.
func (x *spec) describe(f *failure, most int, saved bool) (shown, value string, all bool) {
	var b strings.Builder
	part := text.Parts(&b)
	value, all = "it cannot be made again", false
	v, _, err := x.remake(f.tree)
	if err == nil {
		value, all = literal.Within(most, v, x.target().pkg)
	}
	shown = value
	if all && len(f.explanation.Marks) > 0 {
		shown, _ = literal.Marked(most, v, x.target().pkg, f.explanation.Marks)
	}
	if saved {
		shown = fold(shown)
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
	part(job.PassesWith, f.explanation.Passes)
	if f.explanation.Left != "" {
		fmt.Fprintf(&b, "not tried, and so without a mark: %s\n", f.explanation.Left)
	}
	return b.String(), value, all
}

// literalOf returns the literal of the value of a tree, of at most so many bytes, and whether that
// is all of it. It is "" if the value cannot be made again.
func (x *spec) literalOf(t choices.Tree, most int) (text string, all bool) {
	v, _, err := x.tryRemake(t)
	if err != nil {
		return "", false
	}
	return literal.Within(most, v, x.target().pkg)
}

// write returns a value as code can have it. text is its literal, or a name for it, and all
// says whether the literal has all of it.
func (x *spec) write(v any, text string, all bool, encoded []byte) writtenValue {
	w := writtenValue{literal: text, exact: all, bytes: encoded}
	if _, err := values.Choices(x.gen, v); err != nil {
		w.exact = false // the value would be refused
	}
	if typ := x.typ; typ.Kind() == reflect.Interface { // the literal is of another type
		w.typeArgs = "[" + literal.TypeName(typ, x.target().pkg) + "]"
	}
	return w
}
