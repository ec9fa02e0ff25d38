package operand

import (
	"strconv"
	"strings"
	"sync"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
)

// Names are the names of one kind that a sequence has given so far: the kind and a number.
type Names[N ~string] struct {
	Kind  string
	Live  []N // those that later calls may use, in the order in which they were given
	Cache *NameCache[N]

	given []int // the numbers
	apart bool  // they are not 1, 2 and so on
}

// Reset begins another sequence.
func (s *Names[N]) Reset() { s.Live, s.given, s.apart = s.Live[:0], s.given[:0], false }

// Add adds a name. It says what is wrong if it is not a name of the kind, or has been given.
func (s *Names[N]) Add(name N) (wrong string) {
	n := NumberOf(s.Kind, name)
	switch {
	case n < 1:
		return strconv.Quote(string(name)) + " does not name an instance: want a name such as " +
			s.Kind + "1"
	case s.has(n):
		return "there is an instance " + string(name) + " already"
	}
	s.given = append(s.given, n)
	s.apart = s.apart || n != len(s.given)
	s.Live = append(s.Live, name)
	return ""
}

// Next gives the next name, of a set that is whole.
func (s *Names[N]) Next() N {
	name := NameOf[N](s.Kind, len(s.given)+1)
	s.Add(name)
	return name
}

// Has reports whether a name has been given.
func (s *Names[N]) Has(name N) bool {
	n := NumberOf(s.Kind, name)
	return n > 0 && s.has(n)
}

// has reports whether a number has been given.
func (s *Names[N]) has(n int) bool {
	return s.apart && slices.Contains(s.given, n) || !s.apart && n <= len(s.given)
}

// maxKept is how many names may be given for a generator to be kept.
const maxKept = 128

// Whole reports whether the live names are 1, 2 and so on, as always, unless calls have been taken
// out. Then generators are kept.
func (s *Names[N]) Whole() bool {
	return !s.apart && len(s.Live) == len(s.given) && len(s.given) <= maxKept
}

// Unused returns the generator of the name of a new instance.
func (s *Names[N]) Unused() bigen.Gen[N] {
	if s.apart || len(s.given) > maxKept {
		return unused[N](s.Kind, s.has)
	}
	k := key{s.Kind, true, len(s.given)}
	if g, ok := s.Cache.get(k); ok {
		return g
	}
	return s.Cache.put(k, unused[N](s.Kind, s.has))
}

// One returns the generator of one of the live names. Most bugs need few instances, so the first
// gets half of the weight.
func (s *Names[N]) One() bigen.Gen[N] {
	k := key{s.Kind, false, len(s.given)}
	if s.Whole() {
		if g, ok := s.Cache.get(k); ok {
			return g
		}
	}
	alts := make([]bigen.Alt[N], len(s.Live))
	for i, name := range s.Live {
		alts[i] = alt(name)
	}
	alts[0] = alts[0].Weight(float64(max(1, len(alts)-1)))
	g := bigen.Pick(alts...)
	if s.Whole() {
		s.Cache.put(k, g)
	}
	return g
}

// NameOf returns the n-th name of a kind.
func NameOf[N ~string](kind string, n int) N { return N(kind + strconv.Itoa(n)) }

// NumberOf returns n for the n-th name of a kind, or 0.
func NumberOf[N ~string](kind string, name N) int {
	digits, ok := strings.CutPrefix(string(name), kind)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || digits[0] < '1' || digits[0] > '9' {
		return 0
	}
	return n
}

// Unnamed is the tag of the empty name.
const Unnamed = "unnamed"

// spare is how many names a new instance may have. In random sequences it has the first. It keeps
// another when calls are taken out that have made others.
const spare = 64

// unused returns the generator of a name that is not in use. The first alternative is the empty
// name: so all others count the same when sequences are compared, and an instance need not get
// another name for a sequence to become shorter.
func unused[N ~string](kind string, used func(n int) bool) bigen.Gen[N] {
	alts := append(make([]bigen.Alt[N], 0, 1+spare), bigen.Tag(Unnamed, bigen.Just(N(""))).Weight(0))
	for n := 1; len(alts) <= spare; n++ {
		if used(n) {
			continue
		}
		a := alt(NameOf[N](kind, n))
		if len(alts) > 1 {
			a = a.Weight(0)
		}
		alts = append(alts, a)
	}
	return bigen.Pick(alts...)
}

func alt[N ~string](name N) bigen.Alt[N] { return bigen.Tag(string(name), bigen.Just(name)) }

// A NameCache holds generators of names. Several goroutines may use it at once.
type NameCache[N ~string] struct {
	mu   sync.Mutex
	gens map[key]bigen.Gen[N]
}

type key struct {
	kind   string
	unused bool
	given  int
}

func (x *NameCache[N]) get(k key) (g bigen.Gen[N], ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	g, ok = x.gens[k]
	return g, ok
}

func (x *NameCache[N]) put(k key, g bigen.Gen[N]) bigen.Gen[N] {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.gens == nil {
		x.gens = map[key]bigen.Gen[N]{}
	}
	x.gens[k] = g
	return g
}
