package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/espalier-go/espalier/bench/targets"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/search"
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

	subject search.Subject // to be tuned
}

func newSeedSubject[V any](name string, g bigen.Gen[V], bugs ...string) seedSubject {
	return seedSubject{
		name:    name,
		bugs:    bugs,
		subject: search.Of(g),
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

// seedRows compare the entries that corpusgen seed makes with as many random values.
func seedRows() []row {
	var rows []row
	for _, s := range seedSubjects() {
		for _, strength := range []int{2, 3} {
			rows = append(rows, row{fmt.Sprintf("corpus/seed/%s/%d-way", s.name, strength), "choices.Random", ratioAbove(1), func(quick bool) (o, b figure, err error) {
				var ours, theirs []float64
				for seed := 1; seed <= seedRuns(quick); seed++ {
					made, random, err := s.make(seed)
					if err != nil {
						return o, b, err
					}
					ours = append(ours, float64(s.covered(strength, made)))
					theirs = append(theirs, float64(s.covered(strength, random)))
				}
				o.value, b.value = median(ours), median(theirs)
				return o, b, nil
			}})
		}
	}
	return append(rows, row{"corpus/seed/bugs found by go test", "choices.Random", ratioAtLeast(1), func(quick bool) (o, b figure, err error) {
		for _, s := range seedSubjects() {
			for seed := 1; seed <= seedRuns(quick); seed++ {
				made, random, err := s.make(seed)
				if err != nil {
					return o, b, err
				}
				for _, bug := range s.bugs {
					for entries, n := range map[*[][]byte]*float64{&made: &o.value, &random: &b.value} {
						found, err := foundByTest(bug, *entries)
						if err != nil {
							return o, b, err
						}
						if found {
							*n++
						}
					}
				}
			}
		}
		return o, b, nil
	}})
}

func seedRuns(quick bool) int {
	if quick {
		return 2
	}
	return 10
}

// seeded is how many entries are made.
const seeded = 50

// seedsMade holds the corpora made so far, by subject and seed.
var seedsMade = map[string][2][][]byte{}

// make returns the entries of corpusgen seed, and as many distinct random ones.
func (s seedSubject) make(seed int) (made, random [][]byte, err error) {
	key := fmt.Sprint(s.name, seed)
	if known, ok := seedsMade[key]; ok {
		return known[0], known[1], nil
	}
	command, err := fuzzCommand()
	if err != nil {
		return nil, nil, err
	}
	user, err := userModule()
	if err != nil {
		return nil, nil, err
	}
	err = inScratch(func(dir string) error {
		cmd := exec.Command(command[0], "seed", "-fuzz=^FuzzValid$", "-n="+strconv.Itoa(seeded), "-seed="+strconv.Itoa(seed), "-o="+dir)
		cmd.Dir = filepath.Join(user, "targets")
		cmd.Env = append(os.Environ(), targets.HuntEnv+"="+s.bugs[0], planted.Env+"=")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("corpusgen seed: %w\n%s", err, out)
		}
		entries, err := corpus.Read(filepath.Join(dir, "FuzzValid"))
		for _, e := range entries {
			made = append(made, e.Data)
		}
		return err
	})
	r := rand.New(rand.NewPCG(uint64(seed), sampleStream))
	seen := map[string]bool{}
	for tries := 0; len(random) < len(made) && tries < 100*len(made); tries++ {
		if b := s.draw(r); !seen[string(b)] {
			seen[string(b)] = true
			random = append(random, b)
		}
	}
	seedsMade[key] = [2][][]byte{made, random}
	return made, random, err
}

// covered returns how many combinations of choices entries cover.
func (s seedSubject) covered(strength int, entries [][]byte) int {
	c := choices.NewCoverage(strength, nil)
	for _, b := range entries {
		c.Add(s.read(b))
	}
	return c.Len()
}

// foundByTest reports whether go test finds a bug by a corpus.
func foundByTest(bug string, entries [][]byte) (found bool, err error) {
	binary, err := testBinary("./targets", false)
	if err != nil {
		return false, err
	}
	err = inScratch(func(dir string) error {
		for _, b := range entries {
			if _, _, err := corpus.Write(filepath.Join(dir, "testdata", "fuzz", "FuzzValid"), b); err != nil {
				return err
			}
		}
		tally := filepath.Join(dir, "tally")
		env, err := targets.NewTally(tally)
		if err != nil {
			return err
		}
		cmd := exec.Command(binary, "-test.run=^FuzzValid$")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), env, targets.HuntEnv+"="+bug, planted.Env+"="+bug)
		out, failed := cmd.CombinedOutput()
		if _, found, err = targets.ReadTally(tally); err != nil {
			return err
		}
		if found == (failed == nil) {
			return fmt.Errorf("go test of %s ended without a failure, or failed without one: %v\n%s", bug, failed, out)
		}
		return nil
	})
	return found, err
}
