package main

import (
	"slices"
	"unicode/utf8"
)

// own are the predicates of textbooks, on flat values.
var own = []predicate{
	{name: "in range", goType: "[]int", valid: func(v []int) bool {
		return !slices.ContainsFunc(v, func(x int) bool { return x < 1 || x > 2 })
	}},
	{name: "strictly increasing", goType: "[]int", valid: func(v []int) bool {
		for i := range v {
			if i > 0 && v[i] <= v[i-1] {
				return false
			}
		}
		return true
	}},
	{name: "unique elements", goType: "[]int", valid: func(v []int) bool {
		for i := range v {
			if slices.Contains(v[:i], v[i]) {
				return false
			}
		}
		return true
	}},
	{name: "a permutation", goType: "[]int", valid: func(v []int) bool {
		for i := range v {
			if !slices.Contains(v, i) {
				return false
			}
		}
		return true
	}},
	{name: "balanced parentheses", goType: "string", letters: runes("()"), valid: func(v []int) bool {
		depth := 0
		for _, r := range v {
			switch {
			case r == '(':
				depth++
			case r != ')' || depth == 0:
				return false
			default:
				depth--
			}
		}
		return depth == 0
	}},
	{name: "positive, sum is 4", goType: "[]int", valid: func(v []int) bool {
		return !slices.ContainsFunc(v, func(x int) bool { return x < 1 }) && sum(v) == 4
	}},
	{name: "three shares, sum is 100", goType: "shares", fields: []string{"A", "B", "C"},
		valid: func(v []int) bool { return slices.Min(v) >= 0 && slices.Max(v) <= 100 && sum(v) == 100 }},
	{name: "begins with its length", goType: "[]int", valid: func(v []int) bool {
		return len(v) > 0 && v[0] == len(v)-1
	}},
	{name: "disjoint intervals", goType: "[]span", fields: []string{"Start", "End"}, list: true,
		valid: func(v []int) bool {
			for i := 0; i < len(v); i += 2 {
				if v[i] > v[i+1] || i > 0 && v[i] <= v[i-1] {
					return false
				}
			}
			return true
		}},
	{name: "heap in an array", goType: "[]int", valid: func(v []int) bool {
		for i := 1; i < len(v); i++ {
			if v[i] < v[(i-1)/2] {
				return false
			}
		}
		return true
	}},
	{name: "UTF-8", goType: "[]byte", letters: []int{'a', 0x80, 0xc3, 0xe2},
		valid: func(v []int) bool {
			b := make([]byte, len(v))
			for i, x := range v {
				b[i] = byte(x)
			}
			return utf8.Valid(b)
		}},
	{name: "checksum by 10", goType: "[]int", letters: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		valid: func(v []int) bool { return sum(v)%10 == 0 }},
	{name: "palindrome", goType: "string", letters: runes("ab"), valid: func(v []int) bool {
		for i := range v {
			if v[i] != v[len(v)-1-i] {
				return false
			}
		}
		return true
	}},
}

// A tree is a binary tree with what the usual invariants need.
type tree struct {
	Key  int
	Red  bool
	L, R *tree
}

// A treePredicate is a predicate of trees.
type treePredicate struct {
	name  string
	valid func(*tree) bool
}

// ownTrees are the predicates of textbooks on trees.
var ownTrees = []treePredicate{
	{"search tree", func(t *tree) bool { return searchTree(t, nil, nil) && black(t) }},
	{"heap-ordered tree", func(t *tree) bool { return heapOrdered(t) && black(t) }},
	{"perfect tree", func(t *tree) bool { return rank(t, false, same) >= 0 && black(t) }},
	{"AVL tree", func(t *tree) bool {
		balanced := func(l, r int) bool { return l-r >= -1 && l-r <= 1 }
		return searchTree(t, nil, nil) && rank(t, false, balanced) >= 0 && black(t)
	}},
	{"red-black tree", func(t *tree) bool {
		return searchTree(t, nil, nil) && (t == nil || !t.Red) && noRedRed(t) &&
			rank(t, true, same) >= 0
	}},
}

func searchTree(t, above, below *tree) bool {
	return t == nil || (above == nil || t.Key > above.Key) && (below == nil || t.Key < below.Key) &&
		searchTree(t.L, above, t) && searchTree(t.R, t, below)
}

func heapOrdered(t *tree) bool {
	return t == nil || (t.L == nil || t.L.Key >= t.Key) && (t.R == nil || t.R.Key >= t.Key) &&
		heapOrdered(t.L) && heapOrdered(t.R)
}

func black(t *tree) bool { return t == nil || !t.Red && black(t.L) && black(t.R) }

func noRedRed(t *tree) bool {
	return t == nil || !(t.Red && (t.L != nil && t.L.Red || t.R != nil && t.R.Red)) &&
		noRedRed(t.L) && noRedRed(t.R)
}

// rank returns the height, or the number of black nodes on the way to a leaf, or -1 if the ranks
// of two siblings do not fit.
func rank(t *tree, onlyBlack bool, fit func(l, r int) bool) int {
	if t == nil {
		return 0
	}
	l, r := rank(t.L, onlyBlack, fit), rank(t.R, onlyBlack, fit)
	if l < 0 || r < 0 || !fit(l, r) {
		return -1
	}
	if onlyBlack && t.Red {
		return max(l, r)
	}
	return max(l, r) + 1
}

func sum(v []int) (s int) {
	for _, x := range v {
		s += x
	}
	return s
}

func same(l, r int) bool { return l == r }
