package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/internal/testing/challenge"
)

// shrunk is the result of a challenge.
type shrunk struct {
	Minimal float64 // how many of challenge.Seeds random failing values shrink to the minimal one
	Calls   float64 // of the property: the median
}

func (s shrunk) minimal() figure { return number(s.Minimal) }
func (s shrunk) calls() figure   { return number(s.Calls) }

func shrinkChallenges() []challenge.Challenge {
	return append(challenge.Shrinking(), challenge.Further()...)
}

func challengeNamed(name string) challenge.Challenge {
	all := shrinkChallenges()
	return all[slices.IndexFunc(all, func(c challenge.Challenge) bool { return c.Name == name })]
}

// shrinkNames returns a pattern for the challenges that rapid takes, too, or of these for those
// with published figures.
func shrinkNames(published bool) string {
	return namesOf(shrinkChallenges(), func(c challenge.Challenge) (string, bool) {
		return c.Name, rapidChallenges[c.Name] != nil && (c.Published > 0 || !published)
	})
}

// shrinkGroup returns the name of the group that a challenge of our own belongs to.
func shrinkGroup(c challenge.Challenge) (string, bool) {
	if name, _, ok := strings.Cut(c.Name, "/"); ok {
		return name, true
	}
	return "further", true
}

// shrinkGrouped counts the minimal values of a group.
func shrinkGrouped(r run) (ours, base figure, err error) {
	for _, c := range challenge.Further() {
		if group, _ := shrinkGroup(c); group != r.args[0] {
			continue
		}
		s, err := shrink(c)
		if err != nil {
			return ours, base, err
		}
		ours.value += s.Minimal
		base.value += challenge.Seeds
	}
	return ours, base, nil
}

// shrinkNeighbors minimizes values of all challenges, and says which share of the results no edit by
// hand makes simpler, in percent, and the mean number of runs of the generator.
func shrinkNeighbors(of func(shrunk) figure) measure {
	return func(r run) (ours, base figure, err error) {
		seeds := pick(r, challenge.Seeds, 2)
		s, err := once(fmt.Sprint("shrink neighbors ", seeds), func() (s shrunk, err error) {
			values := 0.
			for _, c := range shrinkChallenges() {
				for seed := range uint64(seeds) {
					m, err := c.Minimize(seed)
					if err != nil {
						return s, err
					}
					if values++; c.Simpler(m.Tree) == "" {
						s.Minimal++
					}
					s.Calls += float64(m.Remakes)
				}
			}
			return shrunk{100 * s.Minimal / values, s.Calls / values}, nil
		})
		return of(s), of(shrunk{100, 600}), err
	}
}

// shrinkBeside measures the minimizer beside rapid, which starts from failures of its own.
func shrinkBeside(of func(shrunk) figure) measure {
	return func(r run) (ours, base figure, err error) {
		return both(func() (shrunk, error) { return shrink(challengeNamed(r.args[0])) },
			func() (shrunk, error) {
				return once("shrink "+r.args[0]+" rapid", func() (shrunk, error) {
					return asked[shrunk](order{Do: "shrink", On: r.args[0]}, "-rapid.checks=10000000")
				})
			}, of)
	}
}

func shrinkPublished(r run) (ours, base figure, err error) {
	c := challengeNamed(r.args[0])
	s, err := shrink(c)
	return s.calls(), number(c.Published), err
}

func shrink(c challenge.Challenge) (s shrunk, err error) {
	return once("shrink "+c.Name, func() (s shrunk, err error) {
		var calls []float64
		for seed := range uint64(challenge.Seeds) {
			m, err := c.Minimize(seed)
			if err != nil {
				return s, err
			}
			if c.Minimal(m.Value) {
				s.Minimal++
			}
			calls = append(calls, float64(m.Calls))
		}
		s.Calls = median(calls)
		return s, nil
	})
}

// shrinkOrder runs rapid's Check on a challenge with one seed after the other.
func shrinkOrder(o order, t *testing.T) {
	c, prop := challengeNamed(o.On), rapidChallenges[o.On]
	var s shrunk
	var calls []float64
	for seed := 1; seed <= challenge.Seeds; seed++ {
		setFlag("rapid.seed", seed)
		n, last := 0, ""
		t.Run("", func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				v, fails := prop(t)
				if fails || n > 0 {
					n++
				}
				if fails {
					last = fmt.Sprint(v)
					t.FailNow()
				}
			})
		})
		// The first call found the failure, the second confirmed it, and the last one prints it.
		calls = append(calls, float64(n-3))
		if c.Minimal(last) {
			s.Minimal++
		}
	}
	s.Calls = median(calls)
	o.answer(s)
}
