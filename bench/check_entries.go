package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bench/classbugs"
	"github.com/espalier-go/espalier/internal/corpus"
)

// told counts the classes of failures that a run reports and the oracles that fail, the entries that
// it saves, which are minimal values of the classes, the bugs that have one, and those that have
// none.
type told struct{ classes, oracles, entries, bugs, missed int }

// perOracle divides all classes by the oracles.
func (n told) perOracle() figure { return number(float64(n.classes) / float64(n.oracles)) }

// perBug divides all entries by the bugs that have one.
func (n told) perBug() figure  { return number(float64(n.entries) / float64(n.bugs)) }
func (n told) without() figure { return number(float64(n.missed)) }

// add counts what a run tells of a subject.
func (n *told) add(s classbugs.Subject, entries [][]byte) error {
	var shown []classbugs.Set
	for _, e := range entries {
		bugs, err := s.Shown(e)
		if err != nil {
			return err
		}
		shown = append(shown, bugs)
	}
	bugs := classbugs.Told(shown)
	n.oracles++
	n.entries, n.bugs, n.missed = n.entries+len(entries), n.bugs+bugs, n.missed+s.Bugs-bugs
	fmt.Fprintf(os.Stderr, "entries: %s: %d, for %d bugs of %d: %b\n", s.Name, len(entries), bugs,
		s.Bugs, shown)
	return nil
}

// entries measures how Check or corpusgen fuzz tell failures apart if they continue after the
// first.
func entries(of func(told) figure) measure {
	return func(r run) (_, _ figure, err error) {
		tell := map[string]func(group, how string, seed int) (map[string][][]byte, int, error){
			"check": checkEntries,
			"fuzz":  fuzzEntries,
		}[r.args[0]]
		return beside(fmt.Sprint("entries ", r.args), pick(r, 5, 1), "keepgoing", "first",
			func(how string, i int) (n told, err error) {
				saved, classes, err := tell(r.args[1], how, i+1)
				n.classes = classes
				for _, s := range classbugs.Group(r.args[1]) {
					if err == nil {
						err = n.add(s, saved[s.Name])
					}
				}
				fmt.Fprintf(os.Stderr, "entries: %s, %s, %s, run %d: %+v\n", r.args[0], r.args[1], how, i+1, n)
				return n, err
			}, of)
	}
}

// checkEntries returns what Checks save, by their subjects. Their classes are not counted.
func checkEntries(group, how string, seed int) (all map[string][][]byte, classes int, err error) {
	all, err = asked[map[string][][]byte](order{Do: "entries", On: group},
		fmt.Sprint("-fuzzext.seed=", seed), fmt.Sprint("-fuzzext.keepgoing=", how == "keepgoing"))
	return all, 0, err
}

func entriesOrder(o order, t *testing.T) {
	all := map[string][][]byte{}
	for _, s := range classbugs.Group(o.On) {
		t.Run(s.Name, s.Check)
		var err error
		dir := filepath.Join("testdata", "fuzzext", t.Name(), s.Name)
		if all[s.Name], err = savedIn(dir); err != nil {
			panic(err)
		}
	}
	o.answer(all)
}

// savedIn returns the entries in a directory, which need not exist.
func savedIn(dir string) (all [][]byte, err error) {
	saved, err := corpus.Read(dir)
	for _, e := range saved {
		all = append(all, e.Data)
	}
	return all, err
}

// fuzzEntries returns what one run of corpusgen fuzz saves of several targets, by their subjects,
// and the number of classes that it reports.
func fuzzEntries(group, how string, _ int) (all map[string][][]byte, classes int, err error) {
	command, err := corpusgenFuzz()
	if err != nil {
		return nil, 0, err
	}
	var names []string
	for _, s := range classbugs.Group(group) {
		names = append(names, s.Name)
	}
	f := fuzzing{
		pkg: "classbugs", command: command, test: "Fuzz(" + strings.Join(names, "|") + ")",
		target: group, limit: 10 * time.Minute,
		flags: []string{"-json", "-fuzztime=50000x", fmt.Sprint("-keepgoing=", how == "keepgoing")},
	}
	all = map[string][][]byte{}
	f.then = func(pkg, output string) (err error) {
		if classes = strings.Count(output, `"Event":"failure"`); classes == 0 {
			return fmt.Errorf("corpusgen fuzz finds none of the bugs of %s:\n%s", group, output)
		}
		for _, name := range names {
			if all[name], err = savedIn(filepath.Join(pkg, "testdata", "fuzz", "Fuzz"+name)); err != nil {
				return err
			}
		}
		return nil
	}
	_, err = f.run()
	return all, classes, err
}
