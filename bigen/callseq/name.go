package callseq

import (
	"strconv"
	"strings"
	"sync"

	"github.com/espalier-go/espalier/bigen"
)

// A Name is the name of an instance of a [Pool], in [Calls], such as it1: it stands for what an
// earlier call has made. An instance with the empty name is not used by later calls.
type Name string

func nameOf(kind string, n int) Name { return Name(kind + strconv.Itoa(n)) }

// number returns n for the name of an instance kind of that number, or 0.
func (n Name) number(kind string) int {
	digits, _ := strings.CutPrefix(string(n), kind)
	number, err := strconv.Atoi(digits)
	if err != nil || nameOf(kind, number) != n {
		return 0
	}
	return number
}

// spareNames is how many names a new instance may have. In random sequences it has the first. It
// keeps another when calls are taken out that have made others.
const spareNames = 64

// unusedNames returns the generator of a name that is not in use. The first alternative is the
// empty name: so all others count the same when sequences are compared, and an instance need
// not get another name for a sequence to become shorter.
func unusedNames(kind string, used func(n int) bool) bigen.Gen[Name] {
	alts := append(make([]bigen.Alt[Name], 0, 1+spareNames), bigen.Tag("unnamed", bigen.Just(Name(""))).Weight(0))
	for n := 1; len(alts) <= spareNames; n++ {
		if used(n) {
			continue
		}
		alt := nameAlt(nameOf(kind, n))
		if len(alts) > 1 {
			alt = alt.Weight(0)
		}
		alts = append(alts, alt)
	}
	return bigen.Pick(alts...)
}

// someName returns the generator of one of the names. Most bugs need few instances, so the
// first gets half of the weight.
func someName(names []Name) bigen.Gen[Name] {
	alts := make([]bigen.Alt[Name], len(names))
	for i, name := range names {
		alts[i] = nameAlt(name)
	}
	alts[0] = alts[0].Weight(float64(max(1, len(names)-1)))
	return bigen.Pick(alts...)
}

func nameAlt(name Name) bigen.Alt[Name] { return bigen.Tag(string(name), bigen.Just(name)) }

// maxNames is how many names pools may have given for a generator to be kept.
const maxNames = 64

// names holds generators of names, for pools in which no number is left out.
type names struct {
	mu   sync.Mutex
	gens map[namesKey]bigen.Gen[Name]
}

type namesKey struct {
	kind   string
	unused bool
	given  int
}

// get returns the generator of an unused name, or of a name in use, of a pool that has given the
// numbers up to given.
func (x *names) get(kind string, unused bool, given int) bigen.Gen[Name] {
	x.mu.Lock()
	defer x.mu.Unlock()
	k := namesKey{kind, unused, given}
	g, ok := x.gens[k]
	if ok {
		return g
	}
	if unused {
		g = unusedNames(kind, func(n int) bool { return n <= given })
	} else {
		all := make([]Name, given)
		for i := range all {
			all[i] = nameOf(kind, i+1)
		}
		g = someName(all)
	}
	if x.gens == nil {
		x.gens = map[namesKey]bigen.Gen[Name]{}
	}
	x.gens[k] = g
	return g
}
