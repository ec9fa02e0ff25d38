package rl

import "golang.org/x/exp/slices"

// trie remembers the inputs made so far as sequences of decisions, so that none is made twice,
// and counts for each prefix the inputs since the last valid one that was worth much. It is a
// Patricia tree: a node is a decision that was made in several ways, and an edge holds the
// decisions between two nodes. A prefix is exhausted when all its continuations have been made.
// Then it needs no nodes.
//
// The inputs 0 1 1 2, 0 1 1 3 and 4 5 of a generator that, after 0 1 1, decides among 2, 3
// and 7:
//
//	root ── 0 1 1 ── node whose slots 2 and 3 are exhausted
//	   └─── 4 5 ──── leaf
type trie struct {
	nodes  []trieNode // the first is the root
	labels []uint8
	most   int // bytes
	runs   uint32

	// The episode.
	steps  []uint8
	path   []int32 // the nodes entered; the root is not
	node   int32   // the last of them
	pos    int32   // on the edge to it
	state  walk
	full   uint16 // at the decision being made
	cut    uint16 // full where the episode left the known inputs
	forked int    // len(steps) there
}

type trieNode struct {
	label, length uint32  // in labels: the decisions on the edge to it, except the first
	kid, next     int32   // the first node below it, and the next below the same; 0 if there is none
	fruitless     float32 // inputs with it since the last that was worth much, see credit
	born          uint32  // the run that made it, or exhausted something at it
	full          uint16  // slots of the decision; 0 for a leaf: the edge to it is exhausted
	done          uint16  // exhausted slots
	slot          uint8   // the first decision on the edge to it
}

type walk uint8

const (
	known  walk = iota // an earlier input begins with the decisions so far
	forked             // the episode left the known inputs, on an edge or at a node
	lost               // the episode repeats an input, or the generator has changed
)

func newTrie(memory int) *trie { return &trie{nodes: make([]trieNode, 1), most: memory} }

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

// freshness returns how likely each slot of the decision should be, compared with 1 for a slot
// that was never taken: a quarter after patience inputs that were worth nothing.
func (t *trie) freshness() (fresh [slots]float32) {
	for i := range fresh {
		fresh[i] = 1
	}
	of := func(slot uint8, n *trieNode) {
		x := patience / (patience + n.fruitless)
		fresh[slot] = x * x
	}
	n := &t.nodes[t.node]
	switch {
	case t.state != known:
	case uint32(t.pos) < n.length:
		of(t.labels[n.label+uint32(t.pos)], n)
	default:
		for k := n.kid; k != 0; k = t.nodes[k].next {
			of(t.nodes[k].slot, &t.nodes[k])
		}
	}
	return fresh
}

// kidOf returns the node to which a slot of a node leads, or 0.
func (t *trie) kidOf(node int32, slot uint8) int32 {
	k := t.nodes[node].kid
	for k != 0 && t.nodes[k].slot != slot {
		k = t.nodes[k].next
	}
	return k
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
	case n.done>>s&1 == 1:
		t.state = lost
	default:
		k := t.kidOf(t.node, s)
		if k == 0 {
			t.fork()
			return
		}
		t.path = append(t.path, k)
		t.node, t.pos = k, 0
	}
}

func (t *trie) fork() {
	t.state, t.cut, t.forked = forked, t.full, len(t.steps)-1
}

// end ends the episode, which was worth something from 0 to 1. The trie remembers it unless
// it was dropped.
func (t *trie) end(o outcome, worth float32) {
	if o != dropped {
		t.runs++
		if t.state == forked && uint32(t.pos) < t.nodes[t.node].length {
			t.split()
		}
		t.credit(worth)
		switch root := &t.nodes[0]; {
		case t.state == forked:
			t.insert(worth)
		case t.state == known && root.full == 0: // there was no decision
			root.full, root.done = 1, 1
		}
		if t.size() > t.most {
			t.prune()
		}
	}
	t.steps, t.path = t.steps[:0], t.path[:0]
	t.node, t.pos, t.state = 0, 0, known
}

// credit counts the episode as fruitless for its prefixes, minus the share that it was worth.
// The conversion stops compilers from fusing operations.
func (t *trie) credit(worth float32) {
	for _, i := range t.path {
		n := &t.nodes[i]
		n.fruitless = min(float32((n.fruitless+1)*(1-worth)), 1<<31)
	}
}

// split divides the edge at the place where the episode left it. The node at its end becomes one
// at that place, with a copy of itself below.
func (t *trie) split() {
	n, pos := t.nodes[t.node], uint32(t.pos)
	slot := t.labels[n.label+pos]
	mid := trieNode{
		label:     n.label,
		length:    pos,
		next:      n.next,
		fruitless: n.fruitless,
		born:      t.runs,
		full:      t.cut,
		slot:      n.slot,
	}
	if n.full == 0 && pos == n.length-1 { // the leaf becomes an exhausted slot
		mid.done = 1 << slot
	} else {
		n.label, n.length, n.next, n.slot = n.label+pos+1, n.length-pos-1, 0, slot
		mid.kid = int32(len(t.nodes))
		t.nodes = append(t.nodes, n)
	}
	t.nodes[t.node] = mid
}

// insert adds the episode, which has left the known inputs at the last node.
func (t *trie) insert(worth float32) {
	n := &t.nodes[t.node]
	n.full |= t.cut
	slot, tail := t.steps[t.forked], t.steps[t.forked+1:]
	if len(tail) == 0 {
		t.exhaust(slot)
		return
	}
	leaf := trieNode{
		label: uint32(len(t.labels)), length: uint32(len(tail)), next: n.kid,
		fruitless: 1 - worth, born: t.runs, slot: slot,
	}
	n.kid = int32(len(t.nodes))
	t.labels = append(t.labels, tail...)
	t.nodes = append(t.nodes, leaf)
}

// exhaust records that all inputs through the slot of the last node have been made.
func (t *trie) exhaust(slot uint8) {
	for up := len(t.path); ; up-- {
		n := &t.nodes[0]
		if up > 0 {
			n = &t.nodes[t.path[up-1]]
		}
		n.done |= 1 << slot
		n.born = t.runs
		for at := &n.kid; *at != 0; at = &t.nodes[*at].next {
			if t.nodes[*at].slot == slot {
				*at = t.nodes[*at].next
				break
			}
		}
		if n.done != n.full || up == 0 {
			return
		}
		// The node is exhausted, and so is the edge to it.
		n.full, n.done = 0, 0
		if n.length > 0 {
			return // a leaf
		}
		slot = n.slot
	}
}

const nodeBytes = 32

func (t *trie) size() int { return len(t.nodes)*nodeBytes + len(t.labels) }

// prune forgets the oldest inputs, so that half of the memory is free.
func (t *trie) prune() {
	oldest := uint32(0) // its age
	for _, n := range t.nodes {
		if n.full == 0 {
			oldest = max(oldest, t.runs-n.born)
		}
	}
	fresh := newTrie(t.most)
	for most := oldest / 2; ; most /= 2 {
		fresh.nodes, fresh.labels = fresh.nodes[:1], fresh.labels[:0]
		fresh.nodes[0] = t.nodes[0]
		fresh.copyKids(0, t, 0, most)
		if fresh.size() <= t.most/2 || most == 0 {
			t.nodes, t.labels = slices.Clone(fresh.nodes), slices.Clone(fresh.labels)
			return
		}
	}
}

// copyKids copies the nodes below a node, without leaves older than most runs.
func (t *trie) copyKids(to int32, from *trie, node int32, most uint32) {
	t.nodes[to].kid = 0
	for k := from.nodes[node].kid; k != 0; k = from.nodes[k].next {
		n := from.nodes[k]
		old := from.runs-n.born > most
		if n.full == 0 && old {
			continue
		}
		at, labels := int32(len(t.nodes)), len(t.labels)
		t.labels = append(t.labels, from.labels[n.label:n.label+n.length]...)
		n.label, n.next = uint32(labels), t.nodes[to].kid
		t.nodes = append(t.nodes, n)
		if n.full != 0 {
			t.copyKids(at, from, k, most)
			if t.nodes[at].kid == 0 && (n.done == 0 || old) { // nothing left
				t.nodes, t.labels = t.nodes[:at], t.labels[:labels]
				continue
			}
		}
		t.nodes[to].kid = at
	}
}
