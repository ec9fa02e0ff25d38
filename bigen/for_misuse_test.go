package bigen_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/stretchr/testify/require"
)

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
	good := tagged{
		Port: 1024, Wait: 1e9, Prime: ptr(2), Rate: 1, Words: texts{""},
		Nums: []*int{ptr(1), ptr(2)}, Index: map[int8]bool{1: true}, Code: "abc", Raw: []byte("ab"),
		Dir: file{},
	}
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
		{
			"text", bigen.Check(g, parts{Counts: map[label]int{"a": 1, "\xff": 2}}),
			`at /Counts/key "\xff": "\xff" is not valid UTF-8`,
		},
		{
			"element", bigen.Check(bigen.For[[]tagged](variants), []tagged{good, {}}),
			"at /1/Port: 0 not in [1024,65535]",
		},
		{
			"map value",
			bigen.Check(
				bigen.For[map[label]tagged](variants), map[label]tagged{"x": good, "y": {}},
			),
			`at /["y"]/Port: 0 not in [1024,65535]`,
		},
		{
			"array", bigen.Check(bigen.For[[2]tagged](variants), [2]tagged{good}),
			"at /1/Port: 0 not in [1024,65535]",
		},
		{"cycle", bigen.Check(bigen.For[*chain](), cyclic), "nested deeper than 10000"},
		{"cycle of slices", bigen.Check(bigen.For[nest](), self), "nested deeper than 10000"},
		{"cycle of maps", bigen.Check(bigen.For[dict](), twice), "nested deeper than 10000"},
		{
			"shared", bigen.Check(bigen.For[*fork](), shared),
			"the value has more than 65536 choices",
		},
		{"long", bigen.Check(bigen.For[*chain](), long), "nested deeper than 10000"},
		{
			"large map", bigen.Check(bigen.For[map[int]bool](), largeMap(33_000)),
			"the value has more than 64536 choices",
		},
		{
			"variant", bigen.Check(bigen.For[entry](variants), entry(folder2{})),
			"at /: bigen_test.folder2 is none of the variants nil, *folder, file",
		},
		{"nil variant", bigen.Check(bigen.For[term](language...), nil), "at /: is nil"},
		{
			"nil pointer in a variant",
			bigen.Check(bigen.For[entry](variants), entry((*folder)(nil))), "at /*folder: is nil",
		},
		{
			"zero", check(func(v *tagged) { v.cache = map[int]int{1: 2} }),
			"at /cache: is map[int]int{1: 2}; the generator leaves it zero",
		},
		{"nonnil", check(func(v *tagged) { v.Prime = nil }), "at /Prime: is nil"},
		{"nonnil interface", check(func(v *tagged) { v.Dir = nil }), "at /Dir: is nil"},
		{
			"one of", check(func(v *tagged) { v.Mode = "slower" }),
			"at /Mode: none of the alternatives \"\", fast, slow makes it: ",
		},
		{
			"length", check(func(v *tagged) { v.Nums = v.Nums[:1] }),
			"at /Nums: 1 elements, not 2 to 4",
		},
		{
			"length of a map", check(func(v *tagged) { v.Index = nil }),
			"at /Index: 0 elements, not 1 to 5",
		},
		{
			"length of a text", check(func(v *tagged) { v.Code = "ab" }),
			`at /Code: 2 runes, fewer than 3`,
		},
		{
			"element of pointers", check(func(v *tagged) { v.Nums = []*int{ptr(1), ptr(10)} }),
			"at /Nums/1: 10 not in [0,9]",
		},
		{
			"inner length",
			bigen.Check(bigen.For[leveled](), leveled{Rows: [][]int8{{1}, {1, 2, 3}}}),
			"at /Rows/1: 3 elements, not 0 to 2",
		},
		{"key", bigen.Check(bigen.For[leveled](), leveled{
			Rows: [][]int8{{1}}, Ages: map[string]*uint8{"": ptr[uint8](1)},
		}), `at /Ages/key "": 0 runes, fewer than 1`},
		{
			"nil that is to be empty",
			bigen.Check(
				bigen.For[map[string][]int](bigen.EmptyNotNil()), map[string][]int{"a": nil},
			),
			`at /["a"]: is nil; the generator makes it empty`,
		},
		{
			"length of the type",
			bigen.Check(bigen.For[[]int](bigen.WithTag("len=..2")), []int{1, 2, 3}),
			"at /: 3 elements, not 0 to 2",
		},
		{
			"constructed",
			bigen.Check(
				bigen.For[[]hidden](bigen.Construct(newHidden, hidden.ends)),
				[]hidden{{1, 2}, {2, 1}},
			),
			"at /1: the Iso does not make bigen_test.hidden{lo: 2, hi: 1}: its function from reports false",
		},
		{
			"with",
			bigen.Check(
				bigen.For[struct{ S *span }](bigen.With(genSpan)), struct{ S *span }{&span{1, 2}},
			),
			"at /S/let#1(int): the struct has none",
		},
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
		anys struct{ X any }
		key  struct{ P *int }
	)
	_ = private{}.count // only For looks at it
	tests := []struct {
		name string
		f    func()
		want string
	}{
		{
			"function", func() { bigen.For[deep]() },
			"bigen.For[bigen_test.deep]: A.Handlers[][]: a func() has no generator: give it one by bigen.With or bigen.Field, or leave the field zero by the tag `bigen:\"-\"`",
		},
		{
			"channel", func() { bigen.For[chan int]() },
			"bigen.For[chan int]: a chan int has no generator",
		},
		{
			"unexported", func() { bigen.For[[]private]() },
			"bigen.For[[]bigen_test.private]: [].count: the field is not exported: give bigen_test.private a generator by bigen.With or bigen.Construct, or leave the field zero by the tag `bigen:\"-\"`; bigen.Unexported[bigen_test.private]() fills such fields of the type",
		},
		{
			"interface", func() { bigen.For[anys]() },
			"bigen.For[bigen_test.anys]: X: the interface type interface {} can hold anything: list what it may hold by bigen.Variants[interface {}](...), or give it a generator by bigen.With or bigen.Field",
		},
		{
			"no end", func() { bigen.For[[]loop]() },
			"bigen.For[[]bigen_test.loop]: no value of type bigen_test.loop is finite: bigen_test.loop contains *bigen_test.loop contains bigen_test.loop: let a pointer be nil, a slice or map be empty, or give an interface a variant that ends",
		},
		{
			"no variant ends", func() { bigen.For[term](bigen.Variants[term](unary{}, binop{})) },
			"no value of type bigen_test.term is finite: bigen_test.term contains bigen_test.unary contains bigen_test.term: ",
		},
		{
			"one variant does not end", func() { bigen.For[any](bigen.Variants[any](1, loop{})) },
			"no value of type bigen_test.loop is finite",
		},
		{
			"too large", func() { bigen.For[[300][300]int]() },
			"bigen.For[[300][300]int]: the smallest [300][300]int has 90000 choices, and no value has more than 65536: ",
		},
		{
			"pointer key", func() { bigen.For[map[key]int]() },
			"bigen.For[map[bigen_test.key]int]: [key]: the key has a *int, and such are the same only if their addresses are: ",
		},
		{
			"key that cannot be compared",
			func() { bigen.For[map[any]int](bigen.Variants[any](0, []int{})) },
			"[key]: a []int, which is a variant of interface {}, cannot be a key: ",
		},
		{
			"variants of no interface", func() { bigen.Variants(1) },
			"bigen.Variants: int is not an interface type",
		},
		{"no variants", func() { bigen.Variants[any]() }, "bigen.Variants[interface {}]: no types"},
		{
			"same variant", func() { bigen.Variants[any](1, "", 2) },
			"bigen.Variants[interface {}]: int is there twice",
		},
		{"only nil", func() {
			bigen.For[struct {
				X any `bigen:"nonnil"`
			}](bigen.Variants[any](nil))
		}, "X: nonnil: bigen.Variants[interface {}] has nothing but nil"},
		{
			"zero Gen", func() { bigen.With(bigen.Gen[int]{}) },
			"bigen.With[int]: the zero Gen: a variable that has no generator yet?",
		},
		{
			"no field",
			func() { bigen.Field(func(s *span) *int { return new(int) }, bigen.Just(1)) },
			"bigen.Field: what the function returns is not the address of a int that is part of the bigen_test.span",
		},
		{
			"field of what a pointer leads to",
			func() { bigen.Field(func(s *server) *string { return &s.Next.Name }, bigen.Just("")) },
			"bigen.Field: what the function returns is not the address of a string that is part of the bigen_test.server",
		},
		{"element", func() {
			bigen.For[parts](
				bigen.Field(func(p *parts) *int8 { return &p.Grid[1][2] }, bigen.Just[int8](1)),
			)
		}, "bigen.For[bigen_test.parts]: Grid: bigen.Field of a part of it, which is not a field of its own: give bigen.Field the whole [2][3]int8"},

		{"unknown tag", func() {
			bigen.For[struct {
				X int `bigen:"between=1..2"`
			}]()
		}, "X: the tag `bigen:\"between=1..2\"`: \"between=1..2\": want -, nonnil, len=, odds=, range=, oneof=, match=, empty=, or one of these after key. for the keys of a map"},
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
		}, "X: the tag range=0..256 does not fit uint8: \"256\" is not a whole number from 0 to 255"},
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
		{"no tag", func() {
			bigen.Derive(reflect.StructOf([]reflect.StructField{
				{Name: "X", Type: reflect.TypeFor[string](), Tag: "bigen:len=1..3"},
			}))
		}, "X: the struct tag `bigen:len=1..3` is not of Go's form: write `bigen:\"nonnil\"`, with quotes and no space before them"},
		{"length of nothing", func() {
			bigen.For[struct {
				X int `bigen:"len=1..2"`
			}]()
		}, "X: the tag len=1..2 does not fit int"},
		{"odds of an integer", func() {
			bigen.For[struct {
				X []int `bigen:"odds=1,range=1..2"`
				Y int   `bigen:"odds=0.5"`
			}]()
		}, "Y: the tag odds=0.5 does not fit int"},
		{"odds too high", func() {
			bigen.For[struct {
				X []int `bigen:"odds=10"`
			}]()
		}, "\"odds=10\": want a number above 0, up to 9"},
		{"lengths", func() {
			bigen.For[struct {
				X []int `bigen:"len=5..2"`
			}]()
		}, "\"len=5..2\": nothing has from 5 to 2 elements"},
		{"length below 0", func() {
			bigen.For[struct {
				X []int `bigen:"len=-1..2"`
			}]()
		}, "\"len=-1..2\": nothing has from -1 to 2 elements"},
		{"nonnil of no pointer", func() {
			bigen.For[struct {
				X []int `bigen:"nonnil"`
			}]()
		}, "X[]: the tag nonnil does not fit int"},
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
		{"length of too many levels", func() {
			bigen.For[struct {
				X [][]int `bigen:"len=1..2;;1..2"`
			}]()
		}, "X[][]: the tag len=1..2 does not fit int"},
		{"length of a level", func() {
			bigen.For[struct {
				X [][]int `bigen:"len=1..2;3"`
			}]()
		}, "X: the tag `bigen:\"len=1..2;3\"`: \"len=1..2;3\": want two ends, as in 1..5"},
		{"key without a map", func() {
			bigen.For[struct {
				X []int `bigen:"key.range=1..2"`
			}]()
		}, "X[]: the tag key.range=1..2 does not fit int"},
		{"key that does not fit", func() {
			bigen.For[struct {
				X map[bool]int `bigen:"key.range=1..2,len=1.."`
			}]()
		}, "X[key]: the tag range=1..2 does not fit bool: it has no ranges"},
		{"key of nothing", func() {
			bigen.For[struct {
				X map[bool]int `bigen:"key.-"`
			}]()
		}, "\"key.-\": - stands alone"},
		{"empty number", func() {
			bigen.For[struct {
				X int `bigen:"empty=ornil"`
			}]()
		}, "X: the tag empty=ornil does not fit int"},
		{"unknown empty", func() {
			bigen.For[struct {
				X []int `bigen:"empty=no"`
			}]()
		}, "\"empty=no\": want nil, ornil or notnil, which is what an empty slice or map is"},
		{
			"tag of the type", func() { bigen.For[[]int](bigen.WithTag("len=1")) },
			"bigen.For[[]int]: the tag `bigen:\"len=1\"`: \"len=1\": want two ends, as in 1..5",
		},
		{
			"tag that does not fit the type", func() { bigen.For[span](bigen.WithTag("len=1..2")) },
			"bigen.For[bigen_test.span]: the tag len=1..2 does not fit bigen_test.span",
		},
		{"one of nothing", func() {
			bigen.For[struct {
				X int `bigen:"oneof=1|x"`
			}]()
		}, "the tag oneof=1|x does not fit int: \"x\" is not a whole number from -"},
		{"one of an empty list", func() {
			bigen.For[struct {
				X string `bigen:"oneof="`
			}]()
		}, "\"oneof=\": want oneof= and what it allows"},
		{"range of words", func() {
			bigen.For[struct {
				X float32 `bigen:"range=low..1"`
			}]()
		}, "the tag range=low..1 does not fit float32: \"low\" is not a number such as 2.5 or 1e9 that a float32 holds"},
		{"range of a duration", func() {
			bigen.For[struct {
				X time.Duration `bigen:"range=1..5s"`
			}]()
		}, "\"1\" is not a duration such as 90s or 1h30m"},
		{"length of words", func() {
			bigen.For[struct {
				X []int `bigen:"len=1..many"`
			}]()
		}, "\"len=1..many\": \"many\" is not a number of elements: want two ends, as in 1..5"},
		{"a rule after a match", func() {
			bigen.For[struct {
				X []string `bigen:"match=[a-c]+,len=1..3"`
			}]()
		}, "match comes last, and its expression has all that follows: put \"len=1..3\" before it"},
		{"a rule of keys after a match", func() {
			bigen.For[struct {
				X map[string]*int `bigen:"key.match=[a-c]+,nonnil"`
			}]()
		}, "put \"nonnil\" before it"},
		{"one of the same", func() {
			bigen.For[struct {
				X int `bigen:"oneof=1|0x1"`
			}]()
		}, "\"0x1\" is there twice"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				message, _ := recover().(string)
				require.Contains(t, message, tt.want)
			}()
			tt.f()
		})
	}
}

// One panic tells of all misuses.
func TestForMisuses(t *testing.T) {
	type (
		inner struct {
			F  func()
			ok bool
		}
		all struct {
			In   []inner
			X    any
			Y    int8           `bigen:"range=3..2"`
			Z    int            `bigen:"between=1..2,len=1,range=1..2"`
			Key  map[*int]inner `bigen:"key.len=1..2"`
			Ch   map[string]chan int
			Fine string `bigen:"len=1..2"`
		}
		loop struct {
			Next *loop `bigen:"nonnil"`
		}
		ring  []*ring
		loops struct {
			L loop
			R []ring
			O []struct{ O [2]other }
		}
	)
	_ = inner{}.ok
	message := func(f func()) (s string) {
		defer func() { s, _ = recover().(string) }()
		f()
		return ""
	}
	require.Equal(t, `bigen.For[bigen_test.all]: 8 mistakes:
	In[].F: a func() has no generator: give it one by bigen.With or bigen.Field, or leave the field zero by the tag `+"`bigen:\"-\"`"+`
	In[].ok: the field is not exported: give bigen_test.inner a generator by bigen.With or bigen.Construct, or leave the field zero by the tag `+"`bigen:\"-\"`"+`; bigen.Unexported[bigen_test.inner]() fills such fields of the type
	X: the interface type interface {} can hold anything: list what it may hold by bigen.Variants[interface {}](...), or give it a generator by bigen.With or bigen.Field
	Y: the tag range=3..2 does not fit int8: 3 is above 2
	Z: the tag `+"`bigen:\"between=1..2,len=1,range=1..2\"`"+`: "between=1..2": want -, nonnil, len=, odds=, range=, oneof=, match=, empty=, or one of these after key. for the keys of a map
	Z: the tag `+"`bigen:\"between=1..2,len=1,range=1..2\"`"+`: "len=1": want two ends, as in 1..5
	Key[key]: the key has a *int, and such are the same only if their addresses are: give the map, or the key, a generator by bigen.With or bigen.Field
	Ch[]: a chan int has no generator: give it one by bigen.With or bigen.Field, or leave the field zero by the tag `+"`bigen:\"-\"`", message(func() {
		bigen.For[all]()
	}))
	require.Equal(t, `bigen.For[bigen_test.loops]: 2 mistakes:
	no value of type bigen_test.loops is finite: bigen_test.loops contains bigen_test.loop contains *bigen_test.loop contains bigen_test.loop: let a pointer be nil, a slice or map be empty, or give an interface a variant that ends
	no value of type struct { O [2]bigen_test.other } is finite: struct { O [2]bigen_test.other } contains [2]bigen_test.other contains bigen_test.other contains []bigen_test.other contains bigen_test.other: let a pointer be nil, a slice or map be empty, or give an interface a variant that ends`, message(func() {
		bigen.For[loops]()
	}))
	require.Contains(t, message(func() { bigen.For[manyFuncs]() }), "\n\tand 5 more")
}

type (
	other struct {
		Next []other `bigen:"len=1.."`
	}
	manyFuncs struct {
		A                                                                      []func()
		B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y func()
	}
)
