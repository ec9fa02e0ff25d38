package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
)

// A keyRule says how the range of keys of a subtree follows from its parent: an end is that of the
// parent's range, the parent's key, or the next one.
type keyRule struct{ lo, hi int }

// A treeTemplate makes trees by what it passes down: the range of keys, the rank, and whether the
// parent is red.
type treeTemplate struct {
	left, right keyRule
	ranks       int // 0: any shape; 1: siblings have the same rank; 2: ranks that differ by 1 at most
	colors      int // 0: all black; 1: any; 2: no red node below a red one; 3: and a black root
	onlyBlack   bool
}

// treeTemplates returns all, the simplest first.
func treeTemplates() (all []treeTemplate) {
	for colors := range 4 {
		for ranks := range 3 {
			for _, onlyBlack := range []bool{false, true} {
				if onlyBlack && (colors == 0 || ranks == 0) {
					continue
				}
				for i := range 81 {
					all = append(all, treeTemplate{keyRule{i % 3, i / 3 % 3}, keyRule{i / 9 % 3, i / 27},
						ranks, colors, onlyBlack})
				}
			}
		}
	}
	return all
}

type passed struct {
	lo, hi, rank, depth int
	red                 bool
}

func (r keyRule) of(p passed, key int) passed {
	p.lo = []int{p.lo, key, key + 1}[r.lo]
	p.hi = []int{p.hi, key, key - 1}[r.hi]
	return p
}

// gen makes trees with keys from lo to hi, whose rank is at most 3 if ranks matter.
func (t treeTemplate) gen(lo, hi int) bigen.Gen[*tree] {
	top := passed{lo: lo, hi: hi, red: t.colors == 3}
	if t.ranks == 0 {
		return t.sub(top)
	}
	var alts []bigen.Alt[*tree]
	for top.rank = range 4 {
		alts = append(alts, bigen.Tag(fmt.Sprint("rank ", top.rank), t.sub(top)))
	}
	return bigen.Pick(alts...)
}

func (t treeTemplate) sub(p passed) bigen.Gen[*tree] {
	return bigen.Lazy(func() bigen.Gen[*tree] {
		var alts []bigen.Alt[*tree]
		if t.ranks == 0 || p.rank == 0 {
			alts = append(alts, bigen.Tag("nil", bigen.Nil[tree]()))
		}
		weight := 3.0
		if p.depth > 2 {
			weight = 0.3
		}
		node := func(tag string, red bool, l, r int) {
			alts = append(alts, bigen.Tag(tag, bigen.New(func(c *bigen.C, n *tree) {
				n.Red = red
				bigen.At(c, &n.Key, bigen.IntRange(p.lo, p.hi))
				down := passed{p.lo, p.hi, l, p.depth + 1, red && t.colors > 1}
				bigen.At(c, &n.L, t.sub(t.left.of(down, n.Key)))
				down.rank = r
				bigen.At(c, &n.R, t.sub(t.right.of(down, n.Key)))
			})).Weight(weight))
		}
		for _, red := range []bool{false, true} {
			if p.lo > p.hi || red && (t.colors == 0 || p.red) {
				continue
			}
			rank := p.rank - 1
			if red && t.onlyBlack {
				rank++
			}
			if t.ranks == 0 {
				rank = 0
			}
			if rank < 0 {
				continue
			}
			tag := map[bool]string{false: "black", true: "red"}[red]
			node(tag, red, rank, rank)
			if t.ranks == 2 && rank > 0 {
				node(tag+", left", red, rank, rank-1)
				node(tag+", right", red, rank-1, rank)
			}
		}
		if len(alts) == 0 { // no key is left
			return bigen.SuchThat(bigen.Nil[tree](), func(*tree) bool { return false })
		}
		return bigen.Pick(alts...)
	})
}

func (t treeTemplate) describe() string {
	ends := func(r keyRule) string {
		return []string{"lo", "key", "key+1"}[r.lo] + ".." + []string{"hi", "key", "key-1"}[r.hi]
	}
	s := "keys: left " + ends(t.left) + ", right " + ends(t.right)
	s += []string{"", "; equal ranks", "; ranks within 1"}[t.ranks]
	if t.onlyBlack {
		s += " of black nodes"
	}
	return s + []string{"", "; any colors", "; no red below red", "; no red below red or on top"}[t.colors]
}

// smallTrees returns all trees of up to n nodes, with two colors and keys from 0 to keys-1.
func smallTrees(n, keys int) (all []*tree) {
	bySize := [][]*tree{{nil}}
	for size := 1; size <= n; size++ {
		var some []*tree
		for left := range size {
			for _, l := range bySize[left] {
				for _, r := range bySize[size-1-left] {
					for key := range keys {
						some = append(some, &tree{key, false, l, r}, &tree{key, true, l, r})
					}
				}
			}
		}
		bySize = append(bySize, some)
	}
	for _, some := range bySize {
		all = append(all, some...)
	}
	return all
}

// wideTrees makes all trees of a few levels.
func wideTrees(levels int) bigen.Gen[*tree] {
	if levels == 0 {
		return bigen.Nil[tree]()
	}
	return bigen.Pick(
		bigen.Tag("nil", bigen.Nil[tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *tree) {
			bigen.At(c, &t.Key, bigen.IntRange(0, 3))
			bigen.At(c, &t.Red, bigen.Bool())
			bigen.At(c, &t.L, wideTrees(levels-1))
			bigen.At(c, &t.R, wideTrees(levels-1))
		})),
	)
}

// searchTrees finds a template that agrees with all small trees, and passes the checks.
func searchTrees(valid func(*tree) bool) (d *derived[*tree], tried int, why string) {
	all := smallTrees(3, 4)
	r := rand.New(rand.NewPCG(1, 1))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var good, bad []*tree
	for _, t := range all {
		if valid(t) {
			good = append(good, t)
		} else {
			bad = append(bad, t)
		}
	}
	agrees := func(g bigen.Gen[*tree]) bool {
		for i := range max(len(good), len(bad)) {
			if i < len(good) && bigen.Check(g, good[i]) != nil ||
				i < len(bad) && bigen.Check(g, bad[i]) == nil {
				return false
			}
		}
		return true
	}
	why = "no template agrees with the small trees"
	for _, t := range treeTemplates() {
		tried++
		if !agrees(t.gen(0, 3)) {
			continue
		}
		g := t.gen(-1000, 1000)
		if why = passes(g, valid, wideTrees(3)); why == "" {
			return &derived[*tree]{gen: g, kind: "trees", text: t.describe()}, tried, ""
		}
	}
	return nil, tried, why
}
