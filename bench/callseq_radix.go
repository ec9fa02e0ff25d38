package main

import (
	"maps"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/seqbugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

var radixKeys = []string{"a", "aa", "aaa", "ab", "b", "ba", "bab"}

type radixTree struct {
	model map[string]int
	tree  *seqbugs.Radix
}

type radixTxn struct {
	model map[string]int
	txn   *seqbugs.Txn
}

func ourSeqRadix(c *callseq.C) {
	trees, txns := callseq.NewPool[*radixTree](c, "tree"), callseq.NewPool[*radixTxn](c, "txn")
	key, value := bigen.OneOf(radixKeys...), bigen.IntRange(0, 9)
	c.Op("seqbugs.NewRadix", func() {
		tree := trees.Add(&radixTree{model: map[string]int{}})
		c.Do(func() { tree.tree = seqbugs.NewRadix() })
	})
	c.Op("tree.Get", func() {
		tree, k := trees.Draw("tree"), callseq.Arg(c, "k", key)
		v, ok := tree.model[k]
		c.Want(v, ok)
		c.Do(func() { c.Got(tree.tree.Get(k)) })
	}).When(trees.Any)
	c.Op("tree.Txn", func() {
		tree := trees.Draw("tree")
		txn := txns.Add(&radixTxn{model: maps.Clone(tree.model)})
		c.Do(func() { txn.txn = tree.tree.Txn() })
	}).When(trees.Any)
	c.Op("txn.Insert", func() {
		txn, k, v := txns.Draw("txn"), callseq.Arg(c, "k", key), callseq.Arg(c, "v", value)
		txn.model[k] = v
		c.Do(func() { txn.txn.Insert(k, v) })
	}).When(txns.Any)
	c.Op("txn.Delete", func() {
		txn, k := txns.Draw("txn"), callseq.Arg(c, "k", key)
		_, ok := txn.model[k]
		delete(txn.model, k)
		c.Want(ok)
		c.Do(func() { c.Got(txn.txn.Delete(k)) })
	}).When(txns.Any)
	c.Op("txn.Get", func() {
		txn, k := txns.Draw("txn"), callseq.Arg(c, "k", key)
		v, ok := txn.model[k]
		c.Want(v, ok)
		c.Do(func() { c.Got(txn.txn.Get(k)) })
	}).When(txns.Any)
	c.Op("txn.Commit", func() {
		txn := txns.Draw("txn")
		tree := trees.Add(&radixTree{model: maps.Clone(txn.model)})
		c.Do(func() { tree.tree = txn.txn.Commit() })
	}).When(txns.Any)
}

func rapidSeqRadix(t *rapid.T) {
	var trees []*radixTree
	var txns []*radixTxn
	key, value := rapid.SampledFrom(radixKeys), rapid.IntRange(0, 9)
	someTree := func(t *rapid.T) *radixTree {
		if len(trees) == 0 {
			t.Skip("no tree")
		}
		return rapid.SampledFrom(trees).Draw(t, "tree")
	}
	someTxn := func(t *rapid.T) *radixTxn {
		if len(txns) == 0 {
			t.Skip("no transaction")
		}
		return rapid.SampledFrom(txns).Draw(t, "txn")
	}
	t.Repeat(map[string]func(*rapid.T){
		"NewRadix": func(t *rapid.T) {
			trees = append(trees, &radixTree{map[string]int{}, seqbugs.NewRadix()})
		},
		"Tree.Get": func(t *rapid.T) {
			tree, k := someTree(t), key.Draw(t, "k")
			want, found := tree.model[k]
			if got, ok := tree.tree.Get(k); got != want || ok != found {
				t.Fatalf("Get(%q) is %d, %t; want %d, %t", k, got, ok, want, found)
			}
		},
		"Txn": func(t *rapid.T) {
			tree := someTree(t)
			txns = append(txns, &radixTxn{maps.Clone(tree.model), tree.tree.Txn()})
		},
		"Insert": func(t *rapid.T) {
			txn, k, v := someTxn(t), key.Draw(t, "k"), value.Draw(t, "v")
			txn.model[k] = v
			txn.txn.Insert(k, v)
		},
		"Delete": func(t *rapid.T) {
			txn, k := someTxn(t), key.Draw(t, "k")
			_, found := txn.model[k]
			delete(txn.model, k)
			if ok := txn.txn.Delete(k); ok != found {
				t.Fatalf("Delete(%q) is %t; want %t", k, ok, found)
			}
		},
		"Txn.Get": func(t *rapid.T) {
			txn, k := someTxn(t), key.Draw(t, "k")
			want, found := txn.model[k]
			if got, ok := txn.txn.Get(k); got != want || ok != found {
				t.Fatalf("Get(%q) is %d, %t; want %d, %t", k, got, ok, want, found)
			}
		},
		"Commit": func(t *rapid.T) {
			txn := someTxn(t)
			trees = append(trees, &radixTree{maps.Clone(txn.model), txn.txn.Commit()})
		},
	})
}
