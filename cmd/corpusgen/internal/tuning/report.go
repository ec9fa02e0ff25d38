package tuning

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/goal"
	"github.com/espalier-go/espalier/internal/job"
)

// modelName returns the name of the file with the model of a target.
func modelName(target string) string {
	return strings.ReplaceAll(filepath.ToSlash(target), "/", ".") + ".model.json"
}

// report says what the values of a model are like, beside the values of the generator's own
// weights.
func (r *tuner) report(t *session.Target, file string, tuned *job.Tuned) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s%s\n", t.Label, gotest.Short(file), source(tuned))
	if tuned.Stateful != "" {
		fmt.Fprintf(&b, "    not weighed, since %s\n", strings.ReplaceAll(tuned.Stateful, "\n", "\n    "))
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { fmt.Fprintf(w, "    %s\n", strings.Join(cells, "\t")) }
	head := "goal"
	if tuned.Predicted != nil {
		head = "predicted"
	}
	row("", head, "own weights", "by the model")
	own, by := tuned.Own, tuned.By
	if slices.ContainsFunc(tuned.Objectives, func(o job.Objective) bool { return !o.Whole }) {
		row("meet the goal", fmt.Sprintf("± %v %%", r.tolerance),
			session.Percent(own.Within, own.Values), session.Percent(by.Within, by.Values))
	}
	for i, o := range tuned.Objectives {
		target := fmt.Sprint(o.Target)
		switch {
		case o.Name == goal.Variety:
			target = "features of each"
		case o.Name == goal.Coverage:
			row("coverage", fmt.Sprintf("by %d values", by.Values), branches(own.Covered),
				branches(by.Covered))
			continue
		case o.Whole:
			continue // the row of valid values tells
		}
		row(session.Printable(o.Name), target, moments(own.Measures[i]),
			moments(by.Measures[i]))
	}
	if by.Bits > 0 {
		row("entropy of choices", "", fmt.Sprintf("%.1f bits", own.Bits),
			fmt.Sprintf("%.1f bits", by.Bits))
	}
	wanted := func(o job.Objective) bool { return o.Name == "valid" }
	if own.Invalid+by.Invalid > 0 || slices.ContainsFunc(tuned.Objectives, wanted) {
		row("valid", "", session.Percent(own.Values-own.Failed-own.Invalid, own.Values),
			session.Percent(by.Values-by.Failed-by.Invalid, by.Values))
	}
	if own.Failed+by.Failed > 0 {
		row("cut off at the limit, or rejected", "", session.Percent(own.Failed, own.Values),
			session.Percent(by.Failed, by.Values))
	}
	for _, tag := range tagsByCount(own.Tags, by.Tags) {
		predicted := ""
		if n, ok := tuned.Predicted[tag]; ok {
			predicted = fmt.Sprintf("%.2f", n)
		}
		row("tag "+session.Printable(tag), predicted, fmt.Sprintf("%.2f", own.Tags[tag]),
			fmt.Sprintf("%.2f", by.Tags[tag]))
	}
	w.Flush()
	if tuned.Cost >= .1 {
		fmt.Fprintf(&b, "    no weights meet the goal: these come nearest, at a chi-square "+
			"of %.3g\n", tuned.Cost)
	}
	fmt.Fprintf(&b, "    to use the model: fuzzext.WithModel(%q)\n", inPackageOf(t, file))
	return b.String()
}

// front says between which compromises the user may pick.
func (r *tuner) front(t *session.Target, tuned *job.Tuned) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, none better than another in all goals,%s\n", t.Label,
		session.Count(len(tuned.Front), "model", "models"), source(tuned))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	head := []string{"model"}
	for _, o := range tuned.Objectives {
		head = append(head, title(o))
	}
	fmt.Fprintf(w, "    %s\n", strings.Join(head, "\t"))
	for i, means := range tuned.Front {
		cells := []string{fmt.Sprint(i + 1)}
		for k, x := range means {
			switch o := tuned.Objectives[k]; {
			case o.Name == goal.Coverage:
				cells = append(cells, branches(int(x)))
			case o.Name == goal.Variety:
				cells = append(cells, session.Count(int(x), "feature", "features"))
			case o.Whole:
				cells = append(cells, fmt.Sprintf("%.1f%%", 100*x))
			default:
				cells = append(cells, fmt.Sprintf("%.1f", x))
			}
		}
		fmt.Fprintf(w, "    %s\n", strings.Join(cells, "\t"))
	}
	w.Flush()
	if r.pick == 0 {
		b.WriteString("    to write one of them, and see more of it: the same command with " +
			"-pick MODEL\n")
	}
	return b.String()
}

// title returns an objective as the goal has it.
func title(o job.Objective) string {
	if o.Whole {
		return o.Name
	}
	return fmt.Sprintf("%s=%v", session.Printable(o.Name), o.Target)
}

func branches(n int) string { return session.Count(n, "branch", "branches") }

// source says what a model is from.
func source(tuned *job.Tuned) string {
	if tuned.From != "" {
		return tuned.From
	}
	text := fmt.Sprintf(" after %s in %s", session.Count(tuned.Values, "value", "values"),
		session.Count(tuned.Rounds, "round", "rounds"))
	if tuned.TimedOut {
		text += " (the time was up)"
	}
	return text
}

// inPackageOf returns the path of a file as a test of the target's package writes it.
func inPackageOf(t *session.Target, file string) string {
	if rel, err := filepath.Rel(t.Package.Dir, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

func moments(m job.Moments) string { return fmt.Sprintf("%.1f ± %.1f", m.Mean, m.Deviation) }

// tagsByCount returns up to 20 tags, those first that values have most often.
func tagsByCount(own, by map[string]float64) []string {
	all := maps.Clone(own)
	maps.Copy(all, by)
	tags := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(max(own[b], by[b]), max(own[a], by[a])), strings.Compare(a, b))
	})
	return tags[:min(len(tags), 20)]
}
