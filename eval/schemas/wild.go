package main

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

//go:embed testdata/wild.tsv
var wildList string

// items reads a list of schemas. Lines that begin with # say how they were chosen.
func items(list string) (all []item, err error) {
	for line := range strings.Lines(list) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case line[0] == '#' || f[0] == "kind":
		case len(f) != 5:
			return nil, fmt.Errorf("testdata/wild.tsv: %q has %d fields, not 5", line, len(f))
		default:
			all = append(all, item{f[0], f[1], f[2], f[3], f[4]})
		}
	}
	return all, nil
}

// wild measures the schemas of the list.
func wild(ctx context.Context, w *worker, p *printer, o options) error {
	all, err := items(wildList)
	if err != nil {
		return err
	}
	meta, err := drafts.dir(ctx)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(i item) bool { return !o.only.MatchString(i.String()) })
	p.row("kind", "schemas", "accepted", "refused", "values made", "values valid", "rejected runs",
		"values per CPU s (median)", "bytes (mean)", "slowest schema", "its CPU s")
	for len(all) > 0 {
		s := survey{kind: all[0].kind}
		for len(all) > 0 && all[0].kind == s.kind {
			i := all[0]
			all = all[1:]
			dir, err := sourceDir(ctx, i.source, o.dir)
			if err != nil {
				return err
			}
			j, err := i.job(dir, standard(meta))
			if err != nil {
				return fmt.Errorf("%s: %w", i, err)
			}
			j.Values, j.Seed, j.Format = o.values, o.seed, o.format
			r, err := w.run(ctx, j)
			if err != nil {
				return fmt.Errorf("%s: %w", i, err)
			}
			s.add(i, j, r)
		}
		s.print(p)
	}
	return nil
}

// A survey counts what became of the schemas of a kind.
type survey struct {
	kind                         string
	schemas, accepted, refused   int
	made, valid, rejected, bytes int
	speeds                       []float64 // values per CPU second
	slowest                      string
	most                         time.Duration
	failures, notes              [][]string
}

func (s *survey) add(i item, j job, r result) {
	fail := func(what string) { s.failures = append(s.failures, []string{i.String(), what}) }
	s.schemas++
	for _, failure := range []struct{ kind, what string }{
		{"died", r.Died}, {"slow", r.Slow}, {"panic", r.Panic}, {"refused", r.Refused}, {"", r.NoValidator},
	} {
		if failure.what != "" {
			fail(failure.kind + ": " + failure.what)
		}
	}
	switch {
	case r.Refused != "":
		s.refused++
	case r.Accepted:
		s.accepted++
	}
	if s.made, s.valid = s.made+r.Made, s.valid+r.Valid; r.Made > 0 {
		s.speeds = append(s.speeds, float64(r.Made)/max(1e-6, (r.CPU-r.Parse).Seconds()))
	}
	s.rejected, s.bytes = s.rejected+r.Rejected, s.bytes+r.Bytes
	if r.CPU > s.most {
		s.most, s.slowest = r.CPU, i.String()
	}
	for _, what := range r.Failures {
		fail(what)
	}
	if r.Made < j.Values && r.Rejected > 0 {
		what := fmt.Sprintf("%d values: %d runs were rejected", r.Made, r.Rejected)
		s.notes = append(s.notes, []string{i.String(), what})
	}
}

func (s *survey) print(p *printer) {
	slices.Sort(s.speeds)
	median := math.NaN()
	if n := len(s.speeds); n > 0 {
		median = (s.speeds[(n-1)/2] + s.speeds[n/2]) / 2
	}
	p.row(s.kind, s.schemas, s.accepted, s.refused, s.made, s.valid, s.rejected, fmt.Sprintf("%.0f", median),
		s.bytes/max(1, s.made), cmp.Or(s.slowest, "none"), fmt.Sprintf("%.2f", s.most.Seconds()))
	for _, cells := range s.failures {
		p.fail(append([]string{"FAIL"}, cells...)...)
	}
	for _, cells := range s.notes {
		p.note(append([]string{"note"}, cells...)...)
	}
}
