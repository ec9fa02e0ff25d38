package literal_test

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"os"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/espalier-go/espalier/internal/literal"
	"github.com/stretchr/testify/require"
)

// self is the import path of this package.
const self = "github.com/espalier-go/espalier/internal/literal_test"

type testCase struct {
	name  string
	value any
	want  string
}

func TestMain(m *testing.M) {
	literal.SetNewTakesValues(true)
	os.Exit(m.Run())
}

func pointer[T any](v T) *T { return &v }

// No test of this package runs beside others.
func TestOlderReleases(t *testing.T) {
	literal.SetNewTakesValues(false)
	defer literal.SetNewTakesValues(true)
	run(t, []testCase{
		{"pointer to int8", pointer(int8(5)), "&[]int8{5}[0]"},
		{"pointer to zero", new(int8), "new(int8)"},
		{"pointer to string", pointer("a"), `&[]string{"a"}[0]`},
		{"pointer to pointer", pointer(pointer(5)), "&[]*int{&[]int{5}[0]}[0]"},
		{"pointer to nil", new(*int), "new(*int)"},
		{"pointer to struct", &point{X: 1}, "&point{X: 1}"},
		{"pointer to struct pointer", pointer(&point{X: 1}), "&[]*point{{X: 1}}[0]"},
		{"pointer to slice", &[]int{1}, "&[]int{1}"},
		{"pointer to empty slice", &[]int{}, "&[]int{}"},
		{"pointer to nil slice", new([]int), "new([]int)"},
		{"pointer to bytes", pointer([]byte("a")), `&[][]byte{[]byte("a")}[0]`},
		{"pointer to array", &[2]int{0, 1}, "&[2]int{0, 1}"},
		{"pointer to map", &map[string]*int{"a": pointer(1)},
			`&map[string]*int{"a": &[]int{1}[0]}`},
		{"pointer to interface", pointer(any(int8(5))), "&[]any{int8(5)}[0]"},
		{"pointer to nil interface", new(error), "new(error)"},
		{"pointer to time", pointer(time.Unix(5, 0)), "&[]time.Time{time.Unix(5, 0)}[0]"},
		{"named pointer", namedPointer(pointer(5)), "namedPointer(&[]int{5}[0])"},
	})
}

type namedPointer *int

func TestLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"module m\n\ngo 1.26.0 // the oldest\n": "go1.26.0",
		"go 1.24\r\ntoolchain go1.27.3\r\n":     "go1.24",
		"module go\n// go 1.26\n":               "",
		"":                                      "",
	} {
		require.Equal(t, want, literal.Language([]byte(text)), text)
	}
}

func run(t *testing.T, tests []testCase) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, literal.Of(tt.value, self))
		})
	}
}

var basicCases = []testCase{
	{"nil", nil, "nil"},
	{"bool", true, "true"},
	{"named bool", myBool(false), "myBool(false)"},
	{"int", -5, "-5"},
	{"int8", int8(-5), "int8(-5)"},
	{"rune", 'x', "int32(120)"},
	{"byte", byte(7), "uint8(7)"},
	{"uint64", uint64(math.MaxUint64), "uint64(18446744073709551615)"},
	{"uintptr", uintptr(16), "uintptr(16)"},
	{"named int", myInt(5), "myInt(5)"},
	{"float64", 1.5, "1.5"},
	{"integral float64", 2.0, "float64(2)"},
	{"zero float64", 0.0, "float64(0)"},
	{"large float64", 1e20, "1e+20"},
	{"float32", float32(0.1), "float32(0.1)"},
	{"named float", myFloat(1.5), "myFloat(1.5)"},
	{"NaN", math.NaN(), "math.NaN()"},
	{"NaN float32", float32(math.NaN()), "float32(math.NaN())"},
	{"infinity", math.Inf(1), "math.Inf(1)"},
	{"negative infinity", math.Inf(-1), "math.Inf(-1)"},
	{"negative zero", math.Copysign(0, -1), "math.Copysign(0, -1)"},
	{"complex128", 1 + 2i, "complex(1, 2)"},
	{"complex64", complex64(1 - 0.1i), "complex64(complex(1, -0.1))"},
	{"complex128 NaN", complex(math.NaN(), 2), "complex(math.NaN(), 2)"},
	{
		"complex64 infinity", complex64(complex(math.Inf(1), 0.5)),
		"complex64(complex(math.Inf(1), 0.5))",
	},
	{
		"complex64 NaN and fraction", complex64(complex(math.NaN(), 0.1)),
		"complex64(complex(math.NaN(), 0.10000000149011612))",
	},
	{"string", "a\n`\"\xff", `"a\n` + "`" + `\"\xff"`},
	{"named string", myString("a"), `myString("a")`},
	{"duration", 5 * time.Second, "5 * time.Second"},
	{"one hour", time.Hour, "time.Hour"},
	{"negative duration", -1500 * time.Microsecond, "-1500 * time.Microsecond"},
	{"least duration", time.Duration(math.MinInt64), "-9223372036854775808 * time.Nanosecond"},
	{"zero duration", time.Duration(0), "time.Duration(0)"},
	{"time in UTC", time.Unix(5, 7).UTC(), "time.Date(1970, 1, 1, 0, 0, 5, 7, time.UTC)"},
	{"local time", time.Unix(5, 7), "time.Unix(5, 7)"},
	{"time with zone", time.Unix(5, 7).In(time.FixedZone("X", 60)),
		`time.Date(1970, 1, 1, 0, 1, 5, 7, time.FixedZone("X", 60))`},
	{"zero time", time.Time{}, "time.Time{}"},
	{"named time", myTime(time.Unix(5, 7)), "myTime(time.Unix(5, 7))"},
	{"enumeration", time.March, "time.Month(3)"},
}

func TestOfBasic(t *testing.T) { run(t, basicCases) }

var compositeCases = []testCase{
	{"struct", point{X: 1}, "point{X: 1}"},
	{"zero struct", point{}, "point{}"},
	{"unexported field", line{tags: []string{"a"}}, `line{tags: []string{"a"}}`},
	{"pointer to struct", &point{Y: 2}, "&point{Y: 2}"},
	{"pointer field", line{From: &point{X: 1}}, "line{From: &point{X: 1}}"},
	{"negative zero field", everything{F: math.Copysign(0, -1)},
		"everything{F: math.Copysign(0, -1)}"},
	{"implied float", everything{F: 2, F32: 0.5, MF: 2}, "everything{F: 2, F32: 0.5, MF: 2}"},
	{"NaN of named type", everything{MF: myFloat(math.NaN())}, "everything{MF: myFloat(math.NaN())}"},
	{"implied complex", everything{C: 1, C64: 2i}, "everything{C: complex(1, 0), C64: complex(0, 2)}"},
	{"implied rune", everything{R: 'x', I8: 1, P: 2}, "everything{I8: 1, R: 120, P: 2}"},
	{"implied duration", everything{Dur: time.Second}, "everything{Dur: time.Second}"},
	{"implied string", everything{MS: "a"}, `everything{MS: "a"}`},
	{
		"unexported time", everything{unexport: time.Unix(1e9, 1)},
		"everything{unexport: time.Unix(1000000000, 1)}",
	},
	{"zero interface value", everything{Any: 0}, "everything{Any: 0}"},
	{"typed nil in interface", everything{Any: (*point)(nil)}, "everything{Any: (*point)(nil)}"},
	{"interface", everything{Err: failure{1}, Any: int8(1)},
		"everything{Any: int8(1), Err: failure{Code: 1}}"},
	{"blank field in type", struct{ _, X int }{X: 1}, "struct {\n\t_ int\n\tX int\n}{X: 1}"},
	{
		"negative zero part", everything{C: complex(0, math.Copysign(0, -1))},
		"everything{C: complex(0, math.Copysign(0, -1))}",
	},

	{"pointer to int8", pointer(int8(5)), "new(int8(5))"},
	{"pointer to string", pointer("a"), `new("a")`},
	{"pointer to float", pointer(2.0), "new(float64(2))"},
	{"pointer to pointer", pointer(pointer(5)), "new(new(5))"},
	{"pointer to nil", new(*int), "new((*int)(nil))"},
	{"pointer to struct pointer", pointer(&point{X: 1}), "new(&point{X: 1})"},
	{"pointer to slice", &[]int{1}, "new([]int{1})"},
	{"pointer to nil slice", new([]int), "new([]int(nil))"},
	{"pointer to interface", pointer(any(5)), "new(any(5))"},
	{"pointer to nil interface", new(error), "new(error(nil))"},
	{"pointer to time", pointer(time.Unix(5, 0)), "new(time.Unix(5, 0))"},
	{"addresses",
		[]any{netip.MustParseAddr("fe80::1%eth0"), netip.Addr{},
			netip.MustParsePrefix("10.0.0.0/8"), netip.MustParseAddrPort("[::1]:80")},
		"[]any{\n\tnetip.MustParseAddr(\"fe80::1%eth0\"),\n\tnetip.Addr{},\n" +
			"\tnetip.MustParsePrefix(\"10.0.0.0/8\"),\n\tnetip.MustParseAddrPort(\"[::1]:80\"),\n}"},
	{"pointer to an address", pointer(netip.MustParseAddr("::1")), `new(netip.MustParseAddr("::1"))`},
	{"pointer to zero time", new(time.Time), "&time.Time{}"},
	{"implied pointers", everything{IntPtr: pointer(1), PtrPtr: pointer(pointer(2))},
		"everything{IntPtr: new(1), PtrPtr: new(new(2))}"},
	{"nil pointer", (*point)(nil), "(*point)(nil)"},
	{"named pointer", myPtr(&point{X: 1}), "myPtr(&point{X: 1})"},
	{"named nil pointer", myPtr(nil), "myPtr(nil)"},
	{"named pointer field", everything{MyPtr: &point{X: 1}}, "everything{MyPtr: &point{X: 1}}"},
	{"named pointer elements", []myPtr{{X: 1}}, "[]myPtr{&point{X: 1}}"},

	{"slice", []int{1, 0}, "[]int{1, 0}"},
	{"nil slice", []int(nil), "[]int(nil)"},
	{"empty slice", []int{}, "[]int{}"},
	{"empty slice field", everything{Ints: []int{}}, "everything{Ints: []int{}}"},
	{"named slice", mySlice{{X: 1}, {}}, "mySlice{{X: 1}, {}}"},
	{"elided struct", []point{{X: 1}, {}}, "[]point{{X: 1}, {}}"},
	{"elided pointer", []*point{{X: 1}, nil}, "[]*point{{X: 1}, nil}"},
	{"elided slice", [][]int{{1}, nil, {}}, "[][]int{{1}, nil, {}}"},
	{"interfaces", []any{1, "a", nil, 2.0, []int{1}}, `[]any{1, "a", nil, float64(2), []int{1}}`},
	{"array", [2]int8{1, 0}, "[2]int8{1, 0}"},
	{"zero array", [4]int{}, "[4]int{}"},
	{"times", []time.Time{{}, time.Unix(1, 0)}, "[]time.Time{{}, time.Unix(1, 0)}"},
	{"bytes", []byte("a\x00"), `[]byte("a\x00")`},
	{"empty bytes", []byte{}, `[]byte("")`},
	{"nil bytes", []byte(nil), "[]byte(nil)"},
	{"named bytes", myBytes("a"), `myBytes("a")`},
	{"bytes of named type", []myByte("a"), `[]myByte("a")`},
	{"byte array", [2]byte{1, 2}, "[2]byte{1, 2}"},
	{"elements of bytes", [][]byte{[]byte("a"), nil}, `[][]byte{[]byte("a"), nil}`},

	{"map", map[string]point{"b": {X: 1}, "a": {}}, `map[string]point{"a": {}, "b": {X: 1}}`},
	{"nil map", map[string]int(nil), "map[string]int(nil)"},
	{"empty map", myMap{}, "myMap{}"},
	{"int keys", map[int]bool{10: true, 9: false, -1: true},
		"map[int]bool{-1: true, 9: false, 10: true}"},
	{"uint keys", map[uint8]int{10: 1, 9: 2}, "map[uint8]int{9: 2, 10: 1}"},
	{"bool keys", map[bool]int{true: 1, false: 2}, "map[bool]int{false: 2, true: 1}"},
	{"float keys", map[float64]int{2: 1, -1.5: 2, 10: 3}, "map[float64]int{-1.5: 2, 2: 1, 10: 3}"},
	{"NaN keys", map[float64]int{math.NaN(): 2, math.NaN(): 1, 0: 3},
		"map[float64]int{math.NaN(): 1, math.NaN(): 2, 0: 3}"},
	{"struct keys", map[point]int{{X: 2}: 1, {X: 1}: 2}, "map[point]int{{X: 1}: 2, {X: 2}: 1}"},
	{"interface keys", map[any]int{"a": 1, 2: 2, 1.5: 3, nil: 4},
		`map[any]int{"a": 1, 1.5: 3, 2: 2, nil: 4}`},
	{"pointer keys", map[*point]int{{X: 2}: 1, {X: 1}: 2}, "map[*point]int{{X: 1}: 2, {X: 2}: 1}"},
	{"keys that print alike", map[*point]string{{}: "b", {}: "c", {}: "a"},
		`map[*point]string{{}: "a", {}: "b", {}: "c"}`},
}

var bigCases = []testCase{
	{"small", big.NewInt(-5), "big.NewInt(-5)"},
	{"zero", new(big.Int), "&big.Int{}"},
	{"large", new(big.Int).Lsh(big.NewInt(1), 64),
		`func() *big.Int { n, _ := new(big.Int).SetString("18446744073709551616", 10); return n }()`},
	{"value", *big.NewInt(7), "*big.NewInt(7)"},
	{"part", []*big.Int{big.NewInt(7), nil}, "[]*big.Int{big.NewInt(7), nil}"},
	{"field", box[big.Int]{*big.NewInt(7)}, "box[big.Int]{V: *big.NewInt(7)}"},
}

func TestOfBig(t *testing.T) { run(t, bigCases) }

func TestOfComposite(t *testing.T) { run(t, compositeCases) }

var typeCases = []testCase{
	{"generic", box[int]{5}, "box[int]{V: 5}"},
	{"argument of the package", box[point]{}, "box[point]{}"},
	{"argument of another package", box[time.Duration]{}, "box[time.Duration]{}"},
	{"versioned import path", box[rand.PCG]{}, "box[rand.PCG]{}"},
	{"other generic", &atomic.Pointer[point]{}, "&atomic.Pointer[point]{}"},
	{
		"arguments", pair[myInt, map[string]*big.Int]{Key: 1},
		"pair[myInt, map[string]*big.Int]{Key: 1}",
	},
	{"nested arguments", box[[]box[*point]]{}, "box[[]box[*point]]{}"},
	{"any argument", box[any]{2.0}, "box[any]{V: float64(2)}"},
	{"function argument", box[func(int, ...point) (int, error)]{},
		"box[func(int, ...point) (int, error)]{}"},
	{"channel argument", box[chan<- (<-chan int)]{}, "box[chan<- <-chan int]{}"},
	{"empty struct argument", box[struct{}]{}, "box[struct{}]{}"},
	{
		"struct argument", box[twoFields]{},
		"box[struct {\n\tX int \"k:\\\"x;{ }\\\"\"\n\ty string\n}]{}",
	},
	{
		"embedding argument", box[embedded]{},
		"box[struct {\n\tpoint\n\t*line\n\tbox[int]\n}]{}",
	},
	{
		"interface argument", box[methods]{},
		"box[interface {\n\tRead([]uint8) (int, error)\n\tclose()\n}]{}",
	},

	{"one field", struct{ A int }{1}, "struct{ A int }{A: 1}"},
	{"two fields", twoFields{X: 1}, "struct {\n\tX int `k:\"x;{ }\"`\n\ty string\n}{X: 1}"},
	{
		"embedded fields", embedded{point: point{X: 1}},
		"struct {\n\tpoint\n\t*line\n\tbox[int]\n}{point: point{X: 1}}",
	},
	{"empty struct", struct{}{}, "struct{}{}"},
	{"set", map[string]struct{}{"a": {}}, `map[string]struct{}{"a": {}}`},
	{"interface", []interface{ error }{nil}, "[]interface{ Error() string }{nil}"},
	{"nil function", (func(int, ...string) (int, error))(nil),
		"(func(int, ...string) (int, error))(nil)"},
	{"nil functions", ([]func())(nil), "([]func())(nil)"},
	{"nil channel", (chan int)(nil), "(chan int)(nil)"},
	{"nil receive channel", (<-chan int)(nil), "(<-chan int)(nil)"},
	{"nil send channel", (chan<- int)(nil), "(chan<- int)(nil)"},
	{"channel of channels", (chan (<-chan int))(nil), "(chan (<-chan int))(nil)"},
	{"named nil function", myFunc(nil), "myFunc(nil)"},
	{"nil unsafe pointer", unsafe.Pointer(nil), "unsafe.Pointer(nil)"},
}

func TestOfTypes(t *testing.T) { run(t, typeCases) }

func TestOfLocalType(t *testing.T) {
	type local struct{ A int }
	require.Equal(t, "box[local]{V: local{A: 1}}", literal.Of(box[local]{local{1}}, self))
}

func TestOfQualifiers(t *testing.T) {
	v := map[string]any{
		"a": box[point]{}, "b": time.Unix(1, 0), "c": []time.Duration{}, "d": math.NaN(),
	}
	for pkg, want := range map[string]string{
		"": `map[string]any{
	"a": literal_test.box[literal_test.point]{},
	"b": time.Unix(1, 0),
	"c": []time.Duration{},
	"d": math.NaN(),
}`,
		self: `map[string]any{
	"a": box[point]{},
	"b": time.Unix(1, 0),
	"c": []time.Duration{},
	"d": math.NaN(),
}`,
		"time": `map[string]any{
	"a": literal_test.box[literal_test.point]{},
	"b": Unix(1, 0),
	"c": []Duration{},
	"d": math.NaN(),
}`,
	} {
		require.Equal(t, want, literal.Of(v, pkg), "in package %q", pkg)
	}
}

func TestOfInexpressible(t *testing.T) {
	x := 5
	selfRef := &node{Value: 1}
	selfRef.Left = selfRef
	slice := []any{1, nil}
	slice[1] = slice
	shorter := []any{nil, 1}
	shorter[0] = shorter[:1]
	m := map[string]any{}
	m["m"] = m
	var iface any
	iface = &iface
	var ptr selfPtr
	ptr = &ptr
	key := &graph{Name: "a"}
	key.Edges = map[*graph]int{key: 1, {Name: "b"}: 2}

	run(t, []testCase{
		{"function", func(int) string { return "" }, "nil /* func(int) string */"},
		{"named function", myFunc(func(int) string { return "" }), "nil /* myFunc */"},
		{
			"function of struct", func(twoFields) {},
			"nil /* func(struct{ X int `k:\"x;{ }\"`; y string }) */",
		},
		{"comment in comment", func(struct {
			A int `k:"*/"`
		}) {
		}, "nil /* func(struct{ A int `k:\"* /\"` }) */"},
		{"function field", everything{Func: func(int) string { return "" }},
			"everything{Func: nil /* func(int) string */}"},
		{"pointer to function", pointer(func() {}), "new((func())(nil /* func() */))"},
		{"channel", make(chan int), "nil /* chan int */"},
		{"unsafe pointer", unsafe.Pointer(&x), "nil /* unsafe.Pointer */"},
		{"pointer cycle", selfRef, "&node{Value: 1, Left: nil /* cycle */}"},
		{"slice cycle", slice, "[]any{1, nil /* cycle */}"},
		{"cycle in a shorter slice", shorter, "[]any{[]any{nil /* cycle */}, 1}"},
		{"map cycle", m, `map[string]any{"m": nil /* cycle */}`},
		{"interface cycle", iface, "new(any(nil /* cycle */))"},
		{"bare pointer cycle", ptr, "selfPtr(new(selfPtr(nil /* cycle */)))"},
		{
			"cycle through key", key,
			`&graph{Name: "a", Edges: map[*graph]int{nil /* cycle */ : 1, {Name: "b"}: 2}}`,
		},
		{"shared pointer", []*int{&x, &x}, "[]*int{new(5), new(5)}"},
		{"struct and first field", firstField(), "first{Inner: &first{}, Self: &first{}}"},
	})
}

type first struct{ Inner, Self *first }

func firstField() first {
	shared := &first{}
	return first{Inner: shared, Self: shared}
}

// Only unsafe code can set a blank field, and no expression can.
func TestOfBlankField(t *testing.T) {
	var v box[blank]
	*(*int)(unsafe.Pointer(&v)) = 7
	require.Equal(t, "blank{}", literal.Of(v.V, self))
	require.Equal(t, "box[blank]{}", literal.Of(v, self))
}

func TestOfIgnoresMethods(t *testing.T) {
	require.Equal(t, "literal_test.failure{Code: 1}", literal.Of(failure{1}, ""))
	require.Equal(t, `&errors.errorString{s: "x"}`, literal.Of(errors.New("x"), ""))
}
