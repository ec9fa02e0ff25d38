package campaign

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/livepage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
)

// A fuzzSummary is the result of fuzzing a target.
type fuzzSummary struct {
	livepage.Figures
	// with -changed: inputs of a worker that reach functions that have changed
	Changed      *int  `json:",omitempty"`
	Flaky        int64 // blocks that the same input reaches at times only, or more or less often
	KnownFailed  int64 // further inputs of classes that are known
	Reproducible bool  // no notable share of the blocks is flaky
	// with -until: if the target was not fuzzed any longer, for how long it had found nothing
	Drought *Drought `json:",omitempty"`

	flicker float64 // the share of Flaky among the blocks that inputs reach
	mixed   bool    // CPUSeconds include other tests of the package
	valid   float64 // the share of Values among the inputs that the workers have counted
}

// notable is the share of flaky blocks above which a target counts as not deterministic.
const notable = 0.25

func summarize(t *fuzzTarget) *fuzzSummary {
	stats := t.tally.Stats()
	s := &fuzzSummary{
		Figures: livepage.Figures{
			Counts:    t.tally.Counts(),
			Operators: append([]engine.OperatorStats{}, stats.Operators...), // no null in -json
			Failures:  append([]engine.Failure{}, t.failures...),
			Unfit:     t.unfit,
		},
		Flaky: stats.Flaky,
		mixed: t.mixed,
	}
	s.flicker = float64(s.Flaky) / float64(max(1, int64(stats.Covered), s.Flaky))
	s.Reproducible = s.flicker <= notable
	if stats.Structured {
		s.Values = stats.Valid
		s.valid = float64(stats.Valid) / float64(max(1, stats.Executions))
	}
	if t.marked {
		s.Changed = &stats.Changed
	}
	if t.dry {
		s.Drought = &t.drought
	}
	for _, n := range stats.Known {
		s.KnownFailed += n
	}
	return s
}

// counted says what the coverage of a campaign counts.
const counted = "Coverage counts blocks of the packages that are followed, also of the standard " +
	"library. The commands cover and min count statements of the module."

// table sums up the targets for the job summary of GitHub Actions.
func table(targets []*fuzzTarget) [][]string {
	rows := [][]string{{"target", "executions", "new entries", "coverage", "failures", "seen again"}}
	for _, t := range targets {
		s := summarize(t)
		failures := fmt.Sprint(len(s.Failures))
		if s.Unfit != "" {
			failures += ", " + s.Unfit
		}
		rows = append(rows,
			[]string{t.pkg().Path + " " + t.name, fmt.Sprint(s.Executions), fmt.Sprint(s.Found),
				coverage(s.Counts), failures, fmt.Sprint(s.KnownFailed)})
	}
	return rows
}

// summary prints the summary of each target, and what its words mean.
func (f *fuzzer) summary(targets []*fuzzTarget) {
	values, ops := false, false
	for _, t := range targets {
		s := summarize(t)
		f.Emit(summaryEvent{t.event("summary"), s})
		f.Print(f.Text, "\n"+t.pkg().Path+" "+t.name+":\n"+s.text(t.pkg().Dir))
		values = values || s.Values > 0
		ops = ops || operators(s.Operators) != ""
	}
	legend := ""
	if values {
		legend += "Values are inputs that the generator accepts and the test does not skip.\n"
	}
	if ops {
		legend += "Operators are kinds of mutation; N of M: of the M inputs that it made, N " +
			"were new to the process\nthat ran them. The corpus gets those that are new to all.\n"
	}
	if legend != "" {
		f.Print(f.Text, "\n"+legend)
	}
}

func (s *fuzzSummary) text(dir string) string {
	var b strings.Builder
	add := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "\t%-12s %s\n", name+":", fmt.Sprintf(format, args...))
	}
	if s.Unfit != "" {
		add("result", "%s", s.Unfit)
	}
	if s.Seconds == 0 { // it has never run
		return b.String()
	}
	add("executions", "%d, %s", s.Executions, s.rates(s.Executions))
	if s.Values > 0 {
		add("values", "%d valid, %.1f%% of all, %s", s.Values, 100*s.valid, s.rates(s.Values))
	}
	switch {
	case s.CPUSeconds == 0:
		add("time", "%.1fs", s.Seconds)
	case s.mixed:
		add("time", "%.1fs, CPU %.1fs with other tests of the package", s.Seconds, s.CPUSeconds)
	default:
		add("time", "%.1fs, CPU %.1fs", s.Seconds, s.CPUSeconds)
	}
	if s.Entries > 0 {
		add("corpus", "%s, %d in all", session.Count(int(s.Found), "new entry", "new entries"), s.Entries)
	} else {
		add("corpus", "%s", session.Count(int(s.Found), "new entry", "new entries"))
	}
	if s.Drought != nil {
		add("enough", "%v", s.Drought)
	}
	if s.Changed != nil {
		add("change", "%d of a worker's inputs %s a function that has changed", *s.Changed,
			session.Verb(*s.Changed, "reaches", "reach"))
	}
	if ops := operators(s.Operators); ops != "" {
		add("operators", "%s", ops)
	}
	if s.Flaky > 0 {
		add("flaky", "%s (%.1f%% of those reached): the same input does not always run %s, or not "+
			"as often", session.Count(int(s.Flaky), "block", "blocks"), 100*s.flicker,
			session.Verb(int(s.Flaky), "it", "them"))
	}
	if !s.Reproducible {
		add("warning", "the target is not deterministic: code that does not depend on the input alone "+
			"guides nothing, and a failure there may not show again: look for time, goroutines, what "+
			"earlier inputs leave, and the order of maps, also in the test itself")
	}
	if s.KnownFailed > 0 {
		add("failures", "%d, seen again %s", len(s.Failures),
			session.Count(int(s.KnownFailed), "time", "times"))
	} else if len(s.Failures) > 0 {
		add("failures", "%d", len(s.Failures))
	}
	for _, f := range s.Failures {
		b.WriteString(failureText(f, dir))
	}
	return b.String()
}

// rates are per second of the clock and, if its CPU time is known, of that.
func (s *fuzzSummary) rates(n int64) string {
	rates := fmt.Sprintf("%.0f per second", float64(n)/max(s.Seconds, 1e-3))
	if s.CPUSeconds > 0 && !s.mixed {
		rates += fmt.Sprintf(", %.0f per CPU second", float64(n)/max(s.CPUSeconds, 1e-3))
	}
	return rates
}

// operators lists those that have found something, the first of them by name.
func operators(ops []engine.OperatorStats) string {
	var found []string
	for _, op := range ops {
		if op.Found > 0 {
			found = append(found, fmt.Sprintf("%s %d of %d", op.Name, op.Found, op.Tried))
		}
	}
	if shown := session.Shown(len(found), 8); shown < len(found) {
		found = append(found[:shown], fmt.Sprintf("%d others", len(found)-shown))
	}
	return strings.Join(found, ", ")
}

// shortInput shortens the lines of an input that are very long.
func shortInput(input string) string {
	const most = 400 // bytes of a line
	lines := strings.Split(input, "\n")
	for i, line := range lines {
		if len(line) > most {
			lines[i] = strings.ToValidUTF8(line[:most], "") + "…"
		}
	}
	return strings.Join(lines, "\n")
}

// coverage returns the share of the blocks that inputs reach, or how many, if that is all that is known.
func coverage(c livepage.Counts) string {
	if c.Blocks == 0 && c.Covered > 0 {
		return session.Count(c.Covered, "block", "blocks")
	}
	return session.Percent(c.Covered, c.Blocks)
}

// asText returns those of the arguments of an input that are texts of several lines, as they are, up
// to a limit, or "".
func asText(input string) string {
	const most = 4000 // bytes
	args, err := corpus.ParseArgs(input)
	if err != nil {
		return ""
	}
	var texts []string
	for _, arg := range args {
		if text, ok := corpus.Text(arg); ok {
			texts = append(texts, strings.TrimRight(text, "\n"))
		}
	}
	text := strings.Join(texts, "\n\n")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// failureText describes a failure in the package in dir.
func failureText(f engine.Failure, dir string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\tfailure at %s\n", placeText(f))
	if message := finding.Whole(f.Log); message != "" {
		b.WriteString("\t\t" + strings.ReplaceAll(message, "\n", "\n\t\t    ") + "\n")
	}
	if report := finding.Report(f.Log); report != "" && f.Value != "" {
		b.WriteString("\t\t" + strings.ReplaceAll(report, "\n", "\n\t\t") + "\n")
	}
	part := parts(&b)
	part("it also logged", finding.Logged(f.Log))
	if calls := finding.Calls(f.Log); len(calls) > 1 {
		part("called by", callsText(calls[1:]))
	}
	b.WriteString(inputText(f, dir))
	for _, v := range f.Variants {
		b.WriteString("\t    another value that fails so\n" + inputText(v, dir))
	}
	return b.String()
}

func placeText(f engine.Failure) string {
	place, panics := strings.CutPrefix(f.Place, "panic at ")
	if panics {
		place += " (panic)"
	}
	if f.Class == engine.Unsaid {
		return "an unknown place: the test says nothing"
	}
	return cmp.Or(place, "an unknown place")
}

// callsText lists calls, a line each, those that follow a place first. Calls that repeat one after the
// other, as in a recursion, stand there once.
func callsText(calls []engine.Call) string {
	const most = 10
	var lines []string
	for len(lines) < session.Shown(len(lines)+len(calls), most) {
		period, times := repetition(calls)
		for _, c := range calls[:period] {
			lines = append(lines, c.Function+" at "+c.Place)
		}
		switch {
		case times > 1 && period == 1:
			lines[len(lines)-1] += fmt.Sprintf(", %d times", times)
		case times > 1:
			lines[len(lines)-1] += fmt.Sprintf(", these %d calls %d times", period, times)
		}
		calls = calls[period*times:]
	}
	if n := len(calls); n > 0 {
		lines = append(lines, fmt.Sprintf("%d more", n))
	}
	return strings.Join(lines, "\n")
}

// repetition returns how many calls begin calls again and again, and how often: the period that
// covers most calls, the shortest of those.
func repetition(calls []engine.Call) (period, times int) {
	const longest = 5
	period, times = 1, 1
	for p := 1; p <= min(longest, len(calls)/2); p++ {
		n := 1
		for (n+1)*p <= len(calls) && slices.Equal(calls[:p], calls[n*p:(n+1)*p]) {
			n++
		}
		if n > 1 && n*p > period*times {
			period, times = p, n
		}
	}
	return period, times
}

// parts returns a function that writes a part of what describes a failure, unless it is empty.
func parts(b *strings.Builder) func(title, body string) {
	return func(title, body string) {
		if body != "" {
			fmt.Fprintf(b, "\t\t%s:\n\t\t    %s\n", title,
				strings.ReplaceAll(body, "\n", "\n\t\t    "))
		}
	}
}

// inputText describes the input of a failure, and how it is run again.
func inputText(f engine.Failure, dir string) string {
	var b strings.Builder
	part := parts(&b)
	if f.Note != "" {
		b.WriteString("\t\t" + f.Note + "\n")
	}
	title := job.MinimalValue
	if f.Note != "" {
		title = "failing value"
	}
	part(title, f.Value)
	if f.Input != "" {
		part("input", shortInput(f.Input))
		part("as text", asText(f.Input))
	}
	part(job.SavedAs, savedAs(f, dir))
	part("to run it again", f.Rerun)
	if title, code, ok := strings.Cut(f.Always, ":\n"); ok {
		part(title, code)
	}
	return b.String()
}

// savedAs returns the path of the file of a failure in the package in dir, or "".
func savedAs(f engine.Failure, dir string) string {
	file := filepath.FromSlash(f.File)
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	return gotest.Short(filepath.Join(dir, file))
}
