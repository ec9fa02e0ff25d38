package corpus

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// Code returns arguments of a target as Go code, as f.Add takes them. Texts of several lines are raw
// strings, if these can hold them. Numbers that are infinite, or none, use package math.
func Code(args []any) (code []string) {
	for _, arg := range args {
		code = append(code, codeOf(arg))
	}
	return code
}

func codeOf(arg any) string {
	switch v := arg.(type) {
	case []byte:
		return "[]byte(" + quoted(string(v)) + ")"
	case string:
		return quoted(v)
	case bool, int:
		return fmt.Sprint(v)
	case float64:
		return floatCode("float64", v)
	case float32:
		if bits := math.Float32bits(v); v != v && bits != math.Float32bits(float32(math.NaN())) {
			return fmt.Sprintf("math.Float32frombits(0x%x)", bits)
		}
		code := floatCode("float32", float64(v))
		if strings.HasPrefix(code, "math.") {
			return "float32(" + code + ")"
		}
		return fmt.Sprintf("float32(%v)", v)
	}
	return fmt.Sprintf("%v(%v)", reflect.TypeOf(arg), arg)
}

func floatCode(kind string, v float64) string {
	switch {
	case math.IsNaN(v) && math.Float64bits(v) != math.Float64bits(math.NaN()) && kind == "float64":
		return fmt.Sprintf("math.Float64frombits(0x%x)", math.Float64bits(v))
	case math.IsNaN(v):
		return "math.NaN()"
	case math.IsInf(v, 0):
		return fmt.Sprintf("math.Inf(%v)", math.Copysign(1, v))
	case v == 0 && math.Signbit(v):
		return "math.Copysign(0, -1)"
	}
	return fmt.Sprintf("%s(%v)", kind, v)
}

func quoted(s string) string {
	if _, ok := Text(s); ok && !strings.ContainsAny(s, "`\uFEFF") {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// Size returns how many bytes arguments have: a text its length, an int or uint 8, and any other
// number, or a bool, those of its type.
func Size(args []any) (size int) {
	for _, arg := range args {
		switch v := arg.(type) {
		case []byte:
			size += len(v)
		case string:
			size += len(v)
		case int, uint: // on any machine
			size += 8
		default:
			size += int(reflect.TypeOf(v).Size())
		}
	}
	return size
}

// Text returns the text of an argument, if it has several lines and shows as it is.
func Text(arg any) (text string, ok bool) {
	switch v := arg.(type) {
	case []byte:
		text = string(v)
	case string:
		text = v
	}
	if !strings.Contains(strings.TrimRight(text, "\n"), "\n") {
		return "", false
	}
	for i, r := range text {
		if r == unicode.ReplacementChar && !strings.HasPrefix(text[i:], "\uFFFD") ||
			r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return "", false
		}
	}
	return text, true
}
