package main

import (
	_ "embed"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
)

// A pkg is a package of the set.
type pkg struct{ path, module, version, name string }

func (p pkg) standard() bool { return p.module == "std" }

//go:embed packages.tsv
var packagesText string

func readPackages() (all []pkg, err error) {
	for i, line := range strings.Split(strings.TrimSpace(packagesText), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 {
			continue
		}
		if len(f) != 4 {
			return nil, fmt.Errorf("packages.tsv:%d: %d fields, not 4", i+1, len(f))
		}
		all = append(all, pkg{f[0], f[1], f[2], f[3]})
	}
	return all, nil
}

// A label is a verdict on the reports of a package that match: real, a mistake of the caller or of
// the tool, or flaky. What has the same text is one cause.
type label struct {
	pkg     string
	matches *regexp.Regexp
	verdict string
	cause   string
}

const labelsFile = "testdata/api-labels.tsv"

func readLabels() (all []label, err error) {
	text, err := os.ReadFile(labelsFile)
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 {
			continue
		}
		if len(f) != 4 {
			return nil, fmt.Errorf("%s:%d: %d fields, not 4", labelsFile, i+1, len(f))
		}
		re, err := regexp.Compile(f[1])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", labelsFile, i+1, err)
		}
		all = append(all, label{f[0], re, f[2], f[3]})
	}
	return all, nil
}

// A score is what reports are worth.
type score struct {
	real     []string // causes
	falsely  []string // what is reported, and is no error
	unjudged []report
	coverage float64
	cpu      float64
}

// judge scores an answer. Reports of one cause count once. Flaky ones do not count: corpusgen api
// sets them aside after the process that is measured here.
func judge(p pkg, a answer, labels []label) (s score) {
	s.coverage, s.cpu = a.Coverage, a.CPU
	for _, r := range a.Reports {
		i := slices.IndexFunc(labels, func(l label) bool { return l.pkg == p.path && l.matches.MatchString(r.String()) })
		switch {
		case i < 0:
			s.unjudged = append(s.unjudged, r)
		case labels[i].verdict == "real" && !slices.Contains(s.real, labels[i].cause):
			s.real = append(s.real, labels[i].cause)
		case (labels[i].verdict == "caller" || labels[i].verdict == "tool") && !slices.Contains(s.falsely, labels[i].cause):
			s.falsely = append(s.falsely, labels[i].cause)
		}
	}
	return s
}

// printReports prints the reports of runs with all rules, and their verdicts.
func (l *lab) printReports(packages []pkg) error {
	labels, err := readLabels()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	var sum score
	for _, p := range packages {
		for seed := 1; seed <= noiseSeeds; seed++ {
			a := l.answers[cell{p, "", seed}]
			s := judge(p, a, labels)
			sum.real, sum.falsely, sum.coverage, sum.cpu = append(sum.real, s.real...), append(sum.falsely, s.falsely...), sum.coverage+s.coverage, sum.cpu+s.cpu
			unjudged(p, s, seen)
		}
	}
	fmt.Printf("%d real causes, %d false reports, %.2f%% of the statements in the mean, %.0f CPU seconds, of %d seeds\n",
		len(sum.real), len(sum.falsely), sum.coverage/float64(noiseSeeds*len(packages)), sum.cpu, noiseSeeds)
	return nil
}

// unjudged tells of the reports without a verdict, each once.
func unjudged(p pkg, s score, seen map[string]bool) {
	for _, r := range s.unjudged {
		if key := p.path + "\t" + r.String(); !seen[key] {
			seen[key] = true
			fmt.Fprintf(os.Stderr, "no verdict\t%s\n\t%s\n", key, strings.ReplaceAll(r.Code, "\n", "\n\t"))
		}
	}
}

// table prints a line for each rule.
func (l *lab) table(rules []rule, packages []pkg, like *regexp.Regexp) error {
	labels, err := readLabels()
	if err != nil {
		return err
	}
	scores := map[cell]score{}
	for c, a := range l.answers {
		scores[c] = judge(c.pkg, a, labels)
	}
	fmt.Println("rule\tpackages\truns\treal\twithout\tfalse\twithout\tunjudged\tcoverage\twithout\tcpu\twithout\tnoise\tverdict")
	seen := map[string]bool{}
	for _, r := range rules {
		if r.name == "*" || !like.MatchString(r.name) {
			continue
		}
		var on, off tally
		var where []pkg
		var noise float64 // the variance of the mean coverage of these runs
		for _, p := range packages {
			for seed := 1; seed <= seeds; seed++ {
				if l.fired(r.name, l.answers[cell{p, "", seed}].Fired) && !slices.Contains(where, p) {
					where = append(where, p)
				}
				without, has := scores[cell{p, r.name, seed}]
				if !has || l.answers[cell{p, r.name, seed}].Failed != "" {
					continue
				}
				noise += 2 * l.variance(p)
				on.add(scores[cell{p, "", seed}])
				off.add(without)
				unjudged(p, without, seen)
			}
		}
		deviation := math.Sqrt(noise) / float64(max(1, on.runs))
		fmt.Printf("%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.2f\t%.2f\t%.0f\t%.0f\t%.2f\t%s\n", r.name, len(where), on.runs, on.real, off.real, on.falsely, off.falsely, off.unjudged,
			on.mean(), off.mean(), on.cpu, off.cpu, deviation, verdict(len(where), on, off, deviation))
	}
	return nil
}

// A tally sums scores.
type tally struct {
	runs, real, falsely, unjudged int
	coverage, cpu                 float64
}

func (t *tally) add(s score) {
	t.runs++
	t.real += len(s.real)
	t.falsely += len(s.falsely)
	t.unjudged += len(s.unjudged)
	t.coverage += s.coverage
	t.cpu += s.cpu
}

func (t tally) mean() float64 { return t.coverage / float64(max(1, t.runs)) }

// verdict says whether a rule pays: without it, there are fewer real causes, more false reports, or
// less coverage, beyond the noise of seeds. Differences of one count of two seeds are noise.
func verdict(packages int, on, off tally, deviation float64) string {
	switch {
	case packages == 0:
		return "applies nowhere"
	case on.runs == 0:
		return "not measured"
	}
	var pays []string
	add := func(why string, is bool) {
		if is {
			pays = append(pays, why)
		}
	}
	add("real causes", on.real-off.real > 1)
	add("false reports", off.falsely+off.unjudged-on.falsely-on.unjudged > 1)
	add("coverage", on.mean()-off.mean() > 2*deviation)
	if len(pays) == 0 {
		return "does not pay"
	}
	return "pays: " + strings.Join(pays, ", ")
}

// variance returns how much the coverage of a package differs from seed to seed.
func (l *lab) variance(p pkg) (v float64) {
	mean := 0.
	for seed := 1; seed <= noiseSeeds; seed++ {
		mean += l.answers[cell{p, "", seed}].Coverage / noiseSeeds
	}
	for seed := 1; seed <= noiseSeeds; seed++ {
		d := l.answers[cell{p, "", seed}].Coverage - mean
		v += d * d / (noiseSeeds - 1)
	}
	return v
}
