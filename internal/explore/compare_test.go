package explore

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func number(kind choices.Kind, n, lo, hi int64) choices.Choice {
	return choices.Choice{Kind: kind, N: n, Lo: lo, Hi: hi, Size: 1}
}

func text(s string) choices.Choice { return choices.Choice{Kind: choices.Text, Tag: s, Size: 1} }

func int64s(n int64) choices.Choice { return number(choices.Int, n, math.MinInt64, math.MaxInt64) }

func int32s(n int64) choices.Choice { return number(choices.Int, n, math.MinInt32, math.MaxInt32) }

// compared is a comparison of n, as the code reports it, with a constant.
func compared(constant, n uint64, size uint8) []engine.NumberComparison {
	mask := ^uint64(0) >> (64 - 8*size)
	return []engine.NumberComparison{{Site: 1, A: constant & mask, B: n & mask, Size: size,
		Const: true}}
}

func comparedTexts(a, b string) []engine.TextComparison {
	return []engine.TextComparison{{Site: 1, A: []byte(a), B: []byte(b)}}
}

// substitutionsOf returns the substitutions of a comparer that has not seen any comparison
// before.
func substitutionsOf(
	t choices.Tree, numbers []engine.NumberComparison, texts []engine.TextComparison,
) []Substitution {
	return Substitutions(engine.NewComparer(1), t, traced(numbers, texts))
}

func traced(numbers []engine.NumberComparison, texts []engine.TextComparison) *engine.Trace {
	trace := &engine.Trace{}
	trace.Recording.Store(true)
	for _, n := range numbers {
		trace.Number(uint(n.Site), n.A, n.B, n.Size, n.Const)
	}
	for _, s := range texts {
		trace.Text(uint(s.Site), string(s.A), string(s.B))
	}
	return trace
}

func minus(n int64) uint64 { return uint64(-n) }

// What the first substitution makes of a choice, for each way to match it.
func TestSubstitutions(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 4)
	for _, tt := range []struct {
		name    string
		leaf    choices.Choice
		numbers []engine.NumberComparison
		texts   []engine.TextComparison
		want    []string // in order; of more substitutions, the first
		all     bool     // there are no more
	}{
		{name: "integer", leaf: int64s(1234), numbers: compared(0x5eed1e55, 1234, 8),
			want: []string{"1592598101", "1592598100", "1592598102"}, all: true},
		{name: "the constant is not matched", leaf: int64s(1234),
			numbers: compared(1234, 0x5eed1e55, 8), all: true},
		{name: "variable", leaf: int64s(1234),
			numbers: []engine.NumberComparison{{A: 1234, B: 99, Size: 8}}, want: []string{"99"}},
		{name: "other side", leaf: int64s(1234),
			numbers: []engine.NumberComparison{{A: 99, B: 1234, Size: 8}}, want: []string{"99"}},
		{name: "equal operands", leaf: int64s(1234),
			numbers: []engine.NumberComparison{{A: 1234, B: 1234, Size: 8}}, all: true},
		{name: "four bytes", leaf: int32s(-7), numbers: compared(0x5eed1e55, minus(7), 4),
			want: []string{"1592598101"}},
		{name: "negative", leaf: int32s(1234), numbers: compared(minus(50000), 1234, 4),
			want: []string{"-50000", "-50001", "-49999"}, all: true},
		{name: "with or without sign", leaf: int64s(1234), numbers: compared(minus(50000), 1234, 4),
			want: []string{"-50000", "4294917296"}},
		{name: "unsigned", leaf: number(choices.Uint, 1234, 0, -1),
			numbers: compared(1<<63+5, 1234, 8), want: []string{"9223372036854775813"}},
		{name: "truncated", leaf: int64s(0x123456), numbers: compared(0xAB, 0x56, 1),
			want: []string{"-85", "171", "1193131"}},
		{name: "out of range", leaf: number(choices.Int, 12, 0, 100), numbers: compared(101, 12, 8),
			want: []string{"100"}, all: true},
		{name: "far out of range", leaf: number(choices.Int, 12, 0, 100),
			numbers: compared(1000, 12, 8), all: true},
		{name: "plus one", leaf: int64s(1234), numbers: compared(5000, 1235, 8), want: []string{"4999"}},
		{name: "minus one", leaf: int64s(1234), numbers: compared(5000, 1233, 8), want: []string{"5001"}},
		{name: "negated", leaf: int64s(1234), numbers: compared(5000, minus(1234), 8),
			want: []string{"-5000"}},
		{name: "reversed", leaf: int64s(0x01020304), numbers: compared(0x0A0B0C0D, 0x04030201, 4),
			want: []string{"218893066"}},
		{name: "decimal", leaf: int64s(1234), texts: comparedTexts("id=1234;", "id=77;"),
			want: []string{"77"}},
		{name: "negative decimal", leaf: int64s(-1234), texts: comparedTexts("-1234", "-77"),
			want: []string{"-77"}},
		{name: "hexadecimal", leaf: int64s(0xbeef), texts: comparedTexts("0xbeef", "0xcafe1"),
			want: []string{"831457"}},
		{name: "decimal elsewhere", leaf: int64s(1234), texts: comparedTexts("a1234", "b77"), all: true},

		{name: "text", leaf: text("abc"), texts: comparedTexts("abc", "halt-and-catch"),
			want: []string{`"halt-and-catch"`}, all: true},
		{name: "text, other side", leaf: text("abc"), texts: comparedTexts("halt-and-catch", "abc"),
			want: []string{`"halt-and-catch"`}, all: true},
		{name: "empty", leaf: text(""), texts: comparedTexts("", "halt"), want: []string{`"halt"`},
			all: true},
		{name: "to empty", leaf: text("halt"), texts: comparedTexts("", "halt"),
			want: []string{`""`}, all: true},
		{name: "case", leaf: text("ABC"), texts: comparedTexts("abc", "Halt"),
			want: []string{`"Halt"`}, all: true},
		{name: "prefix of text", leaf: text("GET /"), texts: comparedTexts("GET", "POST"),
			want: []string{`"POST /"`, `"POST"`}, all: true},
		{name: "suffix of text", leaf: text("a.txt"), texts: comparedTexts(".txt", ".go"),
			want: []string{`"a.go"`, `".go"`}, all: true},
		{name: "in text", leaf: text("x=1&y=2&x=3"), texts: comparedTexts("x=", "zz="),
			want: []string{`"zz=1&y=2&x=3"`, `"x=1&y=2&zz=3"`}},
		{name: "in text, case", leaf: text("Host: A"), texts: comparedTexts("host", "Accept"),
			want: []string{`"Accept: A"`}},
		{name: "part of operand", leaf: text("abc"), texts: comparedTexts("<abc>", "<halt>"),
			want: []string{`"halt"`, `"<halt>"`}, all: true},
		{name: "beginning of operand", leaf: text("abc"), texts: comparedTexts("abc.go", "halt.go"),
			want: []string{`"halt"`}},
		{name: "longer than is recorded", leaf: text(long + "xyz"),
			texts: comparedTexts(long, "halt"), want: []string{`"haltxyz"`, `"halt"`}},
		{name: "no match", leaf: text("abc"), texts: comparedTexts("x", "halt"), all: true},
		{name: "bytes", leaf: text("\u00ff\u00fe"), texts: comparedTexts("\xff\xfe", "\xef\xbb"),
			want: []string{"\"\u00ef\u00bb\""}, all: true},
		{name: "to bytes", leaf: text("ab"), texts: comparedTexts("ab", "\xef\xbb"),
			want: []string{"\"\u00ef\u00bb\""}, all: true},
		{name: "runes or bytes", leaf: text("ab"), texts: comparedTexts("ab", "\u00ef"),
			want: []string{"\"\u00ef\"", "\"\u00c3\u00af\""}, all: true},

		{name: "byte of text", leaf: text("abc"), numbers: compared('{', 'b', 1),
			want: []string{`"a{c"`, `"a|c"`, `"azc"`}, all: true},
		{name: "rune of text", leaf: text("日本"), numbers: compared('語', '本', 4),
			want: []string{`"日語"`}, all: true},
		{name: "no rune", leaf: text("abc"), numbers: compared(0xD800, 'b', 4), all: true},
		{name: "word", leaf: text("xabcd"), numbers: compared(0x7f454c46, 0x61626364, 4),
			want: []string{`"x\x7fELF"`, `"x\x7fELG"`, `"x\x7fELE"`}, all: true},
		{name: "word, little endian", leaf: text("xabcd"),
			numbers: compared(0x7f454c46, 0x64636261, 4),
			want:    []string{`"xFLE\x7f"`, `"xGLE\x7f"`, `"xELE\x7f"`}, all: true},
		{name: "decimal in text", leaf: text("port=80;"), numbers: compared(65535, 80, 8),
			want: []string{`"port=65535;"`, `"port=65534;"`, `"port=65536;"`}, all: true},
		{name: "negative decimal in text", leaf: text("-80"), numbers: compared(300, minus(80), 4),
			want: []string{`"300"`}, all: true},
		{name: "length", leaf: text("abc"), numbers: compared(7, 3, 8),
			want: []string{`"abccccc"`, `"abcccc"`, `"abcccccc"`}, all: true},
		{name: "shorter", leaf: text("日本語"), numbers: compared(3, 9, 8), want: []string{`"日"`}},
		{name: "fewer runes", leaf: text("日本語"), numbers: compared(2, 3, 8),
			want: []string{`"日本"`, `"日"`}},
		{name: "length of nothing", leaf: text(""), numbers: compared(2, 0, 8), want: []string{`"aa"`}},
		{name: "too long", leaf: text("abc"), numbers: compared(5000, 3, 8), all: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := choices.Tree{tt.leaf}
			subs := substitutionsOf(tree, tt.numbers, tt.texts)
			var got []string
			for _, s := range subs {
				require.Zero(t, s.At)
				edited := s.Apply(tree)
				require.Equal(t, s.To, edited[0].Mark())
				got = append(got, s.To.String())
			}
			if !tt.all && len(got) > len(tt.want) {
				got = got[:len(tt.want)]
			}
			require.Equal(t, tt.want, got)
			require.Equal(t, choices.Tree{tt.leaf}, tree)
		})
	}
}

func TestSubstituteLengths(t *testing.T) {
	set := bigen.SetOf(bigen.IntRange(0, math.MaxInt32), 0, 5000)
	for _, tt := range []struct {
		have int
		want []int
	}{{3, []int{64, 63, 65}}, {3, []int{4096, 4095}}, {64, []int{2, 1, 3}}, {1, []int{17, 16, 18}}} {
		v, w := make([]int, tt.have), map[int]struct{}{}
		for i := range v {
			v[i] = 100 + i
			w[v[i]] = struct{}{}
		}
		ints := bigen.SliceOf(bigen.IntRange(0, math.MaxInt32), 0, 5000)
		a, err := bigen.Choices(ints, v)
		require.NoError(t, err)
		b, err := bigen.Choices(set, w)
		require.NoError(t, err)
		numbers := compared(uint64(tt.want[0]), uint64(tt.have), 8)
		var gotA, gotB []int
		for _, s := range substitutionsOf(a, numbers, nil) {
			if s.To.Kind == choices.Pick {
				made, _, err := bigen.Run(ints, choices.Replay(s.Apply(a), rng(1)))
				require.NoError(t, err)
				gotA = append(gotA, len(made))
				require.Equal(t, v[:min(len(made), len(v))], made[:min(len(made), len(v))])
			}
		}
		for _, s := range substitutionsOf(b, numbers, nil) {
			if s.To.Kind == choices.Pick {
				made, _, err := bigen.Run(set, choices.Replay(s.Apply(b), rng(1)))
				require.NoError(t, err)
				gotB = append(gotB, len(made))
			}
		}
		require.Equal(t, tt.want, gotA)
		require.Equal(t, tt.want, gotB)
	}
}

// Telling matches come before weak ones, and a few substitutions for each place
// and choice come before many for one.
func TestSubstitutionsInOrder(t *testing.T) {
	tree := choices.Tree{int64s(0), int64s(123456), int64s(1), text("keyword")}
	var numbers []engine.NumberComparison
	for i := range 4096 {
		numbers = append(numbers, engine.NumberComparison{
			Site:  7,
			A:     uint64(i) + 2,
			B:     uint64(i % 2),
			Size:  8,
			Const: true,
		})
	}
	numbers[4000] = engine.NumberComparison{Site: 8, A: 987654321, B: 123456, Size: 8, Const: true}
	subs := substitutionsOf(tree, numbers, comparedTexts("keyword", "other keyword"))
	require.Len(t, subs, 256)
	require.Equal(t, `"other keyword"`, subs[0].To.String())
	require.Equal(t,
		Substitution{At: 1, To: choices.Mark{Kind: choices.Int, N: 987654321}, Site: 8}, subs[1])
	places := map[int]int{}
	for _, s := range subs[2:30] {
		places[s.At]++
	}
	require.Greater(t, places[0], 7)
	require.Greater(t, places[2], 7)
	known := map[string]bool{}
	for _, s := range subs {
		name := fmt.Sprint(s.At, s.To)
		require.False(t, known[name], name)
		known[name] = true
	}
}

// If there are very many leaves, only some are matched, but from all parts of the tree.
func TestSubstitutionsInLargeTrees(t *testing.T) {
	for _, n := range []int{1999, 2000, 3999, 65536} {
		var tree choices.Tree
		for i := range n {
			tree = append(tree, int64s(1000*int64(i/256)))
		}
		for _, value := range []int{0, n / 512, (n - 1) / 256} {
			subs := substitutionsOf(tree, compared(0x5eed1e55, uint64(1000*value), 8), nil)
			require.NotEmpty(t, subs)
			for _, s := range subs {
				require.Equal(t, value, s.At/256)
			}
			if n < 2000 && value == 0 {
				require.Greater(t, len(subs), 200)
			}
		}
	}
}

// Whatever is substituted, the replay has it in its place.
func TestSubstitutionsReplay(t *testing.T) {
	r := rng(3)
	type record struct {
		N    int
		S    string
		List []int32
		Set  map[int]struct{}
		More []record
	}
	gen := bigen.Recursive(bigen.Just(record{}), func(self bigen.Gen[record]) bigen.Gen[record] {
		return bigen.Struct(func(c *bigen.C, v *record) {
			bigen.At(c, &v.N, bigen.IntRange(math.MinInt, math.MaxInt))
			bigen.At(c, &v.S, bigen.String(20))
			bigen.At(c, &v.List, bigen.SliceOf(bigen.IntRange[int32](math.MinInt32, math.MaxInt32), 0, 20))
			bigen.At(c, &v.Set, bigen.SetOf(bigen.IntRange(-1000, 1000), 0, 5))
			bigen.At(c, &v.More, bigen.SliceOf(self, 0, 4))
		})
	}, 4)
	n, trees := 0, long.Count(4, 400)
	for range trees {
		_, tree, err := bigen.Run(gen, choices.Random(r))
		require.NoError(t, err)
		numbers, texts := comparisonsOf(tree, r)
		for _, sub := range substitutionsOf(tree, numbers, texts) {
			edited := sub.Apply(tree)
			require.True(t, consistent(edited))
			_, made, err := bigen.Run(gen, choices.Replay(edited, r))
			require.NoError(t, err)
			switch {
			case sub.To.Kind == choices.Pick:
			case tree[sub.At].Lo == -1000: // of a set, which is sorted
			case utf8.RuneCountInString(sub.To.Tag) > 20:
			default:
				n++
				require.Equal(t, sub.To, made[sub.At].Mark())
			}
		}
	}
	require.Greater(t, n, 10*trees)
}

// consistent reports whether sizes nest.
func consistent(t choices.Tree) bool {
	for i := 0; i < len(t); i = t.End(i) {
		if t[i].Size < 1 || i+int(t[i].Size) > len(t) || !consistent(t[i+1:t.End(i)]) {
			return false
		}
	}
	return true
}

// comparisonsOf makes up comparisons, some of them with what t has.
func comparisonsOf(
	t choices.Tree, r *rand.Rand,
) (numbers []engine.NumberComparison, texts []engine.TextComparison) {
	pieces := []string{"", "a", "GET", "7", "-12", "\xff", "magic value"}
	piece := func() string { return pieces[r.IntN(len(pieces))] }
	for i := range t {
		c := &t[i]
		switch {
		case c.Kind == choices.Text:
			pieces = append(pieces, c.Tag)
			texts = append(texts, engine.TextComparison{
				Site: r.Uint64() % 9,
				A:    []byte(piece() + c.Tag + piece()),
				B:    []byte(piece() + piece()),
			})
		case c.Kind != choices.Pick:
			size := uint8(1) << r.IntN(4)
			mask := ^uint64(0) >> (64 - 8*size)
			n := engine.NumberComparison{
				Site:  r.Uint64() % 9,
				A:     r.Uint64() >> r.IntN(64) & mask,
				B:     uint64(c.N) & mask,
				Size:  size,
				Const: r.IntN(2) == 0,
			}
			numbers = append(numbers, n)
			texts = append(texts, engine.TextComparison{
				A: fmt.Append(nil, "n=", c.N),
				B: fmt.Append(nil, "n=", r.IntN(1000)),
			})
		default:
			numbers = append(numbers, engine.NumberComparison{
				A:     uint64(r.IntN(30)),
				B:     uint64(r.IntN(10)),
				Size:  8,
				Const: true,
			})
		}
	}
	return numbers, texts
}

// anyTree returns a tree that no run has recorded, with sizes that may be wrong.
func anyTree(r *rand.Rand) choices.Tree {
	t := make(choices.Tree, r.IntN(100))
	for i := range t {
		t[i] = choices.Choice{
			Kind:  choices.Kind(r.IntN(6)),
			Slot:  r.Uint32N(2),
			Index: int32(r.IntN(3) - 1),
			Size:  int32(r.IntN(9)) - 3,
		}
	}
	return t
}

// No trees and comparisons, however strange, do harm.
func TestSubstitutionsOfAnything(t *testing.T) {
	r := rng(4)
	strange := []string{"", "\xff", "a", "-", "-0", "18446744073709551616", "0x",
		strings.Repeat("9", 64), strings.Repeat("\u00ff", 3000), strings.Repeat("z", 5000),
		"\u2028日本", "1 2 3 4 5 6 7"}
	numbers, texts := []engine.NumberComparison(nil), []engine.TextComparison(nil)
	c := engine.NewComparer(1)
	for range long.Count(6, 600) {
		tree := anyTree(r)
		for i := range tree {
			switch r.IntN(3) {
			case 0:
				tree[i].Tag = strange[r.IntN(len(strange))]
			case 1:
				tree[i].N = int64(r.Uint64()) >> r.IntN(64)
				tree[i].Lo, tree[i].Hi = tree[i].N-int64(r.IntN(3)), int64(r.Uint64())
			}
		}
		numbers, texts = comparisonsOf(tree, r)
		for range 100 {
			numbers = append(numbers, engine.NumberComparison{
				Site:  r.Uint64() % 100,
				A:     r.Uint64() >> r.IntN(64),
				B:     uint64(r.IntN(40)),
				Size:  uint8(r.IntN(12)),
				Const: r.IntN(2) == 0,
			})
		}
		for range 20 {
			texts = append(texts, engine.TextComparison{
				A: []byte(strange[r.IntN(len(strange))]),
				B: []byte(strange[r.IntN(len(strange))]),
			})
		}
		subs := substitutionsOf(tree, numbers, texts)
		require.LessOrEqual(t, len(subs), 256)
		require.Equal(t, subs, substitutionsOf(tree, numbers, texts), "the same every time")
		for _, s := range subs {
			require.LessOrEqual(t, len(s.To.Tag), 4096)
			require.True(t, utf8.ValidString(s.To.Tag) || !utf8.ValidString(tree[s.At].Tag))
			s.Apply(tree)
			s.Apply(tree[:s.At])
			require.LessOrEqual(t, len(s.Apply(tree)), 1<<16)
		}
		require.LessOrEqual(t, len(Substitutions(c, tree, traced(numbers, texts))), 256)
		require.LessOrEqual(t, len(Marks(c)), 3*512)
	}
	Substitution{At: -1}.Apply(nil)
}
