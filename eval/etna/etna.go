// Package etna describes the mutants of three workloads of ETNA as bugs, each by one property.
// Package etna/bst has search trees, etna/rbt red-black trees, and etna/stlc lambda terms. The
// programs are written anew. The mutants, their names, the properties and the constructed inputs
// come from ETNA:
//
//   - Jessica Shi, Alperen Keles, Harrison Goldstein, Benjamin C. Pierce and Leonidas Lampropoulos,
//     Etna: An Evaluation Platform for Property-Based Testing (Experience Report), ICFP 2023
//
// This package makes bugs of mutants of trees, each of them twice: etna-bst/insert_1 has trees that
// are made by insertions, and etna-bst-naive/insert_1 has any trees, and a filter keeps the
// valid ones.
package etna

import (
	"cmp"
	"slices"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

// Source is who has documented the mutants.
const Source = "jwshii/etna; Shi et al., Etna, ICFP 2023"

// A Program is one that works on trees.
type Program struct {
	Name    string
	Colored bool                                     // whether some nodes are red
	Insert  func(t *Node, key int, value bool) *Node // without bugs
	Valid   func(t *Node) bool
}

// An edit is a call of an insertion or a deletion, whose tree is made of an S.
type edit[S any] struct {
	Tree  S
	Entry entry
}

// A union is a call of a union.
type union[S any] struct{ A, B S }

// A strategy is a way to make valid trees.
type strategy[S any] struct {
	name  string
	gen   bigen.Gen[S]
	rapid *rapid.Generator[S]
	valid func(S) bool
	tree  func(S) *Node
}

// Insertion returns the bugs of an insertion that is wrong.
func (p Program) Insertion(
	name, title string, insert func(t *Node, key int, value bool) *Node,
) []bug.Bug {
	return p.edits(name, title, insert, func(e entry) []entry { return []entry{e} })
}

// Deletion returns the bugs of a deletion that is wrong.
func (p Program) Deletion(name, title string, remove func(t *Node, key int) *Node) []bug.Bug {
	return p.edits(name, title, func(t *Node, key int, _ bool) *Node { return remove(t, key) },
		func(entry) []entry { return nil })
}

// Union returns the bugs of a union that is wrong. Values of a must win.
func (p Program) Union(name, title string, unite func(a, b *Node) *Node) []bug.Bug {
	return []bug.Bug{unionBug(p, p.built(), name, title, unite),
		unionBug(p, p.naive(), name, title, unite)}
}

// edits returns the bugs of an edit, after which a tree must have some entries with the key.
func (p Program) edits(
	name, title string, f func(t *Node, key int, value bool) *Node, now func(entry) []entry,
) []bug.Bug {
	return []bug.Bug{editBug(p, p.built(), name, title, f, now),
		editBug(p, p.naive(), name, title, f, now)}
}

func (p Program) built() strategy[[]entry] {
	return strategy[[]entry]{
		name:  "etna-" + p.Name,
		gen:   bigen.SliceOf(genEntry, 0, mostEntries),
		rapid: rapid.SliceOfN(rapidEntry, 0, mostEntries),
		valid: func([]entry) bool { return true },
		tree: func(all []entry) (t *Node) {
			for _, e := range all {
				t = p.Insert(t, e.Key, e.Value)
			}
			return t
		},
	}
}

func (p Program) naive() strategy[*Node] {
	return strategy[*Node]{"etna-" + p.Name + "-naive", genNode(depth, p.Colored),
		rapidNode(depth, p.Colored), p.Valid, func(t *Node) *Node { return t }}
}

func editBug[S any](
	p Program, s strategy[S], name, title string, f func(t *Node, key int, value bool) *Node,
	now func(entry) []entry,
) bug.Bug {
	return bug.New(bug.Spec[edit[S]]{
		Name: s.name + "/" + name, Title: title, Source: Source,
		Valid: func(e edit[S]) bool { return s.valid(e.Tree) },
		Fails: func(e edit[S]) string {
			t := s.tree(e.Tree)
			others := slices.DeleteFunc(t.entries(nil), func(o entry) bool { return o.Key == e.Entry.Key })
			return p.compare(f(t, e.Entry.Key, e.Entry.Value), append(others, now(e.Entry)...))
		},
		Gen: bigen.Struct(func(c *bigen.C, e *edit[S]) {
			bigen.At(c, &e.Tree, s.gen)
			bigen.At(c, &e.Entry, genEntry)
		}),
		Rapid: func(t *rapid.T) edit[S] {
			return edit[S]{s.rapid.Draw(t, "tree"), rapidEntry.Draw(t, "entry")}
		},
	})
}

func unionBug[S any](
	p Program, s strategy[S], name, title string, unite func(a, b *Node) *Node,
) bug.Bug {
	return bug.New(bug.Spec[union[S]]{
		Name: s.name + "/" + name, Title: title, Source: Source,
		Valid: func(u union[S]) bool { return s.valid(u.A) && s.valid(u.B) },
		Fails: func(u union[S]) string {
			a, b := s.tree(u.A), s.tree(u.B)
			want := a.entries(nil)
			others := slices.DeleteFunc(b.entries(nil), func(o entry) bool {
				return slices.ContainsFunc(want, func(e entry) bool { return e.Key == o.Key })
			})
			return p.compare(unite(a, b), append(want, others...))
		},
		Gen: bigen.Struct(func(c *bigen.C, u *union[S]) {
			bigen.At(c, &u.A, s.gen)
			bigen.At(c, &u.B, s.gen)
		}),
		Rapid: func(t *rapid.T) union[S] { return union[S]{s.rapid.Draw(t, "a"), s.rapid.Draw(t, "b")} },
	})
}

// compare is the property: the result is valid, and has the entries of the model. So it meets the
// postconditions, too, which say what a search in it finds.
func (p Program) compare(got *Node, want []entry) string {
	slices.SortFunc(want, func(a, b entry) int { return cmp.Compare(a.Key, b.Key) })
	switch {
	case !p.Valid(got):
		return "the result is not valid"
	case !slices.Equal(got.entries(nil), want):
		return "the result has other entries than the model"
	}
	return ""
}
