// Package iradix has bugs of github.com/hashicorp/go-immutable-radix/v2.
package iradix

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	iradix "github.com/hashicorp/go-immutable-radix/v2"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/go-immutable-radix"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[seeks]{
		Name:   "go-immutable-radix/1",
		Title:  "an iterator that seeks again panics, or starts from the wrong node",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, s *seeks) {
			bigen.At(c, &s.Keys, genKeys)
			bigen.At(c, &s.Seeks, bigen.SliceOf(bigen.Struct(func(c *bigen.C, s *seek) {
				bigen.At(c, &s.Bound, bigen.Bool())
				bigen.At(c, &s.Key, genKey)
			}), 0, 4))
		}),
		Rapid: func(t *rapid.T) seeks {
			key := rapid.StringMatching(keys)
			return seeks{rapidKeys(t), rapid.SliceOfN(rapid.Custom(func(t *rapid.T) seek {
				return seek{rapid.Bool().Draw(t, "bound"), key.Draw(t, "key")}
			}), 0, 4).Draw(t, "seeks")}
		},
		Fails: func(s seeks) string {
			it := tree(s.Keys).Root().Iterator()
			for _, seek := range s.Seeks {
				if got, want := seek.run(it), seek.want(s.Keys); !slices.Equal(got, want) {
					return fmt.Sprintf("%+v of %q finds %q, want %q", seek, s.Keys, got, want)
				}
			}
			return ""
		},
	}),
	bug.New(bug.Spec[[]string]{
		Name:   "go-immutable-radix/3",
		Title:  "WalkBackwards visits a key before those that it is a prefix of",
		Source: source,
		Gen:    genKeys,
		Rapid:  rapidKeys,
		Fails: func(keys []string) string {
			var got []string
			tree(keys).Root().WalkBackwards(func(k []byte, _ int) bool {
				got = append(got, string(k))
				return false
			})
			want := slices.Sorted(slices.Values(keys))
			if slices.Reverse(want); !slices.Equal(got, want) {
				return fmt.Sprintf("%q, want %q", got, want)
			}
			return ""
		},
	}),
	bug.NewSequences(bug.Sequences{
		Name: "go-immutable-radix/4",
		Title: "DeletePrefix does not count what it deletes from a node that the transaction " +
			"has written",
		Source: source,
		Model: callseq.New(func(c *callseq.C) {
			model := map[string]int{}
			var tx *iradix.Txn[int]
			c.Do(func() { tx = iradix.New[int]().Txn() })

			c.Op("tx.Insert", func() {
				k, v := callseq.Arg(c, "k", genKey), callseq.Arg(c, "v", bigen.IntRange(1, 99))
				old, ok := model[k]
				model[k] = v
				c.Want(old, ok)
				c.Do(func() { c.Got(tx.Insert([]byte(k), v)) })
			})
			c.Op("tx.Delete", func() {
				k := callseq.Arg(c, "k", genKey)
				old, ok := model[k]
				delete(model, k)
				c.Want(old, ok)
				c.Do(func() { c.Got(tx.Delete([]byte(k))) })
			})
			c.Op("tx.DeletePrefix", func() {
				k := callseq.Arg(c, "k", genKey)
				deletePrefix(model, k)
				c.Do(func() { tx.DeletePrefix([]byte(k)) })
			})
			c.Op("tx.Commit", func() {
				c.Want(len(model), list(model))
				c.Do(func() {
					tree := tx.Commit()
					tx = tree.Txn()
					c.Got(tree.Len(), listTree(tree))
				})
			})
		}),
		Rapid: func(t *rapid.T, calls *int) {
			*calls++ // what makes the tree counts, as in a callseq.Calls
			model, tx, key := map[string]int{}, iradix.New[int]().Txn(), rapid.StringMatching(keys)
			t.Repeat(map[string]func(*rapid.T){
				"Insert": func(t *rapid.T) {
					*calls++
					k, v := key.Draw(t, "k"), rapid.IntRange(1, 99).Draw(t, "v")
					old, ok := model[k]
					model[k] = v
					if got, gotOK := tx.Insert([]byte(k), v); got != old || gotOK != ok {
						t.Fatalf("Insert(%q) = %d, %t; want %d, %t", k, got, gotOK, old, ok)
					}
				},
				"Delete": func(t *rapid.T) {
					*calls++
					k := key.Draw(t, "k")
					old, ok := model[k]
					delete(model, k)
					if got, gotOK := tx.Delete([]byte(k)); got != old || gotOK != ok {
						t.Fatalf("Delete(%q) = %d, %t; want %d, %t", k, got, gotOK, old, ok)
					}
				},
				"DeletePrefix": func(t *rapid.T) {
					*calls++
					k := key.Draw(t, "k")
					deletePrefix(model, k)
					tx.DeletePrefix([]byte(k))
				},
				"Commit": func(t *rapid.T) {
					*calls++
					tree := tx.Commit()
					tx = tree.Txn()
					if got, want := listTree(tree), list(model); tree.Len() != len(model) || got != want {
						t.Fatalf("%d keys %s, want %s", tree.Len(), got, want)
					}
				},
			})
		},
	}),
}

const keys = `[ab/]{0,4}`

var (
	genKey  = bigen.Matching(keys)
	genKeys = bigen.Distinct(genKey, 0, 6)
)

func rapidKeys(t *rapid.T) []string {
	return rapid.SliceOfNDistinct(rapid.StringMatching(keys), 0, 6, rapid.ID[string]).Draw(t, "keys")
}

func tree(keys []string) *iradix.Tree[int] {
	t := iradix.New[int]()
	for i, k := range keys {
		t, _, _ = t.Insert([]byte(k), i)
	}
	return t
}

// seeks are what one iterator seeks, one after another.
type seeks struct {
	Keys  []string
	Seeks []seek
}

// A seek is for the keys with a prefix, or, with a bound, for those that are not less.
type seek struct {
	Bound bool
	Key   string
}

func (s seek) run(it *iradix.Iterator[int]) (found []string) {
	if s.Bound {
		it.SeekLowerBound([]byte(s.Key))
	} else {
		it.SeekPrefix([]byte(s.Key))
	}
	for k, _, ok := it.Next(); ok; k, _, ok = it.Next() {
		found = append(found, string(k))
	}
	return found
}

func (s seek) want(keys []string) (found []string) {
	for _, k := range slices.Sorted(slices.Values(keys)) {
		if s.Bound && k >= s.Key || !s.Bound && strings.HasPrefix(k, s.Key) {
			found = append(found, k)
		}
	}
	return found
}

func deletePrefix(model map[string]int, prefix string) {
	maps.DeleteFunc(model, func(k string, _ int) bool { return strings.HasPrefix(k, prefix) })
}

// list writes the keys and values, in order.
func list(model map[string]int) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(model)) {
		fmt.Fprintf(&b, "%s=%d;", k, model[k])
	}
	return b.String()
}

func listTree(t *iradix.Tree[int]) string {
	var b strings.Builder
	t.Root().Walk(func(k []byte, v int) bool {
		fmt.Fprintf(&b, "%s=%d;", k, v)
		return false
	})
	return b.String()
}
