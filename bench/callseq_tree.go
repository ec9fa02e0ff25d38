package main

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/seqbugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

type ourTreeIter struct {
	at   int
	iter *seqbugs.TreeIter
}

func ourSeqTree(c *callseq.C) {
	tree, model := seqbugs.NewTree(), map[int]int{}
	keys := func() []int { return sortedKeys(model) }
	its := callseq.NewPool[*ourTreeIter](c, "it")
	key := bigen.IntRange(0, 9)
	c.Code("tree := seqbugs.NewTree()")
	c.Op("tree.Put", func() {
		k, v := callseq.Arg(c, "k", key), callseq.Arg(c, "v", key)
		its.Clear()
		model[k] = v
		c.Do(func() { tree.Put(k, v) })
	})
	c.Op("tree.Get", func() {
		k := callseq.Arg(c, "k", key)
		v, ok := model[k]
		c.Want(v, ok)
		c.Do(func() { c.Got(tree.Get(k)) })
	})
	c.Op("tree.Remove", func() {
		k := callseq.Arg(c, "k", key)
		its.Clear()
		delete(model, k)
		c.Do(func() { tree.Remove(k) })
	})
	c.Op("tree.Iter", func() {
		it := its.Add(&ourTreeIter{at: -1})
		c.Do(func() { it.iter = tree.Iter() })
	})
	c.Op("it.Next", func() {
		it := its.Draw("it")
		it.at = min(it.at+1, len(model))
		c.Want(at(keys(), it.at))
		c.Do(func() { c.Got(it.iter.Next()) })
	}).When(its.Any)
	c.Op("it.Prev", func() {
		it := its.Draw("it")
		it.at = max(it.at-1, -1)
		c.Want(at(keys(), it.at))
		c.Do(func() { c.Got(it.iter.Prev()) })
	}).When(its.Any)
}

type rapidTreeIter struct {
	at   int
	iter *seqbugs.TreeIter
}

func rapidSeqTree(t *rapid.T) {
	tree, model := seqbugs.NewTree(), map[int]int{}
	keys := func() []int { return sortedKeys(model) }
	var its []*rapidTreeIter
	iter := func(t *rapid.T) *rapidTreeIter {
		if len(its) == 0 {
			t.Skip("no iterator")
		}
		return its[rapid.IntRange(0, len(its)-1).Draw(t, "it")]
	}
	key := rapid.IntRange(0, 9)
	t.Repeat(map[string]func(*rapid.T){
		"Put": func(t *rapid.T) {
			k, v := key.Draw(t, "k"), key.Draw(t, "v")
			its = nil
			model[k] = v
			tree.Put(k, v)
		},
		"Get": func(t *rapid.T) {
			k := key.Draw(t, "k")
			want, found := model[k]
			if got, ok := tree.Get(k); got != want || ok != found {
				t.Fatalf("Get(%d) is %d, %t; want %d, %t", k, got, ok, want, found)
			}
		},
		"Remove": func(t *rapid.T) {
			k := key.Draw(t, "k")
			its = nil
			delete(model, k)
			tree.Remove(k)
		},
		"Iter": func(t *rapid.T) {
			its = append(its, &rapidTreeIter{-1, tree.Iter()})
		},
		"Next": func(t *rapid.T) {
			it := iter(t)
			it.at = min(it.at+1, len(model))
			want, found := at(keys(), it.at)
			if got, ok := it.iter.Next(); got != want || ok != found {
				t.Fatalf("Next is %d, %t; want %d, %t", got, ok, want, found)
			}
		},
		"Prev": func(t *rapid.T) {
			it := iter(t)
			it.at = max(it.at-1, -1)
			want, found := at(keys(), it.at)
			if got, ok := it.iter.Prev(); got != want || ok != found {
				t.Fatalf("Prev is %d, %t; want %d, %t", got, ok, want, found)
			}
		},
	})
}

func sortedKeys(m map[int]int) []int {
	var keys []int
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// at returns keys[i], if there is one.
func at(keys []int, i int) (int, bool) {
	if i < 0 || i >= len(keys) {
		return 0, false
	}
	return keys[i], true
}
