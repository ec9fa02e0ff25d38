package apigen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The properties that names and types suggest.
func TestSuggest(t *testing.T) {
	for _, c := range []struct{ name, imports, declarations, want string }{
		{"functions", "", `func EncodeKey(k string) []byte { return nil }
			func DecodeKey(b []byte) (string, error) { return "", nil }`,
			"EncodeKeyRoundTrip DecodeKeyNoPanic"},
		{"forms", "", `func EncodeToString(b []byte) string { return "" }
			func DecodeString(s string) ([]byte, error) { return nil, nil }`,
			"EncodeToStringRoundTrip DecodeStringNoPanic"},
		{"other types", "", `func EncodeKey(k string) []byte { return nil }
			func DecodeKey(b []byte) (int, error) { return 0, nil }`,
			"EncodeKeyNoPanic DecodeKeyNoPanic"},
		{"other names", "", `func EncodeKey(k string) []byte { return nil }
			func DecodeLock(b []byte) (string, error) { return "", nil }`,
			"EncodeKeyNoPanic DecodeLockNoPanic"},
		{"methods", "", `type T struct{ N int }
			func (v T) MarshalText() ([]byte, error) { return nil, nil }
			func (v *T) UnmarshalText(b []byte) error { return nil }`,
			"TMarshalTextRoundTrip TUnmarshalTextNoPanic"},
		{"text", "", `type T struct{ n int }
			func ParseT(s string) (*T, error) { return nil, nil }
			func (v T) String() string { return "" }`,
			"TStringRoundTrip ParseTNoPanic"},
		{"the whole name", "", `func Comma(v int64) string { return "" }
			func ParseComma(s string) (int64, error) { return 0, nil }
			func Size(n float64, unit string) string { return "" }
			func SizeParse(s string) (float64, string, error) { return 0, "", nil }
			func Big(v int64) string { return "" }
			func ParseBig(s string) (int32, error) { return 0, nil }
			func Some(v int64) string { return "" }
			func ParseSomeText(s string) (int64, error) { return 0, nil }`,
			"CommaRoundTrip SizeRoundTrip ParseCommaNoPanic SizeParseNoPanic BigNoPanic ParseBigNoPanic SomeNoPanic ParseSomeTextNoPanic"},
		{"several values", "", `func JoinPair(a string, b int) string { return "" }
			func SplitPair(s string) (a string, b int, err error) { return "", 0, nil }`,
			"JoinPairRoundTrip SplitPairNoPanic"},
		{"a codec", "", `type Alphabet int
			func (a Alphabet) Encode(b []byte) string { return "" }
			func (a Alphabet) Decode(s string) ([]byte, error) { return nil, nil }`,
			"AlphabetEncodeRoundTrip AlphabetDecodeNoPanic"},
		{"any value", "", `func Marshal(v any) ([]byte, error) { return nil, nil }
			func Unmarshal(b []byte, v any) error { return nil }`,
			"MarshalRoundTrip UnmarshalNoPanic"},
		{"variants", "", `func Sum(b []byte) int { return 0 }
			func SumFast(b []byte) int { return 0 }
			func SumString(s string) int { return 0 }
			func AppendWord(dst []byte, n int) []byte { return nil }
			func FormatWord(n int) string { return "" }
			func WordFast(n int) bool { return true }
			func Word(n int) int { return 0 }`,
			"SumFastAgrees SumStringAgrees AppendWordAgrees WordFastNoPanic WordNoPanic"},
		{"idempotence", "", `func Clean(s string) string { return s }
			func TrimLeft(s, cut string) (string, error) { return s, nil }
			func Normalize(s string) int { return 0 }`,
			"CleanIdempotent TrimLeftIdempotent NormalizeNoPanic"},
		{"laws", "", `type T struct{ N int }
			func (a T) Compare(b T) int { return 0 }
			func (a T) Equal(b T) bool { return true }
			func Less(a, b string) bool { return true }`,
			"TCompareLaw TEqualLaw LessLaw"},
		{"left out", `import "os"`, `func Remove(s string) error { return clear(s) }
			func clear(s string) error { return os.RemoveAll(s) }
			// At panics if i is negative.
			func At(i int) int { return 0 }
			func Get(i int) int { return 0 }
			func MustGet(i int) int { return 0 }
			func Set(i int) {}
			func Now() int { return 0 }
			type List []int
			func (l List) Less(i, j int) bool { return l[i] < l[j] }
			func (l List) Remove(n int) int { return 0 }
			func (l List) clear() {}
			func (l List) Clear(n int) int { l.clear(); return 0 }`,
			"GetNoPanic ListRemoveNoPanic ListClearNoPanic"},
	} {
		var names []string
		for _, q := range suggest(packageOf(t, c.imports, c.declarations), nil).All {
			names = append(names, strings.TrimPrefix(q.Name, "Test"))
		}
		require.Equal(t, c.want, strings.Join(names, " "), c.name)
	}
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

// A weak property returns where it has discarded a value.
func TestWeaken(t *testing.T) {
	q := Property{Code: "x, ok := F(s)\nt.Assume(ok)\n"}
	require.True(t, q.Weaken())
	require.Equal(t, "x, ok := F(s)\nif !ok {\nreturn "+Weakened+"\n}\n", q.Code)
	require.False(t, q.Weaken())
}
