package challenge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
)

// Further returns challenges of our own. Each needs what a pass of the minimizer is for.
func Further() []Challenge {
	return slices.Concat(apart(), positions(), magnitudes(), globs(),
		trees(), links(), related(), texts(), mapsAndSets(), references(), alternatives(), floats())
}

// trees returns challenges with bounds that depend on parents.
func trees() []Challenge {
	bst := bigen.Iso(bsttest.Gen(-1000, 1000), show, unshow)
	smallTrees := bigen.ArrayOf[[2]shown](bigen.Iso(bsttest.Gen(0, 3), show, unshow))
	return []Challenge{
		of("tree/gap", 0, bst, func(t shown) bool { return gap(t.Keys(), 7) }, "(. 0 (. 7 .))",
			"((. -7 .) 0 .)"),
		of("tree/zigzag", 0, bst, func(t shown) bool { return zigzag(t.Tree) },
			"(. 0 ((. 1 .) 2 .))", "((. 0 (. 1 .)) 2 .)", "((. -2 (. -1 .)) 0 .)", "(. -2 ((. -1 .) 0 .))"),
		of("tree/large key", 0, bst, func(t shown) bool {
			k := t.Keys()
			return len(k) > 0 && k[len(k)-1] >= 500
		}, "(. 500 .)"),
		of("tree/two small keys", 0, bst,
			func(t shown) bool { k := t.Keys(); return len(k) > 1 && k[1] < -20 },
			"(. -22 (. -21 .))", "((. -22 .) -21 .)"),
		of("tree/equal", 0, smallTrees, func(t [2]shown) bool {
			return len(t[0].Keys()) >= 2 && t[0].String() == t[1].String()
		}, "[(. 0 (. 1 .)) (. 0 (. 1 .))]", "[((. 0 .) 1 .) ((. 0 .) 1 .)]"),
	}
}

// links returns challenges with pointers to the own type, where there is no Pick at the root.
func links() []Challenge {
	return []Challenge{
		of("links/large", 0, genLink(),
			func(l link) bool { return l.any(func(l *link) bool { return l.X > 50 }) }, "51"),
		of("links/descending", 0, genLink(), func(l link) bool {
			return l.any(func(l *link) bool { return l.Next != nil && l.X > l.Next.X })
		}, "1 0"),
		of("links/long", 0, genLink(), func(l link) bool { return l.length() >= 4 }, "0 0 0 0"),
	}
}

// related returns challenges with integers that depend on each other.
func related() []Challenge {
	pair := bigen.ArrayOf[[2]int](bigen.IntRange(0, 100))
	list := bigen.SliceOf(bigen.IntRange(-100, 100), 0, 50)
	return []Challenge{
		of("pair/sum", 0, pair, func(p [2]int) bool { return p[0]+p[1] > 10 }, "[0 11]"),
		of("pair/sum of small", 0, pair,
			func(p [2]int) bool { return p[0]+p[1] > 10 && p[0] < 8 && p[1] < 8 }, "[4 7]"),
		of("pair/descending", 0, pair, func(p [2]int) bool { return p[0] > p[1] }, "[1 0]"),
		of("pair/ascending", 0, pair, func(p [2]int) bool { return p[0] < p[1] && p[0] > 9 }, "[10 11]"),
		of("pair/unequal", 0, pair, func(p [2]int) bool { return p[0] != p[1] }, "[0 1]"),
		of("list/sum", 0, list, func(l []int) bool { return sum(l) > 150 }, "[51 100]"),
		of("list/sum of three", 0, list, func(l []int) bool { return len(l) > 2 && sum(l) > 50 },
			"[0 0 51]"),
		of("list/unsorted", 0, list, func(l []int) bool { return !slices.IsSorted(l) }, "[0 -1]"),
		of("list/equal, not 0", 0, list, func(l []int) bool { return equals(l) >= 2 }, "[1 1]"),
		of("list/cancels", 0, list, func(l []int) bool {
			return len(l) > 0 && sum(l) == 0 && !slices.Contains(l, 0)
		}, "[1 -1]"),
		of("list/balanced", 0, list, func(l []int) bool {
			return len(l) > 1 && l[0] == -l[1] && l[0] > 7
		}, "[8 -8]"),
		of("list/odd", 0, list, func(l []int) bool {
			return slices.ContainsFunc(l, func(n int) bool { return n%2 != 0 && n > 9 })
		}, "[11]"),
	}
}

// texts returns challenges with texts.
func texts() []Challenge {
	text := bigen.String(30)
	ab := bigen.StringOf(choices.Chars("abc"), 0, 8)
	return []Challenge{
		of("text/twice", 0, text, func(s string) bool { return twice(s) }, "aa"),
		of("text/unsorted", 0, text, func(s string) bool {
			return !slices.IsSortedFunc([]rune(s), plainer)
		}, "ba"),
		of("text/three runes", 0, text, func(s string) bool { return len(distinctRunes(s)) >= 3 }, "abc"),
		of("text/palindrome", 0, ab, func(s string) bool {
			return len(s) >= 3 && s == reversed(s) && len(distinctRunes(s)) > 1
		}, "aba"),
		of("text/equal", 0, bigen.ArrayOf[[2]string](ab),
			func(s [2]string) bool { return len(s[0]) >= 3 && s[0] == s[1] }, "[aaa aaa]"),
		of("text/equal, not plain", 0, bigen.ArrayOf[[2]string](ab), func(s [2]string) bool {
			return len(s[0]) >= 2 && s[0] == s[1] && strings.ContainsAny(s[0], "bc")
		}, "[ab ab]"),
		of("text/list", 0, bigen.SliceOf(text, 0, 20),
			func(l []string) bool { return len([]rune(strings.Join(l, ""))) > 4 }, "[aaaaa]"),
	}
}

// mapsAndSets returns challenges with maps and sets.
func mapsAndSets() []Challenge {
	percent := bigen.IntRange(0, 100)
	text := bigen.String(30)
	return []Challenge{
		of("map/sum", 0, bigen.MapOf(text, percent, 0, 20), func(m map[string]int) bool {
			n := 0
			for _, v := range m {
				n += v
			}
			return n > 120
		}, "map[:21 a:100]"),
		of("map/nested", 0,
			bigen.MapOf(bigen.IntRange(0, 9), bigen.MapOf(bigen.IntRange(0, 9), percent, 0, 9), 0,
				9), func(m map[int]map[int]int) bool {
				for k, v := range m {
					if k > 0 && v[k] > 5 {
						return true
					}
				}
				return false
			}, "map[1:map[1:6]]"),
		of("set", 0, bigen.SetOf(percent, 0, 20),
			func(m map[int]struct{}) bool { return len(m) >= 4 }, "map[0:{} 1:{} 2:{} 3:{}]"),
	}
}

// references returns challenges with references by position, and lengths.
func references() []Challenge {
	return []Challenge{
		of("graph/chain", 0, genGraph(), func(g []node) bool { return chain(g) >= 4 },
			"[{0 0} {0 0} {1 0} {2 0}]"),
		of("graph/weights", 0, genGraph(), func(g []node) bool {
			for i, n := range g {
				if i > 0 && n.Weight+g[n.Ref].Weight > 100 && n.Ref > 0 {
					return true
				}
			}
			return false
		}, "[{0 0} {0 1} {1 100}]"),
		of("lengths/last", 0, genLengthList(),
			func(l lengthList) bool { return l.List[len(l.List)-1] >= 900 }, "[900]"),
		of("lengths/long", 0, genLengthList(),
			func(l lengthList) bool { return l.List[len(l.List)-1] >= 900 && l.Length > 4 },
			"[0 0 0 0 900]"),
	}
}

// alternatives returns challenges with alternatives, and parts to hoist.
func alternatives() []Challenge {
	return []Challenge{
		of("kinds", 0, genKinds(), func(k kind) bool {
			return k.Kind != "a" && k.Kind != "b" && k.N >= 10
		}, "{c 10}"),
		of("expr/nested", 0, genExpr(), func(e Expr) bool {
			return anyExpr(e, func(e Expr) bool {
				a, _ := e.(Add)
				return anyExpr(a.L, isDiv) && anyExpr(a.R, isDiv)
			})
		}, "((0 / 0) + (0 / 0))"),
		of("expr/twice", 0, exprs(bigen.IntRange[Num](0, 3)), func(e Expr) bool {
			return anyExpr(e, func(e Expr) bool {
				d, ok := e.(Div)
				_, leaf := d.L.(Num)
				return ok && !leaf && fmt.Sprint(d.L) == fmt.Sprint(d.R)
			})
		}, "((0 + 0) / (0 + 0))"),
		of("expr/value", 0, genExpr(),
			func(e Expr) bool {
				n, ok := eval(e)
				_, leaf := e.(Num)
				return ok && !leaf && n > 1000
			}, "(0 + 1001)", "(-1001 / -1)"),
		of("stack", 0, bigen.SliceOf(genOp(), 0, 50), stackFails, "[push 0 push 1 pop pop]"),
	}
}

// floats returns challenges with floats.
func floats() []Challenge {
	return []Challenge{
		of("floats/sum", 0, bigen.SliceOf(bigen.FloatRange(-1000., 1000), 0, 20), func(f []float64) bool {
			s := 0.
			for _, x := range f {
				s += x
			}
			return s > 1500
		}, "[501 1000]"),
	}
}

// shown is a search tree that prints as one.
type shown struct{ *bsttest.Tree }

func show(t *bsttest.Tree) shown           { return shown{t} }
func unshow(t shown) (*bsttest.Tree, bool) { return t.Tree, true }

func (t shown) String() string {
	if t.Tree == nil {
		return "."
	}
	return fmt.Sprintf("(%v %d %v)", shown{t.L}, t.X, shown{t.R})
}

func gap(keys []int, n int) bool {
	for i := 1; i < len(keys); i++ {
		if keys[i]-keys[i-1] == n {
			return true
		}
	}
	return false
}

// zigzag reports whether a node has a left child with a right child, or the reverse.
func zigzag(t *bsttest.Tree) bool {
	return t != nil && (t.L != nil && t.L.R != nil || t.R != nil && t.R.L != nil || zigzag(t.L) ||
		zigzag(t.R))
}

type link struct {
	X    int
	Next *link
}

func genLink() bigen.Gen[link] {
	return bigen.For[link](bigen.With(bigen.IntRange(0, 1000)))
}

func (l link) String() string {
	if l.Next == nil {
		return fmt.Sprint(l.X)
	}
	return fmt.Sprint(l.X, " ", l.Next.String())
}

func (l *link) any(ok func(*link) bool) bool { return l != nil && (ok(l) || l.Next.any(ok)) }

func (l *link) length() int {
	if l == nil {
		return 0
	}
	return 1 + l.Next.length()
}

func sum(l []int) (n int) {
	for _, x := range l {
		n += x
	}
	return n
}

// equals returns how often the integer other than 0 occurs that occurs most often.
func equals(l []int) (most int) {
	count := map[int]int{}
	for _, n := range l {
		if n != 0 {
			count[n]++
			most = max(most, count[n])
		}
	}
	return most
}

func distinctRunes(s string) map[rune]bool {
	seen := map[rune]bool{}
	for _, r := range s {
		seen[r] = true
	}
	return seen
}

func twice(s string) bool { return len(distinctRunes(s)) < len([]rune(s)) }

func reversed(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// node is a node of a graph, with a reference to an earlier one.
type node struct{ Ref, Weight int }

func genGraph() bigen.Gen[[]node] {
	return bigen.SliceBy(func(prev []node) (bigen.Gen[node], bool) {
		return bigen.Struct(func(c *bigen.C, n *node) {
			bigen.At(c, &n.Ref, bigen.IntRange(0, max(0, len(prev)-1)))
			bigen.At(c, &n.Weight, bigen.IntRange(0, 100))
		}), true
	}, 0, 30)
}

// chain returns the length of the longest chain of references to node 0.
func chain(g []node) (longest int) {
	lengths := make([]int, len(g))
	for i, n := range g {
		lengths[i] = 1
		if i > 0 {
			lengths[i] += lengths[n.Ref]
		}
		longest = max(longest, lengths[i])
	}
	return longest
}

type kind struct {
	Kind string
	N    int
}

func genKinds() bigen.Gen[kind] {
	var alts []bigen.Alt[kind]
	for _, name := range "abcdefgh" {
		alts = append(alts, bigen.Tag(string(name), bigen.Struct(func(c *bigen.C, k *kind) {
			k.Kind = string(name)
			bigen.At(c, &k.N, bigen.IntRange(0, 1000))
		})))
	}
	return bigen.Pick(alts...)
}

func isDiv(e Expr) bool { _, ok := e.(Div); return ok }

// anyExpr reports whether ok holds of a part of e.
func anyExpr(e Expr, ok func(Expr) bool) bool {
	switch x := e.(type) {
	case nil:
		return false
	case Add:
		return ok(e) || anyExpr(x.L, ok) || anyExpr(x.R, ok)
	case Div:
		return ok(e) || anyExpr(x.L, ok) || anyExpr(x.R, ok)
	}
	return ok(e)
}

// op is a call of a method of a stack.
type op struct {
	Name string
	N    int
}

func (o op) String() string {
	if o.Name == "push" {
		return fmt.Sprint("push ", o.N)
	}
	return o.Name
}

func genOp() bigen.Gen[op] {
	return bigen.Pick(
		bigen.Tag("clear", bigen.Just(op{Name: "clear"})),
		bigen.Tag("pop", bigen.Just(op{Name: "pop"})),
		bigen.Tag("push", bigen.Struct(func(c *bigen.C, o *op) {
			o.Name = "push"
			bigen.At(c, &o.N, bigen.IntRange(0, 1000))
		})))
}

// stackFails reports whether a pop gives less than the pop before it.
func stackFails(ops []op) bool {
	var stack []int
	last, popped := 0, false
	for _, o := range ops {
		switch n := len(stack) - 1; {
		case o.Name == "push":
			stack, popped = append(stack, o.N), false
		case o.Name == "clear" || n < 0:
			stack, popped = nil, false
		default:
			if popped && stack[n] < last {
				return true
			}
			last, popped, stack = stack[n], true, stack[:n]
		}
	}
	return false
}

// plainer orders runes as an alphabet does.
func plainer(a, b rune) int {
	var all *choices.Alphabet
	i, _ := all.Index(a)
	j, _ := all.Index(b)
	return i - j
}
