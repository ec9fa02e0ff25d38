package bigen_test

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// term is a small language; Seq, If and While refer to each other through stmt.
type (
	term     interface{ isTerm() }
	lit      int8
	variable string
	unary    struct{ X term }
	binop    struct {
		Op   string
		L, R term
	}
	call struct {
		Fun  string
		Args []term
	}
	lambda struct {
		Params []string
		Body   *block
	}
	index struct{ X, I term }
	cond  struct{ If, Then, Else term }

	stmt  interface{ isStmt() }
	block struct{ Stmts []stmt }
	while struct {
		Cond term
		Body stmt
	}
	branch struct {
		Cond       term
		Then, Else stmt
	}
)

func (lit) isTerm()      {}
func (variable) isTerm() {}
func (unary) isTerm()    {}
func (binop) isTerm()    {}
func (*call) isTerm()    {}
func (lambda) isTerm()   {}
func (index) isTerm()    {}
func (cond) isTerm()     {}
func (block) isStmt()    {}
func (while) isStmt()    {}
func (*branch) isStmt()  {}

// No variant of stmt stands without another stmt or an empty block.
var language = []bigen.Option{
	bigen.Variants[term](cond{}, index{}, lambda{}, (*call)(nil), binop{}, unary{}, variable(""), lit(0)),
	bigen.Variants[stmt]((*branch)(nil), while{}, block{}),
}

func (c *chain) size() int {
	if c == nil {
		return 0
	}
	return 1 + c.Tail.size()
}

func (f *fork) size() int {
	if f == nil {
		return 0
	}
	return 1 + f.L.size() + f.R.size()
}

func (b *bush) size() int {
	if b == nil {
		return 0
	}
	n := 1
	for _, kid := range b.Kids {
		n += kid.size()
	}
	return n
}

func (t triple) size() int {
	n := 1
	for _, kids := range [][]triple{t.A, t.B, t.C} {
		for _, kid := range kids {
			n += kid.size()
		}
	}
	return n
}

func (s nest) size() int {
	n := 1
	for _, kid := range s {
		n += kid.size()
	}
	return n
}

func (d dict) size() int {
	n := 1
	for _, kid := range d {
		n += kid.size()
	}
	return n
}

func (e even3) size() int {
	if e.Next == nil {
		return 1
	}
	n := 2
	if e.Next.Next != nil {
		n += e.Next.Next.size()
	}
	for _, other := range e.Next.Other {
		n += other.size()
	}
	return n
}

// Recursive types of any shape have values of moderate size, and the smallest is not
// the usual one.
func TestForSizes(t *testing.T) {
	sizes := []struct {
		name string
		draw func(r *rand.Rand) int
	}{
		{"list", sized(bigen.For[*chain](), (*chain).size)},
		{"binary tree", sized(bigen.For[*fork](), (*fork).size)},
		{"rose tree", sized(bigen.For[*bush](), (*bush).size)},
		{"three slices of itself", sized(bigen.For[triple](), triple.size)},
		{"slice of itself", sized(bigen.For[nest](), nest.size)},
		{"map of itself", sized(bigen.For[dict](), dict.size)},
		{"mutual recursion", sized(bigen.For[even3](), even3.size)},
		{"terms", counted(bigen.For[term](language...))},
		{"statements", counted(bigen.For[stmt](language...))},
		{"files", counted(bigen.For[entry](variants))},
		{"JSON", counted(bigen.For[any](anyJSON))},
		{"slices in slices", counted(bigen.For[[][][][]int]())},
		{"wide", counted(bigen.For[[4][]parts]())},
	}
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			const n = 2000
			r := rng(11)
			least, smallest, most, sum := 1<<30, 0, 0, 0
			for range n {
				size := s.draw(r)
				if size < least {
					least, smallest = size, 0
				}
				if size == least {
					smallest++
				}
				most, sum = max(most, size), sum+size
			}
			t.Logf("mean %d, at most %d, %d%% smallest (%d)", sum/n, most, 100*smallest/n, least)
			require.Greater(t, sum/n, 2)
			require.Less(t, sum/n, 150)
			require.Less(t, most, 3000)
			require.Less(t, smallest, n/2)
		})
	}
}

func sized[T any](g bigen.Gen[T], size func(T) int) func(r *rand.Rand) int {
	return func(r *rand.Rand) int { return size(bigen.Sample(g, r)) }
}

// counted counts choices.
func counted[T any](g bigen.Gen[T]) func(r *rand.Rand) int {
	return func(r *rand.Rand) int {
		_, tree, err := bigen.Run(g, choices.Random(r))
		if err != nil {
			panic(err)
		}
		return len(tree)
	}
}

// All variants occur, also deep in a value.
func TestForVariants(t *testing.T) {
	g := bigen.For[[]term](language...)
	seen := map[string]int{}
	r := rng(2)
	for range 500 {
		_, tree, err := bigen.Run(g, choices.Random(r))
		require.NoError(t, err)
		for _, c := range tree {
			seen[c.Tag]++
		}
	}
	for _, tag := range []string{"cond", "index", "lambda", "*call", "binop", "unary", "variable", "lit", "*branch", "while", "block"} {
		require.Greater(t, seen[tag], 50, tag)
	}
}

// A variant that cannot end by itself does not stay in the first place.
func TestForFirstVariant(t *testing.T) {
	tree, err := bigen.Choices(bigen.For[term](language...), term(variable("x")))
	require.NoError(t, err)
	require.Equal(t, int64(0), tree[0].N)
	v, _, err := bigen.Run(bigen.For[stmt](language...), choices.Replay(nil, nil))
	require.NoError(t, err)
	require.Equal(t, stmt(block{}), v)
}

// greedy answers at random, but picks the last alternative.
type greedy struct{ choices.Source }

func (s greedy) Pick(q *choices.Question) int {
	s.Source.Pick(q)
	return len(q.Alts) - 1
}

func TestForLimits(t *testing.T) {
	atLimits(t, "list", bigen.For[*chain]())
	atLimits(t, "tree", bigen.For[*fork]())
	atLimits(t, "rose tree", bigen.For[*bush]())
	atLimits(t, "slices of itself", bigen.For[triple]())
	atLimits(t, "map of itself", bigen.For[dict]())
	atLimits(t, "map", bigen.For[map[uint32][]int8]())
	atLimits(t, "map in slice", bigen.For[[]map[uint8]bool]())
	atLimits(t, "map of slices", bigen.For[[]struct {
		M map[int16][]bool `bigen:"len=1.."`
	}](bigen.With(bigen.SuchThat(bigen.IntRange[int16](-1000, 1000), func(n int16) bool { return n%3 != 0 }, 1))))
	atLimits(t, "mutual recursion", bigen.For[even3]())
	atLimits(t, "terms", bigen.For[term](language...))
	atLimits(t, "statements", bigen.For[stmt](language...))
	atLimits(t, "JSON", bigen.For[any](anyJSON))
	atLimits(t, "array", bigen.For[[]struct {
		Data [40_000]byte
		Next []int
	}]())
}

// atLimits checks a value that is as large as can be.
func atLimits[T any](t *testing.T, name string, g bigen.Gen[T]) {
	t.Run(name, func(t *testing.T) {
		v, tree, err := bigen.Run(g, greedy{choices.Random(rng(4))})
		require.NoError(t, err)
		again, err := bigen.Choices(g, v)
		require.NoError(t, err)
		require.True(t, equalTrees(tree, again))
		_, decoded, err := bigen.Run(g, choices.FromBytes(choices.Encode(tree)))
		require.NoError(t, err)
		require.True(t, equalTrees(tree, decoded))
		_, replayed, err := bigen.Run(g, choices.Replay(tree, nil))
		require.NoError(t, err)
		require.True(t, equalTrees(tree, replayed))
	})
}

func equalTrees(a, b choices.Tree) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Maps have one tree, whatever the order of their elements.
func TestForMapOrder(t *testing.T) {
	g := bigen.For[map[int8]string]()
	m := map[int8]string{5: "e", -3: "a", 0: "b", 2: "c", 3: "d"}
	for range 20 {
		tree, err := bigen.Choices(g, m)
		require.NoError(t, err)
		require.Equal(t, `more(-3, "a"), more(0, "b"), more(2, "c"), more(3, "d"), more(5, "e"), stop`, tree.String())
	}
	e, err := bigen.Encode(bigen.For[map[int8]string](), map[int8]string{})
	require.NoError(t, err)
	v, err := bigen.Decode(g, e)
	require.NoError(t, err)
	require.Nil(t, v)
}

// Fields are known by their names, and At knows them by the same.
func TestForSlots(t *testing.T) {
	type before struct {
		A  int8
		B  string
		Cs []bool
	}
	type after struct {
		Cs  []bool
		New uint8
		B   string
		A   int8
	}
	v := before{-7, "b", []bool{true, false, true}}
	e, err := bigen.Encode(bigen.For[before](), v)
	require.NoError(t, err)
	w, err := bigen.Decode(bigen.For[after](), e)
	require.NoError(t, err)
	require.Equal(t, v, before{w.A, w.B, w.Cs})

	s := &server{"a", 80, 1, true, []backup{{1, 2}, {3, 4}}, &server{Name: "b"}}
	derived, err := bigen.Choices(bigen.For[*server](), s)
	require.NoError(t, err)
	byHand, err := bigen.Choices(genServer(), s)
	require.NoError(t, err)
	require.Equal(t, byHand, derived)
}

func TestForConcurrently(t *testing.T) {
	type fresh struct{ T *triple }
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			r := rng(uint64(i))
			for range 50 {
				v := bigen.Sample(bigen.For[fresh](), r)
				if err := bigen.Check(bigen.For[fresh](), v); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestForErrors(t *testing.T) {
	g := bigen.For[parts]()
	cyclic := &chain{}
	cyclic.Tail = &chain{Tail: cyclic}
	self := nest{nil, nil}
	self[1] = self
	twice := dict{"a": nil}
	twice["b"], twice["c"] = twice, twice
	shared := &fork{}
	for range 60 {
		shared = &fork{L: shared, R: shared}
	}
	long := &chain{}
	for range 20_000 {
		long = &chain{Tail: long}
	}
	good := tagged{Port: 1024, Wait: 1e9, Prime: ptr(2), Rate: 1, Words: texts{""}, Nums: []*int{ptr(1), ptr(2)}, Index: map[int8]bool{1: true}, Code: "abc", Raw: []byte("ab"), Dir: file{}}
	check := func(change func(v *tagged)) error {
		v := good
		change(&v)
		return bigen.Check(bigen.For[tagged](variants), v)
	}
	require.NoError(t, check(func(*tagged) {}))
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"text", bigen.Check(g, parts{Counts: map[label]int{"a": 1, "\xff": 2}}), `at /Counts/key "\xff": "\xff" is not valid UTF-8`},
		{"element", bigen.Check(bigen.For[[]tagged](variants), []tagged{good, {}}), "at /1/Port: 0 not in [1024,65535]"},
		{"map value", bigen.Check(bigen.For[map[label]tagged](variants), map[label]tagged{"x": good, "y": {}}), `at /["y"]/Port: 0 not in [1024,65535]`},
		{"array", bigen.Check(bigen.For[[2]tagged](variants), [2]tagged{good}), "at /1/Port: 0 not in [1024,65535]"},
		{"cycle", bigen.Check(bigen.For[*chain](), cyclic), "nested deeper than 10000"},
		{"cycle of slices", bigen.Check(bigen.For[nest](), self), "nested deeper than 10000"},
		{"cycle of maps", bigen.Check(bigen.For[dict](), twice), "nested deeper than 10000"},
		{"shared", bigen.Check(bigen.For[*fork](), shared), "the value has more than 65536 choices"},
		{"long", bigen.Check(bigen.For[*chain](), long), "nested deeper than 10000"},
		{"large map", bigen.Check(bigen.For[map[int]bool](), largeMap(40_000)), "the value has more than 64536 choices"},
		{"variant", bigen.Check(bigen.For[entry](variants), entry(folder2{})), "at /: bigen_test.folder2 is none of the variants nil, *folder, file"},
		{"nil variant", bigen.Check(bigen.For[term](language...), nil), "at /: is nil"},
		{"nil pointer in a variant", bigen.Check(bigen.For[entry](variants), entry((*folder)(nil))), "at /*folder: is nil"},
		{"zero", check(func(v *tagged) { v.cache = map[int]int{1: 2} }), "at /cache: is map[int]int{1: 2}; the generator leaves it zero"},
		{"nonnil", check(func(v *tagged) { v.Prime = nil }), "at /Prime: is nil"},
		{"nonnil interface", check(func(v *tagged) { v.Dir = nil }), "at /Dir: is nil"},
		{"one of", check(func(v *tagged) { v.Mode = "slower" }), "at /Mode: none of the alternatives \"\", fast, slow makes it: "},
		{"length", check(func(v *tagged) { v.Nums = v.Nums[:1] }), "at /Nums: 1 elements, not 2 to 4"},
		{"length of a map", check(func(v *tagged) { v.Index = nil }), "at /Index: 0 elements, not 1 to 5"},
		{"length of a text", check(func(v *tagged) { v.Code = "ab" }), `at /Code: "ab" does not pass`},
		{"element of pointers", check(func(v *tagged) { v.Nums = []*int{ptr(1), ptr(10)} }), "at /Nums/1: 10 not in [0,9]"},
		{"constructed", bigen.Check(bigen.For[[]hidden](bigen.Construct(newHidden, hidden.ends)), []hidden{{1, 2}, {2, 1}}), "at /1: bigen_test.hidden{lo: 2, hi: 1} is not in the image of the Iso"},
		{"with", bigen.Check(bigen.For[struct{ S *span }](bigen.With(genSpan)), struct{ S *span }{&span{1, 2}}), "at /S/let#1(int): the struct has none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.ErrorIs(t, tt.err, bigen.ErrNotProduced)
			require.Contains(t, tt.err.Error(), tt.want)
		})
	}
}

type folder2 struct{ Name string }

func (folder2) isEntry() {}

func ptr[T any](v T) *T { return &v }

func largeMap(n int) map[int]bool {
	m := map[int]bool{}
	for i := range n {
		m[i] = true
	}
	return m
}

func TestForMisuse(t *testing.T) {
	type (
		deep struct {
			A struct{ Handlers []map[string]func() }
		}
		private struct {
			Name  string
			count int
		}
		loop struct {
			Next *loop `bigen:"nonnil"`
		}
		toe  struct{ Of *foot }
		anys struct{ X any }
		key  struct{ P *int }
	)
	tests := []struct {
		name string
		f    func()
		want string
	}{
		{"function", func() { bigen.For[deep]() }, "bigen.For[bigen_test.deep]: A.Handlers[][]: a func() has no generator: give it one by bigen.With or bigen.Field, or leave the field zero by the tag `bigen:\"-\"`"},
		{"channel", func() { bigen.For[chan int]() }, "bigen.For[chan int]: a chan int has no generator"},
		{"unexported", func() { bigen.For[[]private]() }, "bigen.For[[]bigen_test.private]: [].count: the field is not exported: give bigen_test.private a generator by bigen.With or bigen.Construct, or leave the field zero by the tag `bigen:\"-\"`; bigen.Unexported[bigen_test.private]() fills such fields of the type"},
		{"interface", func() { bigen.For[anys]() }, "bigen.For[bigen_test.anys]: X: the interface type interface {} can hold anything: list what it may hold by bigen.Variants[interface {}](...), or give it a generator by bigen.With or bigen.Field"},
		{"no end", func() { bigen.For[[]loop]() }, "bigen.For[[]bigen_test.loop]: no value of type bigen_test.loop is finite: bigen_test.loop contains *bigen_test.loop contains bigen_test.loop: let a pointer be nil, a slice or map be empty, or give an interface a variant that ends"},
		{"no variant ends", func() { bigen.For[term](bigen.Variants[term](unary{}, binop{})) }, "no value of type bigen_test.term is finite: bigen_test.term contains bigen_test.unary contains bigen_test.term: "},
		{"one variant does not end", func() { bigen.For[any](bigen.Variants[any](1, loop{})) }, "no value of type bigen_test.loop is finite"},
		{"too large", func() { bigen.For[[300][300]int]() }, "bigen.For[[300][300]int]: the smallest [300][300]int has 90000 choices, and no value has more than 65536: "},
		{"pointer key", func() { bigen.For[map[key]int]() }, "bigen.For[map[bigen_test.key]int]: [key]: the key has a *int, and such are the same only if their addresses are: "},
		{"key that cannot be compared", func() { bigen.For[map[any]int](bigen.Variants[any](0, []int{})) }, "[key]: a []int, which is a variant of interface {}, cannot be a key: "},
		{"variants of no interface", func() { bigen.Variants(1) }, "bigen.Variants: int is not an interface type"},
		{"no variants", func() { bigen.Variants[any]() }, "bigen.Variants[interface {}]: no types"},
		{"same variant", func() { bigen.Variants[any](1, "", 2) }, "bigen.Variants[interface {}]: int is there twice"},
		{"only nil", func() {
			bigen.For[struct {
				X any `bigen:"nonnil"`
			}](bigen.Variants[any](nil))
		}, "X: nonnil: bigen.Variants[interface {}] has nothing but nil"},
		{"zero Gen", func() { bigen.With(bigen.Gen[int]{}) }, "bigen.With[int]: the zero Gen: a variable that has no generator yet?"},
		{"no field", func() { bigen.Field(func(s *span) *int { return new(int) }, bigen.Just(1)) }, "bigen.Field: what the function returns is not the address of a int that is part of the bigen_test.span"},
		{"field behind a pointer", func() { bigen.Field(func(s *server) *string { return &s.Next.Name }, bigen.Just("")) }, "bigen.Field: what the function returns is not the address of a string that is part of the bigen_test.server"},
		{"element", func() {
			bigen.For[parts](bigen.Field(func(p *parts) *int8 { return &p.Grid[1][2] }, bigen.Just[int8](1)))
		}, "bigen.For[bigen_test.parts]: Grid: bigen.Field of a part of it, which is not a field of its own: give bigen.Field the whole [2][3]int8"},

		{"unknown tag", func() {
			bigen.For[struct {
				X int `bigen:"between=1..2"`
			}]()
		}, "X: the tag `bigen:\"between=1..2\"`: \"between=1..2\": want -, nonnil, len=, range=, oneof= or match="},
		{"tag twice", func() {
			bigen.For[struct {
				X int `bigen:"range=1..2,oneof=3"`
			}]()
		}, "range and oneof"},
		{"empty range", func() {
			bigen.For[struct {
				X int8 `bigen:"range=3..2"`
			}]()
		}, "X: the tag range=3..2 does not fit int8: 3 is above 2"},
		{"range beyond the type", func() {
			bigen.For[struct {
				X *uint8 `bigen:"range=0..256"`
			}]()
		}, "X: the tag range=0..256 does not fit uint8: strconv.ParseUint: parsing \"256\": value out of range"},
		{"range without ends", func() {
			bigen.For[struct {
				X int8 `bigen:"range=3"`
			}]()
		}, "want two ends, as in 1..5"},
		{"range of a text", func() {
			bigen.For[struct {
				X string `bigen:"range=a..b"`
			}]()
		}, "X: the tag range=a..b does not fit string: it has no ranges"},
		{"length of a number", func() {
			bigen.For[struct {
				X []int `bigen:"len=1..2,len=3..4"`
			}]()
		}, "several lengths"},
		{"length of nothing", func() {
			bigen.For[struct {
				X int `bigen:"len=1..2"`
			}]()
		}, "X: the tag len=1..2 does not fit int"},
		{"lengths", func() {
			bigen.For[struct {
				X []int `bigen:"len=5..2"`
			}]()
		}, "\"len=5..2\": nothing has from 5 to 2 elements"},
		{"nonnil of no pointer", func() {
			bigen.For[struct {
				X []int `bigen:"nonnil"`
			}]()
		}, "X.[]: the tag nonnil does not fit int"},
		{"tag of a struct", func() {
			bigen.For[struct {
				X span `bigen:"range=0..1"`
			}]()
		}, "X: the tag range=0..1 does not fit bigen_test.span"},
		{"tag of an endless type", func() {
			bigen.For[struct {
				X nest `bigen:"range=0..1"`
			}]()
		}, "the tag range=0..1: bigen_test.nest has no end"},
		{"one of nothing", func() {
			bigen.For[struct {
				X int `bigen:"oneof=1|x"`
			}]()
		}, "the tag oneof=1|x does not fit int: strconv.ParseInt: parsing \"x\": invalid syntax"},
		{"one of the same", func() {
			bigen.For[struct {
				X int `bigen:"oneof=1|0x1"`
			}]()
		}, "\"0x1\" is there twice"},
	}
	_ = toe{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				message, _ := recover().(string)
				require.Contains(t, message, strings.ReplaceAll(tt.want, "X.[]", "X[]"))
			}()
			tt.f()
		})
	}
}

type foot struct{ Toes [5]int8 }
