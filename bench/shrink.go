package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/espalier-go/espalier/internal/testing/challenge"
)

// shrinkRows measure the minimizer by the Shrinking Challenge: how many of 20 random
// failing values shrink to the minimal one, and the median number of calls of the property
// for that. rapid starts from failures of its own. Challenges of our own that are not written
// for rapid have a row for each group.
func shrinkRows() []row {
	rows := groupRows()
	for _, c := range all() {
		if rapidChallenges[c.Name] == nil {
			continue
		}
		ours := sync.OnceValues(func() (shrunk, error) { return shrink(c) })
		rapid := sync.OnceValues(func() (shrunk, error) { return rapidShrunk(c.Name) })
		calls := func(s shrunk) float64 { return s.calls }
		both := func(f func(shrunk) float64) func(bool) (figure, figure, error) {
			return func(bool) (figure, figure, error) {
				o, err := ours()
				if err != nil {
					return figure{}, figure{}, err
				}
				r, err := rapid()
				return figure{value: f(o)}, figure{value: f(r)}, err
			}
		}
		rows = append(rows,
			row{"shrink/" + c.Name + "/minimal of 20", "rapid", oursAtLeast(challenge.Seeds), both(func(s shrunk) float64 { return s.minimal })},
			row{"shrink/" + c.Name + "/calls/rapid", "rapid", ratioAtMost(0.2), both(calls)})
		if c.Published > 0 {
			rows = append(rows, row{"shrink/" + c.Name + "/calls/Hypothesis", "Hypothesis, published", ratioAtMost(1), func(bool) (figure, figure, error) {
				o, err := ours()
				return figure{value: o.calls}, figure{value: c.Published}, err
			}})
		}
	}
	return rows
}

func all() []challenge.Challenge { return append(challenge.Shrinking(), challenge.Further()...) }

// groupRows counts the minimal values of groups of challenges.
func groupRows() []row {
	var names []string
	groups := map[string][]challenge.Challenge{}
	for _, c := range challenge.Further() {
		name, _, ok := strings.Cut(c.Name, "/")
		if !ok {
			name = "further"
		}
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], c)
	}
	var rows []row
	for _, name := range names {
		rows = append(rows, row{"shrink/" + name + "/minimal", "all", ratioAtLeast(1), func(bool) (ours, base figure, err error) {
			for _, c := range groups[name] {
				s, err := shrink(c)
				if err != nil {
					return ours, base, err
				}
				ours.value += s.minimal
				base.value += challenge.Seeds
			}
			return ours, base, nil
		}})
	}
	return rows
}

// shrunk is the result of a challenge.
type shrunk struct {
	minimal float64 // number of minimal values
	calls   float64 // of the property: the median
}

func shrink(c challenge.Challenge) (s shrunk, err error) {
	var calls []float64
	for seed := range uint64(challenge.Seeds) {
		r, err := c.Minimize(seed)
		if err != nil {
			return s, err
		}
		s.count(c.Minimal(r.Value))
		calls = append(calls, float64(r.Calls))
	}
	s.calls = median(calls)
	return s, nil
}

func (s *shrunk) count(minimal bool) {
	if minimal {
		s.minimal++
	}
}

// rapidShrunk measures rapid in another process: see rapidEnv.
func rapidShrunk(name string) (s shrunk, err error) {
	cmd := exec.Command(os.Args[0], "-rapid.nofailfile", "-rapid.checks=10000000")
	cmd.Env = append(os.Environ(), rapidEnv+"="+envName(name)+" Shrink")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return s, fmt.Errorf("rapid %s: %w\n%s", name, err, out)
	}
	_, err = fmt.Fscan(strings.NewReader(string(out)), &s.minimal, &s.calls)
	return s, err
}

// envName returns the name of a challenge without spaces.
func envName(name string) string { return strings.ReplaceAll(name, " ", "_") }
