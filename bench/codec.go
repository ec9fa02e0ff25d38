package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// codec measures the effect of mutations of bytes on the search trees that the bytes encode,
// against rapid.MakeFuzz, which rarely makes trees of 200 nodes. All figures are shares.
func codec(r run) (ours, base figure, err error) {
	binary, err := buildTests(".", "bench.engine.test", nil, "-tags=enginemutator", "-ldflags=-checklinkname=0")
	if err != nil {
		return ours, base, err
	}
	share := func(how, what string) func() (figure, error) {
		return func() (f figure, err error) {
			err = inScratch(func(dir string) error {
				return order{Do: "codec", On: what, How: how, N: pick(r, codecTrees, codecTrees/10)}.send(binary, dir, &f.value)
			})
			return f, err
		}
	}
	what := r.args[0]
	if what == keptOf200 {
		what = keptOf20
	}
	return pair(share("espalier", r.args[0]), share("rapid", what))
}

func codecOrder(o order, t *testing.T) {
	c := espalierCoder()
	if o.How == "rapid" {
		c = rapidCoder(t)
	}
	o.answer(codecFigures[o.On](c, o.N))
}

// engineMutate returns bytes after one mutation by Go's fuzzer. Only test binaries with the tag
// enginemutator have it: see codec_engine_test.go.
var engineMutate func(b []byte) []byte

// engineMutants returns the inputs that the engine runs before it starts again from an entry: up to 5
// successive mutations, and it runs the input after each.
func engineMutants(b []byte) [][]byte {
	out := make([][]byte, 5)
	for i := range out {
		b = engineMutate(b)
		out[i] = b
	}
	return out
}

// codecTrees is the number of trees for each figure.
const codecTrees = 200

const (
	keptOf20  = "insert/keys kept of 20"
	keptOf200 = "insert/keys kept of 200"
)

// codecFigures measure a share of a coder with n trees.
var codecFigures = map[string]func(c coder, n int) float64{
	"flip/nothing changed":            func(c coder, n int) float64 { return flipsInVain(c, n/20) },
	keptOf20:                          func(c coder, n int) float64 { return keptAfterInsertion(c, n, 20) },
	keptOf200:                         func(c coder, n int) float64 { return keptAfterInsertion(c, n/4, 200) },
	"native/grown":                    grown,
	"native/distinct":                 func(c coder, n int) float64 { return distinct(c, n, 4) },
	"native/distinct, 20 generations": func(c coder, n int) float64 { return distinctOfKept(c, n/4, 20) },
}

// flipsInVain returns the share of one-bit flips that do not change a tree of 20 nodes.
func flipsInVain(c coder, n int) float64 {
	r := rand.New(rand.NewPCG(5, 1))
	var s share
	for range n {
		b, v := c.encode(r, 20)
		for i := range b {
			for bit := range 8 {
				b[i] ^= 1 << bit
				w, ok := c.decode(b)
				s.count(ok && w.key() == v.key())
				b[i] ^= 1 << bit
			}
		}
	}
	return s.value()
}

// keptAfterInsertion returns the share of keys that a tree keeps after the insertion of a
// random byte at a random place.
func keptAfterInsertion(c coder, n, nodes int) float64 {
	r := rand.New(rand.NewPCG(5, 2))
	var s share
	for range n {
		b, v := c.encode(r, nodes)
		for range 20 {
			w, ok := c.decode(slices.Insert(slices.Clone(b), r.IntN(len(b)+1), byte(r.Uint32())))
			has := map[int]bool{}
			for _, x := range w.keys() {
				has[x] = true
			}
			for _, x := range v.keys() {
				s.count(ok && has[x])
			}
		}
	}
	return s.value()
}

// grown returns the share of the engine's mutants of a tree of 20 nodes that have more.
func grown(c coder, n int) float64 {
	r := rand.New(rand.NewPCG(5, 3))
	var s share
	for range n {
		b, v := c.encode(r, 20)
		for range 4 {
			for _, b := range engineMutants(b) {
				w, ok := c.decode(b)
				s.count(ok && w.size() > v.size())
			}
		}
	}
	return s.value()
}

// distinct returns the share of the engine's mutants of trees of 20 nodes that give a new
// tree: no earlier mutant, nor the origin of one, gave it. Each encoding starts so many
// chains. Mutants of equal bytes count once.
func distinct(c coder, n, chains int) float64 {
	r := rand.New(rand.NewPCG(5, 4))
	s := newSeen()
	for range n {
		b, v := c.encode(r, 20)
		s.start(b, v)
		for range chains {
			for _, b := range engineMutants(b) {
				s.count(c, b)
			}
		}
	}
	return s.value()
}

// distinctOfKept does the same with corpus entries that evolve: in each generation, a mutant
// that gave a new tree replaces its origin.
func distinctOfKept(c coder, n, generations int) float64 {
	r := rand.New(rand.NewPCG(5, 5))
	s := newSeen()
	for range n {
		b, v := c.encode(r, 20)
		s.start(b, v)
		for range generations {
			var kept [][]byte
			for _, b := range engineMutants(b) {
				if s.count(c, b) {
					kept = append(kept, b)
				}
			}
			if len(kept) > 0 {
				b = kept[r.IntN(len(kept))]
			}
		}
	}
	return s.value()
}

// seen counts the distinct bytes that give new trees.
type seen struct {
	share
	bytes, trees map[string]bool
}

func newSeen() *seen { return &seen{bytes: map[string]bool{}, trees: map[string]bool{}} }

// start records the origin of mutants, which does not count.
func (s *seen) start(b []byte, v *tree) { s.bytes[string(b)], s.trees[v.key()] = true, true }

// count reports whether b gives a new tree.
func (s *seen) count(c coder, b []byte) bool {
	if s.bytes[string(b)] {
		return false
	}
	s.bytes[string(b)] = true
	v, ok := c.decode(b)
	isNew := ok && !s.trees[v.key()]
	if ok {
		s.trees[v.key()] = true
	}
	s.share.count(isNew)
	return isNew
}

// codecSizes returns the mean sizes of the trees of random bytes and of random choices.
func codecSizes(r run) (ofBytes, ofChoices figure, err error) {
	rnd, g, n := rand.New(rand.NewPCG(5, 6)), genTree(0, bound), 500*pick(r, codecTrees, codecTrees/10)
	size := func(src choices.Source) float64 {
		v, _, err := bigen.Run(g, src)
		if err != nil {
			panic(err)
		}
		return float64(v.size()) / float64(n)
	}
	for range n {
		ofBytes.value += size(choices.FromBytes(randomBytes(rnd, rnd.IntN(512))))
		ofChoices.value += size(choices.Random(rnd))
	}
	return ofBytes, ofChoices, nil
}

// share is the share of cases in which something holds.
type share struct{ yes, all int }

func (s *share) count(yes bool) {
	s.all++
	if yes {
		s.yes++
	}
}

func (s *share) value() float64 { return float64(s.yes) / float64(s.all) }
