package predict

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/espalier-go/espalier/internal/hash"
)

// A spec says by what the picks of a group are told apart.
type spec struct {
	slot  bool
	chain int   // how many of the picks around count: their alternatives, and their slots
	index int32 // indices up to it count
	depth int32 // depths up to it count
}

// specs are all, those with the fewest states first. Behind the first that explains what has
// been observed, there is no reason for a finer one.
var specs = func() (list []spec) {
	for _, index := range [...]int32{0, maxIndex} {
		list = append(list, spec{index: index}, spec{slot: true, index: index})
		for chain := 1; chain <= 3; chain++ {
			list = append(list, spec{slot: true, chain: chain, index: index})
		}
	}
	for _, depth := range [...]int32{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256} {
		list = append(list, spec{depth: depth}, spec{slot: true, depth: depth}, spec{slot: true, chain: 1, depth: depth})
	}
	for _, depth := range [...]int32{4, 8, 16, 32, 64, 128, 256} {
		list = append(list, spec{slot: true, chain: 1, index: maxIndex, depth: depth})
	}
	for _, depth := range [...]int32{0, 8, 32} {
		for _, index := range [...]int32{0, maxIndex} {
			list = append(list, spec{true, 6, index, depth})
		}
	}
	return list
}()

// maxIndex is how far indices count.
const maxIndex = 256

// group is the picks that share a spec: those of one menu and, if it is common, of one place.
type group struct {
	menu   int32
	slot   uint32
	around int32 // alternative of the pick around
	of     int32 // and its menu
}

// states tells picks apart.
type states struct {
	log     *log
	groups  map[group]int32
	spec    []int // by group: its index in specs
	groupOf []int32
	byKey   map[uint64]int32
	all     []state
	done    int // nodes that have been added
	version int // changes with each refinement and each new state
	clash   *clash

	component []int // of the graph of states
}

// state is the picks that are one type of the process, as far as is known.
type state struct {
	first int32 // node
	group int32
	alts  []alternativeSeen
	goal  int32 // steps to what has not been observed enough
	short int32 // steps to the end, at least
}

type alternativeSeen struct {
	count int
	first int32    // node
	kids  []int32  // states
	sign  uint64   // hash of the keys of what follows
	keys  []uint64 // those
}

// clash is two nodes of one state that differ.
type clash struct {
	a, b    int32
	weights bool
}

func newStates(l *log) *states {
	return &states{log: l, groups: map[group]int32{}, byKey: map[uint64]int32{}}
}

// groupFor returns the group of a node.
func (s *states) groupFor(i int32) int32 {
	for int(i) >= len(s.groupOf) {
		s.groupOf = append(s.groupOf, -1)
	}
	if g := s.groupOf[i]; g >= 0 {
		return g
	}
	n := &s.log.nodes[i]
	key := group{menu: n.menu}
	if s.log.menus[n.menu].common {
		p := &s.log.nodes[n.parent]
		key = group{n.menu, n.slot, p.alt, p.menu}
	}
	g, ok := s.groups[key]
	if !ok {
		g = int32(len(s.spec))
		s.groups[key] = g
		s.spec = append(s.spec, 0)
	}
	s.groupOf[i] = g
	return g
}

// key returns what identifies the state of a node.
func (s *states) key(i int32) uint64 {
	return s.keyBy(i, &specs[s.spec[s.groupFor(i)]])
}

// keyBy is key by another spec.
func (s *states) keyBy(i int32, sp *spec) uint64 {
	g := s.groupFor(i)
	n := &s.log.nodes[i]
	h := hash.Mix(0x9E3779B97F4A7C15, uint64(g))
	if sp.slot {
		h = hash.Mix(h, uint64(n.slot)+1)
	}
	if sp.index > 0 {
		h = hash.Mix(h, uint64(min(n.index, sp.index))+2)
	}
	if sp.depth > 0 {
		h = hash.Mix(h, uint64(min(n.depth, sp.depth))+3)
	}
	for range sp.chain {
		if n.parent < 0 {
			break
		}
		n = &s.log.nodes[n.parent]
		h = hash.Mix(h, uint64(n.menu)<<40|uint64(n.alt)<<32|uint64(n.slot)&0xFFFFFFFF)
	}
	return h
}

// find returns the state of a node, or -1 if it is new.
func (s *states) find(i int32) int32 {
	if x, ok := s.byKey[s.key(i)]; ok {
		return x
	}
	return -1
}

// stateOf returns the state of a node.
func (s *states) stateOf(i int32) int32 {
	key := s.key(i)
	x, ok := s.byKey[key]
	if !ok {
		x = int32(len(s.all))
		s.byKey[key] = x
		s.all = append(s.all, state{
			first: i, group: s.groupFor(i), short: math.MaxInt32,
			alts: make([]alternativeSeen, len(s.log.menus[s.log.nodes[i].menu].tags)),
		})
		s.version++
	}
	return x
}

// add observes the nodes from start on, those of whole runs.
func (s *states) add(start int) {
	for i := start; i < len(s.log.nodes); i++ {
		s.observe(int32(i))
	}
	s.done = len(s.log.nodes)
}

// observe adds one node. If it differs from those of its state, it is a clash.
func (s *states) observe(i int32) {
	x := s.stateOf(i)
	n := &s.log.nodes[i]
	st := &s.all[x]
	if n.weights != s.log.nodes[st.first].weights {
		s.clashes(st.first, i, true)
		return
	}
	a := &st.alts[n.alt]
	sign := s.sign(i)
	if a.count == 0 {
		kids := s.kids(i) // may add states
		a = &s.all[x].alts[n.alt]
		a.first, a.sign, a.kids = i, sign, kids
	} else if a.sign != sign {
		s.clashes(a.first, i, false)
		return
	}
	a.count++
}

func (s *states) clashes(a, b int32, weights bool) {
	if s.clash == nil {
		s.clash = &clash{a, b, weights}
	}
}

// sign returns a hash of the states of what follows on a node.
func (s *states) sign(i int32) uint64 {
	h := uint64(1)
	for k := s.log.nodes[i].kid; k >= 0; k = s.log.nodes[k].sibling {
		h = hash.Mix(h, s.key(k))
	}
	if k := s.log.nodes[i].next; k >= 0 {
		h = hash.Mix(hash.Mix(h, 7), s.key(k))
	}
	return h
}

// kids returns the states of what follows on a node, that of its sequence last.
func (s *states) kids(i int32) (kids []int32) {
	for k := s.log.nodes[i].kid; k >= 0; k = s.log.nodes[k].sibling {
		kids = append(kids, s.stateOf(k))
	}
	if k := s.log.nodes[i].next; k >= 0 {
		kids = append(kids, s.stateOf(k))
	}
	return kids
}

// refine makes the specs of groups finer until no observations clash. The error is a
// [*ContextError] if no spec is fine enough.
func (s *states) refine() error {
	for s.clash != nil {
		c := *s.clash
		g := s.groupFor(c.a)
		for s.spec[g]++; ; s.spec[g]++ {
			if s.spec[g] >= len(specs) {
				return s.log.context(s.witness(c))
			}
			if s.key(c.a) != s.key(c.b) && s.explains(g) {
				break
			}
		}
		s.rebuild()
	}
	return nil
}

// witness returns a clash of nodes that visibly differ, in surroundings as similar as possible.
// In c, it may be further down that they do.
func (s *states) witness(c clash) clash {
	type seen struct {
		weights, first int32
		alts           map[int32][2]uint64 // a node, and the menus that follow on it
	}
	for _, sp := range [...]spec{{true, 6, maxIndex, 256}, {true, 6, 0, 256}, {true, 6, 0, 0}, {true, 1, 0, 0}, {}} {
		states := map[uint64]*seen{}
		for i := range int32(s.done) {
			n := &s.log.nodes[i]
			key := s.keyBy(i, &sp)
			st := states[key]
			if st == nil {
				st = &seen{n.weights, i, map[int32][2]uint64{}}
				states[key] = st
			}
			if st.weights != n.weights {
				return clash{st.first, i, true}
			}
			menus := hash.FNV64(strings.Join(s.log.follows(i), "\x00"))
			if before, ok := st.alts[n.alt]; !ok {
				st.alts[n.alt] = [2]uint64{uint64(i), menus}
			} else if before[1] != menus {
				return clash{int32(before[0]), i, false}
			}
		}
	}
	return c
}

// explains reports whether no observations of group g clash by its spec.
func (s *states) explains(g int32) bool {
	type seen struct {
		weights int32
		signs   map[int32]uint64
	}
	states := map[uint64]*seen{}
	for i := range s.done {
		if s.groupFor(int32(i)) != g {
			continue
		}
		n := &s.log.nodes[i]
		key, sign := s.key(int32(i)), s.sign(int32(i))
		st := states[key]
		if st == nil {
			st = &seen{n.weights, map[int32]uint64{}}
			states[key] = st
		}
		if st.weights != n.weights {
			return false
		}
		if before, ok := st.signs[n.alt]; ok && before != sign {
			return false
		}
		st.signs[n.alt] = sign
	}
	return true
}

// rebuild observes all nodes anew.
func (s *states) rebuild() {
	s.byKey, s.all, s.clash = map[uint64]int32{}, s.all[:0], nil
	s.version++
	s.add(0)
}

// plan finds the ways to what has not been observed enough, and to ends. It returns how many
// alternatives are missing.
func (s *states) plan() (missing int) {
	const far = math.MaxInt32
	for x := range s.all {
		st := &s.all[x]
		st.goal = far
		for n := range st.alts {
			if s.missing(st, n) {
				missing++
				st.goal = 0
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for x := len(s.all) - 1; x >= 0; x-- {
			st := &s.all[x]
			for n := range st.alts {
				if st.alts[n].count == 0 {
					continue
				}
				goal, short := int32(far), int32(0)
				for _, k := range st.alts[n].kids {
					goal = min(goal, s.all[k].goal)
					short = max(short, s.all[k].short)
				}
				if goal != far && goal+1 < st.goal {
					st.goal, changed = goal+1, true
				}
				if short != far && short+1 < st.short {
					st.short, changed = short+1, true
				}
			}
		}
	}
	return missing
}

// findComponents finds which states lead to each other, for furthest.
func (s *states) findComponents() {
	s.component = components(len(s.all), func(x int, visit func(int)) {
		for _, a := range s.all[x].alts {
			for _, k := range a.kids {
				visit(int(k))
			}
		}
	})
}

// missing reports whether alternative n of a state has not been observed enough.
func (s *states) missing(st *state, n int) bool {
	return st.alts[n].count < enough && s.weight(st, n) > 0
}

func (s *states) weight(st *state, n int) float64 {
	w := s.log.weights[s.log.nodes[st.first].weights]
	if len(w) == 1 {
		return 1
	}
	return w[n]
}

// toward returns the alternative that leads to what is missing, and through which state: -1 if it
// is missing itself. Without such an alternative, it is -1.
func (s *states) toward(x int32, weights []float64, r *rand.Rand) (alt int, next int32) {
	if x < 0 {
		return -1, -1
	}
	st := &s.all[x]
	alt, next = -1, -1
	least, ties := int32(math.MaxInt32), 0
	for n := range st.alts {
		if weights[n] == 0 {
			continue
		}
		goal, through := int32(0), int32(-1)
		if !s.missing(st, n) {
			goal = math.MaxInt32
			for _, k := range st.alts[n].kids {
				if g := s.all[k].goal; g != math.MaxInt32 && g+1 < goal {
					goal, through = g+1, k
				}
			}
		}
		if goal == math.MaxInt32 || goal > least {
			continue
		}
		if goal < least {
			ties = 0
		}
		if ties++; r.IntN(ties) == 0 {
			alt, next, least = n, through, goal
		}
	}
	return alt, next
}

// shortest returns the alternative that ends soonest: the first, as long as nothing is known.
func (s *states) shortest(x int32, weights []float64) int {
	best, least := -1, int32(math.MaxInt32)
	for n, w := range weights {
		if w == 0 {
			continue
		}
		short := int32(math.MaxInt32)
		if x >= 0 && s.all[x].alts[n].count > 0 {
			short = 0
			for _, k := range s.all[x].alts[n].kids {
				short = max(short, s.all[k].short)
			}
		}
		if best < 0 || short < least {
			best, least = n, short
		}
	}
	return max(0, best)
}

// furthest returns an alternative that has picks of its own and, if there is one, does not end
// soonest; or -1.
func (s *states) furthest(x int32, weights []float64, r *rand.Rand) int {
	if x < 0 {
		return -1
	}
	best, most, ties := -1, int32(0), 0
	for n, a := range s.all[x].alts {
		if weights[n] == 0 || a.count == 0 || len(a.kids) == 0 {
			continue
		}
		long := int32(0)
		for _, k := range a.kids {
			if int(x) < len(s.component) && int(k) < len(s.component) && s.component[k] == s.component[x] {
				long = 1
			}
		}
		if best >= 0 && long < most {
			continue
		}
		if long > most {
			ties = 0
		}
		if ties++; r.IntN(ties) == 0 {
			best, most = n, long
		}
	}
	return best
}
