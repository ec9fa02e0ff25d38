package predict

import (
	"github.com/espalier-go/espalier/internal/hash"
)

// A spec says how the picks of a menu are told apart.
type spec struct {
	slot  bool
	chain int   // how many enclosing picks count: their alternatives, and their slots
	index int32 // indices up to it count
	depth int32 // depths up to it count
}

// specs has all specs, the ones with the fewest states first. The first that explains what
// has been observed is used: no reason for a finer one is known.
var specs = func() (list []spec) {
	near := []spec{{}, {slot: true}, {slot: true, chain: 1}}
	add := func(like []spec, index, depth int32) {
		for _, sp := range like {
			sp.index, sp.depth = index, depth
			list = append(list, sp)
		}
	}
	add(near, 0, 0)
	add(near, maxIndex, 0)
	for _, depth := range [...]int32{1, 2, 3, 4, 5, 6, 8, 10} {
		add(near, 0, depth)
	}
	for chain := 2; chain <= 3; chain++ {
		add([]spec{{slot: true, chain: chain}}, 0, 0)
		add([]spec{{slot: true, chain: chain}}, maxIndex, 0)
	}
	for _, depth := range [...]int32{12, 16, 24, 32, 48, 64, 96, 128, 192, 256} {
		add(near, 0, depth)
	}
	for _, depth := range [...]int32{4, 8, 16, 32, 64, 128, 256} {
		add(near[2:], maxIndex, depth)
	}
	for _, depth := range [...]int32{0, 8, 32} {
		add([]spec{{slot: true, chain: 6}}, 0, depth)
		add([]spec{{slot: true, chain: 6}}, maxIndex, depth)
	}
	return list
}()

// maxIndex is how far indices count.
const maxIndex = 256

// states tells picks apart.
type states struct {
	log     *log
	spec    map[int32]int // by menu: its index in specs
	byKey   map[uint64]int32
	all     []state
	done    int // nodes that have been added
	version int // changes with each refinement and each new state
	clash   *clash
}

// state is a set of picks that are one type of the process, as far as is known.
type state struct {
	first     int32 // node
	alts      []alternativeSeen
	toMissing int32 // steps to what has not been observed enough
	toEnd     int32 // the fewest steps to the end
}

type alternativeSeen struct {
	count int
	first int32   // node
	kids  []int32 // states
	sign  uint64  // hash of the keys of what follows
}

// clash has two nodes of one state that differ.
type clash struct {
	a, b    int32
	weights bool
}

func newStates(l *log) *states {
	return &states{log: l, spec: map[int32]int{}, byKey: map[uint64]int32{}}
}

// key returns what identifies the state of a node.
func (s *states) key(i int32) uint64 {
	return s.keyBy(i, &specs[s.spec[s.log.nodes[i].menu]])
}

// keyBy is key by another spec.
func (s *states) keyBy(i int32, sp *spec) uint64 {
	n := &s.log.nodes[i]
	h := hash.Mix(0x9E3779B97F4A7C15, uint64(n.menu))
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
			first: i, toEnd: far,
			alts: make([]alternativeSeen, len(s.log.menus[s.log.nodes[i].menu].tags)),
		})
		s.version++
	}
	return x
}

// add observes the nodes from start on, which belong to whole runs.
func (s *states) add(start int) {
	for i := start; i < len(s.log.nodes); i++ {
		s.observe(int32(i))
	}
	s.done = len(s.log.nodes)
}

// observe adds one node. If it differs from the others of its state, there is a clash.
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

// sign returns a hash of the states of what follows a node.
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

// kids returns the states of what follows a node, with the next question of its sequence last.
func (s *states) kids(i int32) (kids []int32) {
	for k := s.log.nodes[i].kid; k >= 0; k = s.log.nodes[k].sibling {
		kids = append(kids, s.stateOf(k))
	}
	if k := s.log.nodes[i].next; k >= 0 {
		kids = append(kids, s.stateOf(k))
	}
	return kids
}
