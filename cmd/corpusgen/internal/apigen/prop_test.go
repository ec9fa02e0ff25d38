package apigen

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// guesses returns the names of the properties that a package suggests, but for those which types alone
// suggest, and those that calls do not panic.
func guesses(t *testing.T, imports, declarations string) (names []string) {
	for _, q := range suggest(packageOf(t, imports, declarations), nil).All {
		if !q.Weak && !q.Rest {
			names = append(names, strings.TrimPrefix(q.Name, "Test"))
		}
	}
	return names
}

// The properties that names and types suggest.
func TestSuggest(t *testing.T) {
	for _, c := range []struct{ name, imports, declarations, want string }{
		{"functions", "", `func EncodeKey(k string) []byte { return nil }
			func DecodeKey(b []byte) (string, error) { return "", nil }`,
			"EncodeKeyRoundTrip EncodeKeyStable"},
		{"forms", "", `func EncodeToString(b []byte) string { return "" }
			func DecodeString(s string) ([]byte, error) { return nil, nil }`,
			"EncodeToStringRoundTrip EncodeToStringStable"},
		{"other types", "", `func EncodeKey(k string) []byte { return nil }
			func DecodeKey(b []byte) (int, error) { return 0, nil }`, ""},
		{"other names", "", `func EncodeKey(k string) []byte { return nil }
			func DecodeLock(b []byte) (string, error) { return "", nil }`, ""},
		{"methods", "", `type T struct{ N int }
			func (v T) MarshalText() ([]byte, error) { return nil, nil }
			func (v *T) UnmarshalText(b []byte) error { return nil }`,
			"TMarshalTextRoundTrip"},
		{"text", "", `type T struct{ n int }
			func ParseT(s string) (*T, error) { return nil, nil }
			func (v T) String() string { return "" }`,
			"TStringRoundTrip TStringStable"},
		{"the whole name", "", `func Comma(v int64) string { return "" }
			func ParseComma(s string) (int64, error) { return 0, nil }
			func Size(n float64, unit string) string { return "" }
			func SizeParse(s string) (float64, string, error) { return 0, "", nil }
			func Big(v int64) string { return "" }
			func ParseBig(s string) (int32, error) { return 0, nil }
			func Some(v int64) string { return "" }
			func ParseSomeText(s string) (int64, error) { return 0, nil }`,
			"CommaRoundTrip CommaStable SizeRoundTrip SizeStable"},
		{"how much was read", "", `func ToUvarint(n uint64) []byte { return nil }
			func FromUvarint(b []byte) (uint64, int, error) { return 0, 0, nil }`,
			"ToUvarintRoundTrip ToUvarintStable"},
		{"what changes a little", "", `func Encode(lat, lng float64) string { return "" }
			func Decode(s string) (lat, lng float64) { return 0, 0 }`, "EncodeStable"},
		{"several values", "", `func JoinPair(a string, b int) string { return "" }
			func SplitPair(s string) (a string, b int, err error) { return "", 0, nil }`,
			"JoinPairRoundTrip JoinPairStable"},
		{"a codec", "", `type Alphabet int
			func (a Alphabet) Encode(b []byte) string { return "" }
			func (a Alphabet) Decode(s string) ([]byte, error) { return nil, nil }`,
			"AlphabetEncodeRoundTrip AlphabetEncodeStable"},
		{"any value", "", `func Marshal(v any) ([]byte, error) { return nil, nil }
			func Unmarshal(b []byte, v any) error { return nil }`,
			"MarshalRoundTrip"},
		{"variants", "", `func Sum(b []byte) int { return 0 }
			func SumFast(b []byte) int { return 0 }
			func SumString(s string) int { return 0 }
			func AppendWord(dst []byte, n int) []byte { return nil }
			func FormatWord(n int) string { return "" }
			func WordFast(n int) bool { return true }
			func Word(n int) int { return 0 }`,
			"SumFastAgrees SumStringAgrees AppendWordAgrees"},
		{"idempotence", "", `func Clean(s string) string { return s }
			func TrimLeft(s, cut string) (string, error) { return s, nil }
			func Normalize(s string) int { return 0 }`,
			"CleanIdempotent TrimLeftIdempotent TrimLeftWithin"},
		{"what undoes itself", "", `func Reverse(s string) string { return s }
			func Reversed(s string) int { return 0 }`,
			"ReverseInvolution ReverseKeepsLength"},
		{"two of one type", "", `func Max(a, b int) int { return a }
			func Distance(a, b string) int { return 0 }
			func Jaccard(a, b []string) float64 { return 0 }`,
			"MaxCommutative MaxOfTheSame DistanceDistance DistanceTriangle JaccardSimilarity"},
		{"a receiver that is changed", "", `type T struct{ n int }
			func New(n int) *T { return &T{n} }
			func (z *T) Mul(x, y *T) *T { return z }`, ""},
		{"orders", "", `type T struct{ N int }
			func (a T) Compare(b T) int { return 0 }
			func (a T) Equal(b T) bool { return true }
			func (a T) Less(b T) bool { return true }
			func (a T) GreaterOrEqual(b T) bool { return true }`,
			"TCompareOrder TLessOrder TEqualEquality TEqualAgreesWithCompare TLessAgreesWithCompare " +
				"TGreaterOrEqualAgreesWithCompare TGreaterOrEqualAgreesWithLess"},
		{"an order that can fail", "", `func Compare(a, b string) (int, error) { return 0, nil }`,
			"CompareOrder"},
		{"numbers", "", `func EncodedLen(n int) int { return n }`, "EncodedLenMonotone"},
		{"what is valid", "", `func Valid(s string) bool { return true }
			func Parse(s string) (int, error) { return 0, nil }
			func MustParse(s string) int { return 0 }`,
			"ValidValid MustParseAgrees"},
		{"a map", "", `type T struct{ m map[string]int }
			func New() *T { return nil }
			func (t *T) Put(k string, v int) {}
			func (t *T) Get(k string) (int, bool) { return 0, false }
			func (t *T) Len() int { return 0 }
			func (t *T) IsEmpty() bool { return true }`,
			"TCalls TCalls2 TIsEmptyZero"},
		{"a map of any values", "", `type T struct{ m map[string]any }
			func New() *T { return nil }
			func (t *T) Put(k string, v any) bool { return false }
			func (t *T) Get(k string) any { return nil }`,
			"TCalls TCalls2"},
		{"a set of any keys", "", `type Set[K comparable] struct{ m map[K]bool }
			func New[K comparable](keys ...K) *Set[K] { return nil }
			func (s *Set[K]) Add(k K) bool { return false }
			func (s *Set[K]) Has(k K) bool { return false }`,
			"SetCalls SetCalls2"},
		{"a queue or stack", "", `type T struct{ list []int }
			func (t *T) Push(n int) {}
			func (t *T) Pop() (int, bool) { return 0, false }`,
			"TCalls TCalls2 TCalls3"},
		{"another name of a type", "", `type T struct{ N int }
			func (v T) Clone() T { return v }
			type U = T`,
			"TCloneEqual"},
	} {
		require.Equal(t, c.want, strings.Join(guesses(t, c.imports, c.declarations), " "), c.name)
	}
}

// A model begins with nothing, and so does the collection.
func TestModelBeginsEmpty(t *testing.T) {
	const methods = `type T struct{ m map[string]int }
		func (t *T) Set(k string, n int) {}
		func (t *T) Get(k string) (int, bool) { return 0, false }
		func LoadMap(m map[string]int) *T { return nil }
		`
	for constructor, want := range map[string]string{
		"func NewT() *T { return nil }":              "p.NewT()",
		"func NewT(size int) *T { return nil }":      "p.NewT(size)",
		"func NewT(all ...string) *T { return nil }": "p.NewT()",
	} {
		all := suggest(packageOf(t, "", methods+constructor), nil).All
		i := slices.IndexFunc(all, func(q *Property) bool { return q.Name == "TestTCalls" })
		require.GreaterOrEqual(t, i, 0)
		require.Contains(t, all[i].After, want)
	}
}

// What types alone suggest.
func TestWeak(t *testing.T) {
	for _, c := range []struct{ name, declarations, want string }{
		{"a text", `func F(s string) string { return s }`,
			"Idempotent Involution Within Contains KeepsLength Distributes"},
		{"two of a type", `func F(a, b []int) bool { return false }`, "Commutative Reflexive"},
		{"an error", `func F(n int) (int, error) { return n, nil }`,
			"Idempotent Involution FailsEmpty"},
		{"a way back", `type T struct{ N int }
			func F(t T) string { return "" }
			func g(s string) T { return T{} }
			func (t T) H(s string) int { return 0 }`, ""},
		{"what may change one", `type T struct{ n int }
			func (t *T) F(u *T) int { return 0 }
			func New() *T { return nil }`, ""},
		{"both ways", `func F(n int) string { return "" }
			func G(s string) int { return 0 }`, "RoundTrip"},
		{"predicates", `func F(n int) bool { return false }
			func G(n int) bool { return false }`, "ImpliesG"},
		{"what has a name", `func Clean(s string) string { return s }`,
			"Involution Within Contains KeepsLength Distributes"},
	} {
		var names []string
		for _, q := range suggest(packageOf(t, "", c.declarations), nil).All {
			if q.Weak && (strings.HasPrefix(q.Name, "TestF") || strings.HasPrefix(q.Name, "TestClean")) {
				names = append(names, strings.TrimPrefix(strings.TrimPrefix(q.Name, "TestF"), "TestClean"))
			}
		}
		require.Equal(t, c.want, strings.Join(names, " "), c.name)
	}
}

// Calls that no law gives arguments share one property, which comes last. Those that make the same
// share that.
func TestRest(t *testing.T) {
	p := suggest(packageOf(t, `import ("net/http"; "os")`, `type T struct{ n int }
		func New(n int64) (*T, error) { return nil, nil }
		func (t *T) Sum(more int) int { return 0 }
		func (t *T) Name() string { return "" }
		func Clean(s string) string { return s }
		func Status(n int) int { return http.StatusOK + n }
		func Remove(s string) error { return clear(s) }
		func clear(s string) error { return os.RemoveAll(s) }
		// At panics if i is negative.
		func At(i int) int { return 0 }
		func Set(i int) {}
		func Now() int { return 0 }`), nil)
	for _, q := range slices.Clone(p.All) {
		if q.Weak {
			p.Drop(q.Name, "it does not hold")
		}
	}
	p.Rest([]string{"p.F with 0: panic: text"}, false)
	q := p.All[len(p.All)-1]
	require.Equal(t, "TestNoPanic", q.Name)
	require.Equal(t, []string{"T.Sum", "T.Name", "p.New", "p.Status"}, q.Calls)
	require.Contains(t, q.About, "mistake of the caller:\n\n\tp.F with 0: panic: text")
	require.Contains(t, q.Code, `if t2, err := p.New(in.T); err == nil {
_ = t2.Sum(in.More)
_ = t2.Name()
}
p.New(in.T)
_ = p.Status(in.More)`)
	for _, q := range p.All[:len(p.All)-1] {
		require.False(t, q.Rest, q.Name)
	}
	p.Rest(nil, true)
	q = p.All[len(p.All)-1]
	require.Equal(t, "TestNoPanic", q.Name)
	require.Contains(t, q.Code, `_ = t2.Sum(in.More)
}
if t2, err := p.New(in.T); err == nil {
_ = t2.Name()
}`)
}

// What a property is.
func TestPropertyText(t *testing.T) {
	for _, c := range []struct{ name, declarations, want string }{
		{"constants", `type Kind int
			const (
				A Kind = iota
				B
			)
			func Show(k Kind) string { return "" }`,
			"// genKind makes the constants of p.Kind.\nvar genKind = bigen.OneOf(p.A, p.B)\n"},
		{"variables", `type T struct{ n int }
			var A, B = &T{1}, &T{2}
			var None *T
			func (t *T) Sum(n int) int { return 0 }`,
			"var genT = bigen.OneOf(p.A, p.B)\n"},
		{"constants among other values", `type Size int
			const (
				K Size = 1 << 10
				M Size = 1 << 20
			)
			func Show(s Size) string { return "" }`,
			"var genSize = bigen.Favor(bigen.Int[p.Size](), p.K, p.M)\n"},
		{"limits of a comment", `// Show shows n, for 2 <= base <= 36.
			func Show(n int64, base int) string { return "" }`,
			"Base int `bigen:\"range=2..36\"`\n"},
		{"small numbers", `type T struct{ N int }
			func (v T) Round(places int32, most uint64) T { return v }`,
			"Places int32  `bigen:\"range=-10..100\"`\n\t\tMost   uint64 `bigen:\"range=0..100\"`\n"},
		{"numbers that a property is about", `func Show(n int64, r rune) string { return "" }`,
			"N int64\n\t\tR rune\n"},
		{"a number that is undone", `func Comma(v int32) string { return "" }
			func ParseComma(s string) (int32, error) { return 0, nil }`,
			"bigen.Int[int32]()"},
		{"the constructor that makes most", `type T struct{ n int }
			func Zero(n int64) T { return T{} }
			func New(n int64, exp int32) T { return T{} }
			func Parse(s, format string, exp int32) (T, error) { return T{}, nil }
			func (a T) Less(b T) bool { return false }`,
			"y := p.New(in.YN, in.YExp)\n"},
		{"a constructor", `type T struct{ n int }
			func New(n uint8) (*T, error) { return nil, nil }
			func (v T) Sum(n int) int { return 0 }`,
			"t2, err := p.New(in.T)\n\t\tt.Assume(err == nil)\n\t\t_ = t2.Sum(in.N)\n"},
		{"calls that cannot fail", `func Escape(s string) string { return s }
			func Unescape(s string) string { return s }`,
			"data := p.Escape(s)\n\t\tgot := p.Unescape(data)\n\t\tfuzzext.Equal(t, got, s)\n"},
		{"any value", `func Marshal(v any) ([]byte, error) { return nil, nil }
			func Unmarshal(b []byte, v any) error { return nil }`,
			"fuzzext.Check(t, bigen.For[sample](), func(t *fuzzext.T, v sample) {\n\t\tdata, err := p.Marshal(v)\n"},
		{"a buffer", `func Fill(dst, src []byte) int { return 0 }`,
			"_ = p.Fill(make([]byte, 1<<12), src)\n"},
	} {
		text, err := suggest(packageOf(t, "", c.declarations), nil).Text("")
		require.NoError(t, err)
		require.Contains(t, string(text), c.want, c.name)
	}
}

// Nothing is declared again that other tests declare.
func TestTaken(t *testing.T) {
	pkg := packageOf(t, "", `type Kind int
		const (
			A Kind = iota
			B
		)
		func Marshal(v any) ([]byte, error) { return nil, nil }
		func Unmarshal(b []byte, v any) error { return nil }
		func Show(k Kind) string { return "" }`)
	text, err := suggest(pkg, []string{"sample", "genKind", "TestShowNoPanic"}).Text("")
	require.NoError(t, err)
	for _, want := range []string{"type sample2 struct {", "var got sample2\n", "bigen.For[sample2]()", "var genKind2 = ", "Check(t, genKind2, ", "func TestShowNoPanic2("} {
		require.Contains(t, string(text), want)
	}
}

// Generators make texts like those of tests, with other digits, words in quotes, and spaces.
func TestPatternsOf(t *testing.T) {
	require.Equal(t, []string{`"(a|[a-z]{0,6})": {1,3}[0-9]{1,2}|`, `v[0-9]\.[0-9]`},
		patternsOf([]string{`"a": 17`, "v1.2"}))
	require.Equal(t, []string{"[1,]", "a"}, diverse([]string{"a", "b", "[1,]", "[25,]"}))
	require.Empty(t, diverse(nil))
}

// What takes bytes gets the texts that tests give it.
func TestBytesOfTests(t *testing.T) {
	p := suggest(packageOf(t, "", `func Clean(b []byte) []byte { return b }`), nil)
	p.texts = map[string][]string{"Clean": {"[1]", "{}"}}
	s := p.scene()
	c := p.api[0]
	arg := s.valueOf(c, c.params[0], false)
	code := s.check("_ = "+c.text(arg), []*callable{c})
	require.Contains(t, code, "fuzzext.Check(t, genCleanBytes, ")
	require.Contains(t, p.gens["genCleanBytes"], "`\\[[0-9]\\]|`+\n`\\{\\}`), func(s string) []byte")
	require.Contains(t, p.gens["genCleanBytes"], `bigen.Tag("any", bigen.Bytes(0, 64))`)
}

// A stack is seen from its end, where it has a method for that.
func TestDeque(t *testing.T) {
	text, err := suggest(packageOf(t, "", `type T struct{ list []int }
		func (t *T) Append(n int) {}
		func (t *T) Pop() (int, bool) { return 0, false }
		func (t *T) First() (int, bool) { return 0, false }
		func (t *T) Last() (int, bool) { return 0, false }`), nil).Text("")
	require.NoError(t, err)
	stack, queues, _ := strings.Cut(string(text), "// T behaves like a queue")
	require.NotContains(t, stack, "t2.First()")
	require.Contains(t, stack, "t2.Last()")
	require.Contains(t, queues, "t2.First()")
}
