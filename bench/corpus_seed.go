package main

import (
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/examples/planted"
	"github.com/espalier-go/espalier/internal/corpus"
)

// seedSubject is a generator of examples/planted, with its bugs.
type seedSubject struct {
	name string
	bugs []string
	read func(b []byte) choices.Tree       // what an entry stands for
	draw func(r *rand.Rand) (entry []byte) // of a value by the generator's own distribution
}

func newSeedSubject[V any](name string, g bigen.Gen[V], bugs ...string) seedSubject {
	return seedSubject{
		name: name,
		bugs: bugs,
		read: func(b []byte) choices.Tree {
			_, t, err := bigen.Run(g, choices.FromBytes(b))
			if err != nil {
				return nil
			}
			return t
		},
		draw: func(r *rand.Rand) []byte {
			for {
				if _, t, err := bigen.Run(g, choices.Random(r)); err == nil {
					return choices.Encode(t)
				}
			}
		},
	}
}

func seedSubjects() []seedSubject {
	return []seedSubject{
		newSeedSubject("operation", planted.GenOperation, "bst-insert", "bst-delete", "bst-floor"),
		newSeedSubject("pair", planted.GenPair, "bst-union"),
		newSeedSubject("expr", planted.GenExpr(), "share-merge"),
		newSeedSubject("calls", planted.GenCalls, "cache-stale"),
		newSeedSubject("plan", planted.GenPlan, "ladder"),
		newSeedSubject("script", planted.GenScript, "const-int", "const-string"),
	}
}

// seedNames returns a pattern for the subjects.
func seedNames() string {
	var names []string
	for _, s := range seedSubjects() {
		names = append(names, s.name)
	}
	return oneOf(names)
}

func seedSubjectOf(match func(seedSubject) bool) seedSubject {
	all := seedSubjects()
	return all[slices.IndexFunc(all, match)]
}

// corpusSeeds compares the combinations of choices that the entries of corpusgen seed cover with those
// of as many random values.
func corpusSeeds(r run) (o, b figure, err error) {
	s := seedSubjectOf(func(s seedSubject) bool { return s.name == r.args[0] })
	strength := int(r.args[1][0] - '0')
	all, err := s.makes(r)
	if err != nil {
		return o, b, err
	}
	covered := func(entries [][]byte) figure {
		c := choices.NewCoverage(strength, nil)
		for _, b := range entries {
			c.Add(s.read(b))
		}
		return number(float64(c.Len()))
	}
	return medianOf(all, func(c seedCorpora) figure { return covered(c.made) }), medianOf(all, func(c seedCorpora) figure { return covered(c.random) }), nil
}

// corpusSeedBugs counts the bugs that go test finds by these entries.
func corpusSeedBugs(r run) (o, b figure, err error) {
	for _, s := range seedSubjects() {
		all, err := s.makes(r)
		if err != nil {
			return o, b, err
		}
		for _, c := range all {
			for _, bug := range s.bugs {
				made, err := foundByTest(bug, c.made)
				if err != nil {
					return o, b, err
				}
				random, err := foundByTest(bug, c.random)
				if err != nil {
					return o, b, err
				}
				o.value += countFound([]outcome{made})
				b.value += countFound([]outcome{random})
			}
		}
	}
	return o, b, nil
}

// seedCorpora are the entries of corpusgen seed, and as many distinct random ones.
type seedCorpora struct{ made, random [][]byte }

func (s seedSubject) makes(r run) ([]seedCorpora, error) {
	return times("seeds "+s.name, pick(r, 10, 2), func(i int) (c seedCorpora, err error) {
		err = inUserTargets(func(corpusgen, pkg string) error {
			return inScratch(func(dir string) error {
				if err := seedCorpus(corpusgen, pkg, s.bugs[0], i+1, "-o="+dir); err != nil {
					return err
				}
				entries, err := corpus.Read(filepath.Join(dir, "FuzzValid"))
				for _, e := range entries {
					c.made = append(c.made, e.Data)
				}
				return err
			})
		})
		rnd, seen := rand.New(rand.NewPCG(uint64(i+1), sampleStream)), map[string]bool{}
		for tries := 0; len(c.random) < len(c.made) && tries < 100*len(c.made); tries++ {
			if b := s.draw(rnd); !seen[string(b)] {
				seen[string(b)] = true
				c.random = append(c.random, b)
			}
		}
		return c, err
	})
}

// foundByTest runs go test on a corpus, with a bug.
func foundByTest(bug string, entries [][]byte) (o outcome, err error) {
	binary, err := testBinary("./targets", false)
	if err != nil {
		return o, err
	}
	err = inScratch(func(dir string) error {
		for _, b := range entries {
			if _, _, err := corpus.Write(filepath.Join(dir, "testdata", "fuzz", "FuzzValid"), b); err != nil {
				return err
			}
		}
		cmd := exec.Command(binary, "-test.run=^FuzzValid$")
		cmd.Dir = dir
		return o.ends(dir, bug, cmd)
	})
	return o, err
}
