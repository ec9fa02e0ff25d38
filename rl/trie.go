package rl

import (
	"math"
	"math/bits"
)

// trie remembers the inputs made so far as sequences of decisions, so that none is made
// twice, and counts for each prefix the inputs since the last valid one that was worth much. It
// is a Patricia tree: a node is a decision that was made in several ways, and an edge
// holds the decisions between two nodes. A prefix is exhausted when all its
// continuations have been made; it then needs no nodes.
//
// The inputs 0 1 1 2, 0 1 1 3 and 4 5 of a generator that, after 0 1 1, decides among 2, 3
// and 7:
//
//	root ── 0 1 1 ── node, of which 2 and 3 are exhausted
//	   └─── 4 5 ──── leaf
type trie struct {
	nodes  []trieNode
	kids   []trieEdge // blocks of edges, of each node as many as it has bits in have
	spare  [slots + 1][]uint32
	labels []uint8
	most   int // bytes
	runs   uint32

	// The episode.
	steps  []uint8
	edges  []edgeRef // those passed
	node   int32     // the node reached, or whose edge the episode is on
	pos    int32     // on the edge to it
	state  walk
	full   uint16 // at the decision being made
	cut    uint16 // full where the episode left the known inputs
	forked int    // len(steps) there
}

type trieNode struct {
	label, length uint32 // in labels: the decisions on the edge to it, except the first
	kids          uint32
	full          uint16 // slots of the decision; 0 if the node is a leaf: the edge to it is exhausted
	done          uint16 // exhausted slots
	have          uint16 // slots with edges
	born          uint32 // the run that made it, or exhausted something at it
}

type trieEdge struct {
	node      int32
	fruitless float32 // inputs since the last that was worth much, see credit
}

// edgeRef is the edge of a node for a slot.
type edgeRef struct {
	node int32
	slot uint8
}

type walk uint8

const (
	known  walk = iota // an earlier input begins with the decisions so far
	forked             // the episode left the known inputs, on an edge or at a node
	lost               // the episode repeats an input, or the generator has changed
)

func newTrie(memory int) *trie {
	t := &trie{most: memory}
	t.nodes = append(t.nodes, trieNode{})
	return t
}

// at begins a decision among the slots of full and returns those that are not
// exhausted.
func (t *trie) at(full uint16) uint16 {
	t.full = full
	if t.state != known {
		return full
	}
	n := &t.nodes[t.node]
	if uint32(t.pos) < n.length {
		if n.full == 0 && uint32(t.pos) == n.length-1 {
			return full &^ (1 << t.labels[n.label+uint32(t.pos)])
		}
		return full
	}
	return full &^ n.done
}

// freshness returns how likely a slot of the decision should be, against 1 for one that was
// never taken: a quarter after patience inputs that were worth nothing.
func (t *trie) freshness(slot int, patience float32) float32 {
	if t.state != known {
		return 1
	}
	n := &t.nodes[t.node]
	var f float32
	if uint32(t.pos) < n.length {
		if int(t.labels[n.label+uint32(t.pos)]) != slot || len(t.edges) == 0 {
			return 1
		}
		e := t.edges[len(t.edges)-1]
		f = t.edge(e.node, e.slot).fruitless
	} else {
		if n.have>>slot&1 == 0 {
			return 1
		}
		f = t.edge(t.node, uint8(slot)).fruitless
	}
	if f == 0 {
		return 1 // also without patience
	}
	x := patience / (patience + f)
	return x * x
}

// edge returns the edge of a node that has one for the slot.
func (t *trie) edge(node int32, slot uint8) *trieEdge {
	n := &t.nodes[node]
	return &t.kids[n.kids+uint32(bits.OnesCount16(n.have&(1<<slot-1)))]
}

// step ends the decision.
func (t *trie) step(slot int) {
	s := uint8(slot)
	t.steps = append(t.steps, s)
	if t.state != known {
		return
	}
	n := &t.nodes[t.node]
	switch {
	case uint32(t.pos) < n.length:
		if t.labels[n.label+uint32(t.pos)] != s {
			t.fork()
			return
		}
		t.pos++
		if n.full == 0 && uint32(t.pos) == n.length {
			t.state = lost
		}
	case n.have>>s&1 == 1:
		t.edges = append(t.edges, edgeRef{t.node, s})
		t.node, t.pos = t.edge(t.node, s).node, 0
	case n.done>>s&1 == 1:
		t.state = lost
	default:
		t.fork()
	}
}

func (t *trie) fork() {
	t.state, t.cut, t.forked = forked, t.full, len(t.steps)-1
}

// end ends the episode, which was worth something from 0 to 1. The trie remembers it unless
// it was dropped.
func (t *trie) end(o outcome, worth float32) {
	if o != dropped {
		if t.runs == math.MaxUint32 {
			t.rebaseRuns()
		}
		t.runs++
		at := t.node
		if t.state == forked && uint32(t.pos) < t.nodes[at].length {
			at = t.split()
		}
		t.credit(worth)
		switch root := &t.nodes[0]; {
		case t.state == forked:
			t.insert(at, worth)
		case t.state == known && root.full == 0: // there was no decision
			root.full, root.done = 1, 1
		}
		if t.size() > t.most {
			t.prune()
		}
	}
	t.steps, t.edges = t.steps[:0], t.edges[:0]
	t.node, t.pos, t.state = 0, 0, known
}

// rebaseRuns makes room for counting more runs: it counts the first half of them as one.
func (t *trie) rebaseRuns() {
	const half = 1 << 31
	t.runs -= half
	for i := range t.nodes {
		n := &t.nodes[i]
		n.born -= min(n.born, half)
	}
}

// credit counts the episode as fruitless for its prefixes, and takes off the share that it was
// worth. The conversion stops compilers from fusing operations.
func (t *trie) credit(worth float32) {
	for _, r := range t.edges {
		e := t.edge(r.node, r.slot)
		e.fruitless = min(float32((e.fruitless+1)*(1-worth)), 1<<31)
	}
}

// insert adds the episode, which has left the known inputs at a node.
func (t *trie) insert(at int32, worth float32) {
	t.nodes[at].full |= t.cut
	slot, tail := t.steps[t.forked], t.steps[t.forked+1:]
	if len(tail) == 0 {
		t.exhaust(at, slot)
		return
	}
	leaf := trieNode{label: uint32(len(t.labels)), length: uint32(len(tail)), born: t.runs}
	t.labels = append(t.labels, tail...)
	t.nodes = append(t.nodes, leaf)
	t.addEdge(at, slot, trieEdge{int32(len(t.nodes) - 1), 1 - worth})
}

// split makes a node at the place on the edge where the episode left it, and returns the
// node.
func (t *trie) split() int32 {
	below := t.node
	n := t.nodes[below]
	pos := uint32(t.pos)
	slot := t.labels[n.label+pos]
	mid := int32(len(t.nodes))
	t.nodes = append(t.nodes, trieNode{label: n.label, length: pos, full: t.cut, born: t.runs})
	parent := t.edges[len(t.edges)-1]
	e := t.edge(parent.node, parent.slot)
	down := trieEdge{below, e.fruitless}
	e.node = mid
	if n.full == 0 && pos == n.length-1 { // the leaf becomes an exhausted slot
		t.nodes[mid].done = 1 << slot
		return mid
	}
	b := &t.nodes[below]
	b.label, b.length = n.label+pos+1, n.length-pos-1
	t.addEdge(mid, slot, down)
	return mid
}

func (t *trie) addEdge(node int32, slot uint8, e trieEdge) {
	n := &t.nodes[node]
	size := bits.OnesCount16(n.have)
	before := bits.OnesCount16(n.have & (1<<slot - 1))
	at := t.allocate(size + 1)
	copy(t.kids[at:], t.kids[n.kids:n.kids+uint32(before)])
	t.kids[int(at)+before] = e
	copy(t.kids[int(at)+before+1:], t.kids[int(n.kids)+before:int(n.kids)+size])
	t.free(n.kids, size)
	n.kids = at
	n.have |= 1 << slot
}

func (t *trie) removeEdge(node int32, slot uint8) {
	n := &t.nodes[node]
	size := bits.OnesCount16(n.have)
	before := bits.OnesCount16(n.have & (1<<slot - 1))
	var at uint32
	if size > 1 {
		at = t.allocate(size - 1)
		copy(t.kids[at:], t.kids[n.kids:int(n.kids)+before])
		copy(t.kids[int(at)+before:], t.kids[int(n.kids)+before+1:int(n.kids)+size])
	}
	t.free(n.kids, size)
	n.kids = at
	n.have &^= 1 << slot
}

func (t *trie) allocate(size int) uint32 {
	if s := t.spare[size]; len(s) > 0 {
		at := s[len(s)-1]
		t.spare[size] = s[:len(s)-1]
		return at
	}
	at := uint32(len(t.kids))
	t.kids = append(t.kids, make([]trieEdge, size)...)
	return at
}

func (t *trie) free(at uint32, size int) {
	if size > 0 {
		t.spare[size] = append(t.spare[size], at)
	}
}

// exhaust records that all inputs behind the slot of a node have been made. The node is
// the last one that the episode reached, or one that split made.
func (t *trie) exhaust(node int32, slot uint8) {
	up := len(t.edges)
	for {
		n := &t.nodes[node]
		n.done |= 1 << slot
		n.born = t.runs
		if n.have>>slot&1 == 1 {
			t.removeEdge(node, slot)
		}
		if n.done != n.full || up == 0 {
			return
		}
		// The node is exhausted, and so is the edge to it.
		n.full, n.done = 0, 0
		if n.length > 0 {
			return // a leaf
		}
		up--
		node, slot = t.edges[up].node, t.edges[up].slot
	}
}

// exhausted reports whether all inputs have been made.
func (t *trie) exhausted() bool {
	root := &t.nodes[0]
	return root.full != 0 && root.done == root.full
}

const (
	nodeBytes = 28
	edgeBytes = 8
)

func (t *trie) size() int {
	return len(t.nodes)*nodeBytes + len(t.kids)*edgeBytes + len(t.labels)
}

// prune forgets the oldest inputs, so that half of the memory is free.
func (t *trie) prune() {
	oldest := t.runs
	for _, n := range t.nodes {
		if n.full == 0 {
			oldest = min(oldest, n.born)
		}
	}
	for keep := (t.runs - oldest) / 2; ; keep /= 2 {
		fresh := newTrie(t.most)
		fresh.runs = t.runs
		fresh.copy(t, 0, t.runs-keep)
		if fresh.size() <= t.most/2 || keep == 0 {
			*t = trie{nodes: fresh.nodes, kids: fresh.kids, labels: fresh.labels, most: t.most, runs: t.runs, steps: t.steps, edges: t.edges}
			return
		}
	}
}

// copy copies a subtree of from, without leaves born before then, to the empty node 0 of
// t.
func (t *trie) copy(from *trie, root int32, then uint32) {
	if from.nodes[root].have == 0 && from.nodes[root].done == 0 {
		return
	}
	t.nodes[0] = from.nodes[root]
	t.nodes[0].kids, t.nodes[0].have, t.nodes[0].label, t.nodes[0].length = 0, 0, 0, 0
	t.copyKids(0, from, root, then)
}

// copyKids copies the edges of a node, and what is below them, without leaves born before
// then.
func (t *trie) copyKids(to int32, from *trie, node int32, then uint32) {
	have := from.nodes[node].have
	for i := 0; have != 0; have &= have - 1 {
		slot := uint8(trailing(have))
		e := from.kids[from.nodes[node].kids+uint32(i)]
		i++
		n := from.nodes[e.node]
		if n.full == 0 && n.born < then {
			continue
		}
		at := int32(len(t.nodes))
		old := len(t.labels)
		c := n
		c.kids, c.have = 0, 0
		c.label = uint32(len(t.labels))
		t.labels = append(t.labels, from.labels[n.label:n.label+n.length]...)
		t.nodes = append(t.nodes, c)
		if n.full != 0 {
			t.copyKids(at, from, e.node, then)
			if t.nodes[at].have == 0 && (n.done == 0 || n.born < then) { // nothing left
				t.nodes, t.labels = t.nodes[:at], t.labels[:old]
				continue
			}
		}
		t.addEdge(to, slot, trieEdge{at, e.fruitless})
	}
}
