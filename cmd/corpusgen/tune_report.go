package main

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/stats"
	"github.com/espalier-go/espalier/internal/job"
)

// modelName returns the name of the file with the model of a target.
func modelName(target string) string {
	return strings.ReplaceAll(filepath.ToSlash(target), "/", ".") + ".model.json"
}

// report says what the values of a model are like, beside those of the generator's own weights.
func (r *tuner) report(t *session.Target, file string, p *plan, tuned *job.Tuned) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s%s\n", t.Label, gotest.Short(file), source(p, tuned))
	if p.stateful != "" {
		fmt.Fprintf(&b, "    not weighed, since %s\n", strings.ReplaceAll(strings.TrimPrefix(p.stateful, "predict: "), "\n", "\n    "))
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { fmt.Fprintf(w, "    %s\n", strings.Join(cells, "\t")) }
	head := "goal"
	if p.predicted != nil {
		head = "predicted"
	}
	row("", head, "own weights", "by the model")
	own, by := tuned.Own, tuned.By
	if len(p.Objectives) > 0 {
		row("meet the goal", fmt.Sprintf("± %v %%", r.tolerance), session.Percent(own.Within, own.Values), session.Percent(by.Within, by.Values))
	}
	for i, o := range p.Objectives {
		row(objectiveName(o), fmt.Sprint(o.Target), momentsText(own.Measures[i]), momentsText(by.Measures[i]))
	}
	if by.Bits > 0 {
		row("entropy of choices", "", bitsText(own.Bits), bitsText(by.Bits))
		if own.Invalid+by.Invalid > 0 {
			row("of those of valid values", "", bitsText(own.Valid), bitsText(by.Valid))
		}
	}
	if own.Invalid+by.Invalid > 0 {
		row("valid", "", session.Percent(own.Values-own.Failed-own.Invalid, own.Values), session.Percent(by.Values-by.Failed-by.Invalid, by.Values))
	}
	if own.Failed+by.Failed > 0 {
		row("cut off at the limit, or rejected", "", session.Percent(own.Failed, own.Values), session.Percent(by.Failed, by.Values))
	}
	for _, tag := range tagsByCount(own.Tags, by.Tags) {
		predicted := ""
		if n, ok := p.predicted[tag]; ok {
			predicted = countText(n)
		}
		row("tag "+stats.Printable(tag), predicted, countText(own.Tags[tag]), countText(by.Tags[tag]))
	}
	w.Flush()
	if p.cost >= .1 {
		fmt.Fprintf(&b, "    no weights meet the goal: these come nearest, at a chi-square of %.3g\n", p.cost)
	}
	fmt.Fprintf(&b, "    to use the model: fuzzext.WithModel(%q)\n", inPackageOf(t, file))
	return b.String()
}

// source says what a model is from.
func source(p *plan, tuned *job.Tuned) string {
	switch {
	case p.Given != nil:
		return " by the generator's branching process"
	case p.Keep != nil || p.Exclude != nil:
		return " by the generator's own weights, without other tags"
	case tuned.Counted > 0:
		return fmt.Sprintf(", which draws from all 2^%.1f values that meet the goal", tuned.Counted)
	case p.Like != nil:
		return fmt.Sprintf(" of %s", session.Count(tuned.Examples, "example", "examples"))
	case tuned.TimedOut:
		return fmt.Sprintf(" after %s in %s (the time was up)", session.Count(tuned.Values, "value", "values"), session.Count(tuned.Rounds, "round", "rounds"))
	}
	return fmt.Sprintf(" after %s in %s", session.Count(tuned.Values, "value", "values"), session.Count(tuned.Rounds, "round", "rounds"))
}

// inPackageOf returns the path of a file as a test of the target's package writes it.
func inPackageOf(t *session.Target, file string) string {
	if rel, err := filepath.Rel(t.Package.Dir, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

func objectiveName(o job.Objective) string {
	if len(o.Tags) == 0 {
		return o.Kind
	}
	return stats.Printable(fmt.Sprintf("%s(%s)", o.Kind, strings.Join(o.Tags, ",")))
}

func momentsText(m job.Moments) string {
	return fmt.Sprintf("%.1f ± %.1f", m.Mean, m.Deviation)
}

func bitsText(bits float64) string { return fmt.Sprintf("%.1f bits", bits) }

func countText(x float64) string { return fmt.Sprintf("%.2f", x) }

// mostTags is how many tags a report lists.
const mostTags = 20

// tagsByCount returns the tags that values have most often.
func tagsByCount(own, by map[string]float64) []string {
	var tags []string
	for tag := range own {
		tags = append(tags, tag)
	}
	for tag := range by {
		if _, ok := own[tag]; !ok {
			tags = append(tags, tag)
		}
	}
	slices.SortFunc(tags, func(a, b string) int {
		return cmp.Or(cmp.Compare(max(own[b], by[b]), max(own[a], by[a])), strings.Compare(a, b))
	})
	return tags[:min(len(tags), mostTags)]
}

// draw draws values: those of two objectives as points, those of one as a histogram, and none
// for other goals but how often each tag occurs.
func (r *tuner) draw(p *plan, tuned *job.Tuned) []byte {
	d := &drawing{}
	switch goals := p.Objectives; len(goals) {
	case 0:
		d.bars(tuned)
	case 1:
		d.histogram(goals[0], tuned)
	default:
		d.scatter(goals[0], goals[1], tuned)
	}
	return d.svg()
}

// A drawing is an SVG image of a plot.
type drawing struct{ b strings.Builder }

const (
	plotWidth, plotHeight = 640, 400
	plotLeft, plotBottom  = 60, 50
	plotTop, plotRight    = 40, 20
)

// An axis maps numbers to places.
type axis struct{ lo, hi, from, to float64 }

func (a axis) at(x float64) float64 {
	if a.hi == a.lo {
		return (a.from + a.to) / 2
	}
	return a.from + (x-a.lo)/(a.hi-a.lo)*(a.to-a.from)
}

func xAxis(hi float64) axis { return axis{0, hi, plotLeft, plotWidth - plotRight} }

func yAxis(hi float64) axis { return axis{0, hi, plotHeight - plotBottom, plotTop} }

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(&d.b, format+"\n", args...) }

func (d *drawing) text(x, y float64, anchor, class, text string) {
	d.printf(`<text x="%.1f" y="%.1f" text-anchor="%s" class="%s">%s</text>`, x, y, anchor, class, escape(text))
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(stats.Printable(s))
}

// axes draws both axes with their names and numbers.
func (d *drawing) axes(x, y axis, nameX, nameY string) {
	for i := range 6 {
		v := x.hi * float64(i) / 5
		d.printf(`<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, x.at(v), y.from, x.at(v), y.to)
		d.text(x.at(v), y.from+16, "middle", "number", number(v))
		v = y.hi * float64(i) / 5
		d.printf(`<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, x.from, y.at(v), x.to, y.at(v))
		d.text(x.from-6, y.at(v)+4, "end", "number", number(v))
	}
	d.text((x.from+x.to)/2, plotHeight-12, "middle", "name", nameX)
	d.text(x.from, plotTop-24, "middle", "name", nameY)
	d.text(x.to, plotTop-24, "end", "own", "own weights")
	d.text(x.to, plotTop-8, "end", "by", "by the model")
}

func number(v float64) string {
	if v >= 10 || v == math.Trunc(v) {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2g", v)
}

// scatter draws the values by two measures, and the goal as a cross. What is far off is left out.
func (d *drawing) scatter(a, b job.Objective, tuned *job.Tuned) {
	x, y := xAxis(1.6*a.Target), yAxis(1.6*b.Target)
	d.axes(x, y, objectiveName(a), objectiveName(b))
	for _, of := range []struct {
		class string
		shown [][]float64
	}{{"own", tuned.Own.Shown}, {"by", tuned.By.Shown}} {
		for _, v := range of.shown {
			if v[0] <= x.hi && v[1] <= y.hi {
				d.printf(`<circle class="%s" cx="%.1f" cy="%.1f" r="2"/>`, of.class, x.at(v[0]), y.at(v[1]))
			}
		}
	}
	gx, gy := x.at(a.Target), y.at(b.Target)
	d.printf(`<path class="goal" d="M%.1f %.1fh16M%.1f %.1fv16"/>`, gx-8, gy, gx, gy-8)
}

// histogram draws the shares of values by one measure, and the goal as a line.
func (d *drawing) histogram(o job.Objective, tuned *job.Tuned) {
	const bins = 32
	x := xAxis(2 * o.Target)
	var shares [2][bins]float64
	most := 0.0
	for i, shown := range [][][]float64{tuned.Own.Shown, tuned.By.Shown} {
		for _, v := range shown {
			if bin := int(v[0] / x.hi * bins); bin < bins {
				shares[i][bin] += 100 / float64(len(shown))
				most = max(most, shares[i][bin])
			}
		}
	}
	y := yAxis(max(most, 1))
	d.axes(x, y, objectiveName(o), "% of values")
	for i, class := range []string{"own", "by"} {
		for bin, share := range shares[i] {
			left, right := x.at(x.hi*float64(bin)/bins), x.at(x.hi*float64(bin+1)/bins)
			d.printf(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, class, left, y.at(share), right-left, y.from-y.at(share))
		}
	}
	d.printf(`<path class="goal" d="M%.1f %.1fV%.1f"/>`, x.at(o.Target), y.from, y.to)
}

// bars draws how often each tag occurs.
func (d *drawing) bars(tuned *job.Tuned) {
	tags := tagsByCount(tuned.Own.Tags, tuned.By.Tags)
	most := 1.0
	for _, tag := range tags {
		most = max(most, tuned.Own.Tags[tag], tuned.By.Tags[tag])
	}
	x, y := axis{0, float64(max(1, len(tags))), plotLeft, plotWidth - plotRight}, yAxis(most)
	d.axes(axis{0, 0, x.from, x.to}, y, "", "mean number in a value")
	wide := (x.at(1) - x.at(0)) * .4
	for i, tag := range tags {
		for j, counts := range []map[string]float64{tuned.Own.Tags, tuned.By.Tags} {
			left := x.at(float64(i)+.1) + float64(j)*wide
			d.printf(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, []string{"own", "by"}[j], left, y.at(counts[tag]), wide, y.from-y.at(counts[tag]))
		}
		d.text(x.at(float64(i)+.5), y.from+16+12*float64(i%2), "middle", "number", tag)
	}
}

// svg returns the image. Its colors fit a light and a dark page.
func (d *drawing) svg() []byte {
	return fmt.Appendf(nil, `%s viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
<style>
.grid { stroke: #8884 } text { fill: #777 } .goal { stroke: #d22; stroke-width: 2; fill: none }
circle.own, rect.own { fill: #888; fill-opacity: .4 } circle.by, rect.by { fill: #28c; fill-opacity: .5 }
text.own { fill: #888 } text.by { fill: #28c }
</style>
%s</svg>
`, plotMark, plotWidth, plotHeight, d.b.String())
}
