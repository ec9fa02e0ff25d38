package loaded

import (
	"slices"
	"strings"

	"github.com/espalier-go/espalier/bench/mutants"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/etna/bst"
	"github.com/espalier-go/espalier/eval/etna/rbt"
	"github.com/espalier-go/espalier/eval/etna/stlc"
)

// A Subject is a generator with the bugs of a program that works on its values.
type Subject struct {
	Name  string
	Bugs  []string
	gen   bigen.Gen[any]
	valid func(v any) bool
	fails map[string]func(v any) bool // for valid values
}

// Subjects returns all subjects. The settings were chosen by those of this project, and the report
// is of those of ETNA, which are held back.
func Subjects() (all []Subject) {
	for _, p := range mutants.Programs() {
		for name, naive := range map[string]bool{p.Name(): false, p.Name() + "-naive": true} {
			s := Subject{Name: name, Bugs: p.Bugs(), fails: map[string]func(v any) bool{}}
			var fails func(bug string, v any) bool
			s.gen, s.valid, fails = p.Any(naive)
			for _, b := range s.Bugs {
				s.fails[b] = func(v any) bool { return fails(b, v) }
			}
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b Subject) int { return strings.Compare(a.Name, b.Name) })
	return append(all, held()...)
}

// held returns the subjects of ETNA: one for the bugs of each generator.
func held() (all []Subject) {
	for _, b := range slices.Concat(bst.Bugs, rbt.Bugs, stlc.Bugs) {
		name, short, _ := strings.Cut(b.Name, "/")
		if strings.HasPrefix(short, "union") {
			name += "-union"
		}
		i := slices.IndexFunc(all, func(s Subject) bool { return s.Name == name })
		if i < 0 {
			i = len(all)
			all = append(all, Subject{Name: name, gen: b.Any.Gen, valid: b.Any.Valid,
				fails: map[string]func(v any) bool{}})
		}
		all[i].Bugs, all[i].fails[short] = append(all[i].Bugs, short), b.Any.Fails
	}
	return all
}
