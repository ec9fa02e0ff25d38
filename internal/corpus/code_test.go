package corpus

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCode(t *testing.T) {
	for _, c := range []struct {
		arg  any
		want string
	}{
		{[]byte("mode="), `[]byte("mode=")`},
		{[]byte{}, `[]byte("")`},
		{"\x00\xff", `"\x00\xff"`},
		{"{\n\t\"a\": 1\n}", "`{\n\t\"a\": 1\n}`"},
		{"one line\n", `"one line\n"`},
		{"a`b\nc", "\"a`b\\nc\""},
		{"a\r\nb", `"a\r\nb"`},
		{"a\n\xffb", `"a\n\xffb"`},
		{true, "true"}, {7, "7"}, {int8(-7), "int8(-7)"}, {byte('d'), "uint8(100)"},
		{'x', "int32(120)"}, {uint64(math.MaxUint64), "uint64(18446744073709551615)"},
		{1.5, "float64(1.5)"}, {1e300, "float64(1e+300)"}, {float32(2), "float32(2)"},
		{math.Float64frombits(0xfff2787dd4d8c2ed), "math.Float64frombits(0xfff2787dd4d8c2ed)"},
		{math.Float32frombits(0x7fc00001), "math.Float32frombits(0x7fc00001)"},
		{math.NaN(), "math.NaN()"}, {math.Inf(-1), "math.Inf(-1)"},
		{float32(math.Inf(1)), "float32(math.Inf(1))"}, {math.Copysign(0, -1), "math.Copysign(0, -1)"},
	} {
		got := Code([]any{c.arg})
		require.Equal(t, []string{c.want}, got)
		if !strings.Contains(c.want, "math.") { // it is Go, of the type of the argument
			v, err := types.Eval(token.NewFileSet(), nil, 0, c.want)
			require.NoError(t, err)
			require.Equal(t, fmt.Sprintf("%T", c.arg), strings.Replace(types.Default(v.Type).String(), "[]byte", "[]uint8", 1))
		}
	}
}

func TestSize(t *testing.T) {
	require.Zero(t, Size(nil))
	require.Zero(t, Size([]any{"", []byte{}}))
	require.Equal(t, 5, Size([]any{"\x00\"", []byte("ä\n")}))
	for want, args := range map[int][]any{
		1: {true, byte(1), int8(1)}, 2: {int16(1), uint16(1)}, 4: {rune(1), uint32(1), float32(1)},
		8: {1, uint(1), int64(1), uint64(1), 1.0},
	} {
		require.Equal(t, want*len(args), Size(args), args)
	}
}

func TestText(t *testing.T) {
	for arg, want := range map[any]string{
		"a\nb":     "a\nb",
		"a\nb\n":   "a\nb\n",
		"a\n":      "",
		"a":        "",
		"a\nb\x1b": "",
		7:          "",
	} {
		text, ok := Text(arg)
		require.Equal(t, want, text)
		require.Equal(t, want != "", ok)
	}
	text, _ := Text([]byte("ä\n\tb"))
	require.Equal(t, "ä\n\tb", text)
}
