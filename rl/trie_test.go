package rl

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// A trie with ample memory agrees with the model at every decision, until all inputs of a
// process have been made, each once, and after that.
func TestTrieIsTheModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.Count(2, 60)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			depth, width := 2+int(seed%5), 2+r.IntN(3)
			if depth <= 3 {
				width = slots
			}
			p := randomProcess(seed, depth, width)
			all := p.inputs("")
			force := seed%3 == 0 // now and then an exhausted slot is taken, as by Replay
			trie, model := newTrie(64<<20), newTrieModel(p)
			for round := 0; len(model.made) < len(all); round++ {
				require.Less(t, round, 100*len(all)+1000, "hardly anything new is made")
				require.False(t, trie.exhausted())
				input := ""
				for p(input) != 0 {
					mask := p(input)
					free := trie.at(mask)
					if want := model.free(input); free != want {
						t.Fatalf("%b is free after %s, want %b", free, readable(input), want)
					}
					for f := free; f != 0; f &= f - 1 {
						if s := trailing(f); !model.exhausted[input] {
							x := patience / (patience + model.fruitless[input+string(rune(s))])
							if got := trie.freshness()[s]; got != x*x {
								t.Fatalf("%d after %s is %g fresh, want %g", s, readable(input), got, x*x)
							}
						}
					}
					if force && r.IntN(4) == 0 {
						free = mask
					}
					d := decision{free: free}
					slot := d.draw(r)
					trie.step(slot)
					input += string(rune(slot))
				}
				o := []outcome{dropped, invalid, invalid, valid, unique, unique}[r.IntN(6)]
				if _, again := model.made[input]; again {
					require.True(t, force, "%s is made again", readable(input))
					require.Equal(t, lost, trie.state)
				}
				trie.end(o, worths[o])
				model.end(input, o, worths[o])
				if round%17 == 0 || len(model.made) == len(all) {
					checkTrie(t, trie)
				}
			}
			require.True(t, trie.exhausted())
			for _, input := range all { // it leads to nothing new
				require.Equal(t, lost, retrace(trie, p, input))
			}
		})
	}
}

// A trie with little memory keeps its bound, and forgets the oldest inputs.
func TestTriePrune(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		depth, width, memory, runs int
		recent                     int // inputs made last that are always known
	}{
		{12, 16, 4000, 3000, 8}, // sparse: hardly any input is near another
		{12, 16, 50000, 3000, 50},
		{5, 4, 1500, 3000, 5}, // dense: subtrees get exhausted
		{6, 3, 3000, 3000, 10},
		{3, 16, 2000, 4000, 8},
		{40, 2, 6000, 2000, 5},
		{2, 16, 1, 500, 1}, // no memory at all
	} {
		for seed := range uint64(long.Count(1, 4)) {
			t.Run(fmt.Sprintf("%d %d %d/%d", c.depth, c.width, c.memory, seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 1))
				p := randomProcess(seed+100, c.depth, c.width)
				trie, model := newTrie(c.memory), newTrieModel(p)
				var history []string
				for run := range c.runs {
					input := ""
					for p(input) != 0 {
						mask := p(input)
						free := trie.at(mask)
						if free&^mask != 0 {
							t.Fatalf("%b is free of %b", free, mask)
						}
						for f := mask &^ free; f != 0; f &= f - 1 {
							if !model.exhausted[input+string(rune(trailing(f)))] {
								t.Fatalf("%d after %s is not exhausted", trailing(f), readable(input))
							}
						}
						if free == 0 {
							free = mask
						}
						d := decision{free: free}
						slot := d.draw(r)
						trie.step(slot)
						input += string(rune(slot))
					}
					o := []outcome{invalid, valid, unique}[r.IntN(3)]
					again := trie.state == lost
					trie.end(o, worths[o])
					model.end(input, o, worths[o])
					if run%50 == 0 {
						checkTrie(t, trie)
					}
					if c.memory > 1 {
						require.LessOrEqual(t, trie.size(), c.memory)
					} else {
						require.LessOrEqual(t, trie.size(), 1000)
					}
					if !again {
						history = append(history, input)
					}
					if run%50 == 0 {
						for _, input := range history[max(0, len(history)-c.recent):] {
							if retrace(trie, p, input) != lost {
								t.Fatalf("%s is forgotten", readable(input))
							}
						}
					}
				}
			})
		}
	}
}

// An exhausted prefix is as recent as the input that exhausted it.
func TestTriePruneExhaustedLate(t *testing.T) {
	t.Parallel()
	const two = 1<<0 | 1<<1
	p := process(func(prefix string) uint16 { // slot 0 and two decisions below each of 16; or 39
		switch {
		case len(prefix) == 0:
			return two
		case len(prefix) == 1:
			return ^uint16(0)
		case prefix[0] == 0 && len(prefix) < 4 || prefix[0] == 1 && len(prefix) < 40:
			return two
		}
		return 0
	})
	trie := newTrie(6000)
	r := rand.New(rand.NewPCG(1, 1))
	once := func(input string) {
		for p(input) != 0 {
			input += string(rune(r.IntN(2)))
		}
		for i := range len(input) {
			trie.at(p(input[:i]))
			trie.step(int(input[i]))
		}
		trie.end(invalid, 0)
	}
	for _, input := range []string{"\x00\x07\x00\x00", "\x00\x07\x00\x01", "\x00\x07\x01\x00"} {
		once(input)
	}
	prune := func(between func()) {
		for {
			size := trie.size()
			if once("\x01"); trie.size() < size {
				return
			}
			if size > 5000 && between != nil {
				between()
				between = nil
			}
		}
	}
	prune(func() { once("\x00\x07\x01\x01") })
	require.Equal(t, lost, retrace(trie, p, "\x00\x07\x01\x01"))
	require.Equal(t, lost, retrace(trie, p, "\x00\x07\x00\x00"))
	prune(nil)
	prune(nil)
	require.Equal(t, forked, retrace(trie, p, "\x00\x07\x01\x01"), "it is old by now")
}

// A generator that changes gets arbitrary slots, but no panic and no growth.
func TestTrieOfChangingGenerator(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.Count(1, 40)) {
		r := rand.New(rand.NewPCG(seed, 2))
		memory := []int{1, 500, 5000, 1 << 20}[seed%4]
		trie := newTrie(memory)
		for run := range 1500 {
			n := r.IntN(8)
			for range n {
				mask := uint16(r.Uint32())
				for mask&(mask-1) == 0 {
					mask = uint16(r.Uint32())
				}
				if seed%8 < 4 {
					mask &= 0x3f
					mask |= 0x3
				}
				free := trie.at(mask)
				if free&^mask != 0 {
					t.Fatalf("%b is free of %b", free, mask)
				}
				for f := mask; f != 0; f &= f - 1 {
					if x := trie.freshness()[trailing(f)]; !(x >= 0 && x <= 1) {
						t.Fatalf("%d is %g fresh", trailing(f), x)
					}
				}
				if free == 0 || r.IntN(8) == 0 {
					free = mask
				}
				d := decision{free: free}
				trie.step(d.draw(r))
			}
			trie.end(outcome(r.IntN(4)), r.Float32())
			if run%100 == 0 {
				checkTrie(t, trie)
			}
			require.LessOrEqual(t, trie.size(), max(memory, 1000))
		}
	}
}

// A dropped episode leaves no trace.
func TestTrieDropped(t *testing.T) {
	t.Parallel()
	p := randomProcess(3, 8, 5)
	trie, r := newTrie(1<<20), rand.New(rand.NewPCG(3, 3))
	once := func(o outcome) {
		input := ""
		for p(input) != 0 {
			d := decision{free: trie.at(p(input))}
			slot := d.draw(r)
			trie.step(slot)
			input += string(rune(slot))
			if o == dropped && r.IntN(5) == 0 {
				break
			}
		}
		trie.end(o, worths[o])
	}
	for range 200 {
		once(outcome(1 + r.IntN(3)))
		before := fmt.Sprint(trie.nodes, trie.labels, trie.runs)
		for range 3 {
			once(dropped)
		}
		require.Equal(t, before, fmt.Sprint(trie.nodes, trie.labels, trie.runs))
	}
}

// A prefix without invalid inputs is as fresh as a new one, and others
// are less and less fresh.
func TestStale(t *testing.T) {
	t.Parallel()
	{
		trie := newTrie(1 << 20)
		last := float32(1)
		for run := range 50 {
			for i := range 3 {
				trie.at(0b111)
				if i == 0 {
					require.EqualValues(t, 1, trie.freshness()[1])
					if run < 25 { // then all inputs that begin with 0 have been made
						x := trie.freshness()[0]
						require.True(t, 0 <= x && x <= last, "%g after %g", x, last)
						last = x
					}
				}
				trie.step([]int{0, run / 9 % 3, run / 3 % 3}[i])
			}
			trie.end(invalid, 0)
		}
		for i := range 3 { // a unique input restores freshness
			trie.at(0b111)
			trie.step([]int{1, 4, 4}[i])
		}
		trie.end(unique, 1)
		trie.at(0b111)
		require.EqualValues(t, 1, trie.freshness()[1])
	}
}

// Growing inputs do not exceed the memory. An input larger than all of it displaces no more
// than the others.
func TestTriePruneGrowing(t *testing.T) {
	t.Parallel()
	r := seeded(1)
	trie := newTrie(20000)
	once := func(n int) {
		for range n {
			trie.at(^uint16(0))
			trie.step(r.IntN(slots))
		}
		trie.end(invalid, 0)
	}
	for run := range 300 {
		once(10)
		if run%50 == 49 {
			for range 8 {
				once(6000)
				require.LessOrEqual(t, trie.size(), 20000)
			}
		}
	}
	once(100000)
	require.LessOrEqual(t, trie.size(), 100000+1000)
	once(10)
	require.LessOrEqual(t, trie.size(), 20000)
	checkTrie(t, trie)
}

// After billions of runs, too, the oldest inputs are forgotten first.
func TestTrieOfManyRuns(t *testing.T) {
	t.Parallel()
	r := seeded(1)
	trie := newTrie(20000)
	trie.runs = math.MaxUint32 - 5000
	for range 10000 {
		for range 10 {
			trie.at(^uint16(0))
			trie.step(r.IntN(slots))
		}
		trie.end(invalid, 0)
		require.LessOrEqual(t, trie.size(), 20000)
	}
	require.Greater(t, trie.size(), 5000)
	checkTrie(t, trie)
}

// worths says what inputs are worth, by their outcomes.
var worths = [...]float32{valid: 0.25, unique: 1}
