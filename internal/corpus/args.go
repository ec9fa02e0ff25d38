package corpus

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MarshalArgs returns the file that holds the arguments of a target, byte for byte as the
// engine writes it. It panics if testing.F does not support the type of an argument.
func MarshalArgs(args []any) []byte {
	file := []byte(version + "\n")
	for _, arg := range args {
		switch v := arg.(type) {
		case []byte:
			file = fmt.Appendf(file, "[]byte(%q)\n", v)
		case string:
			file = fmt.Appendf(file, "string(%q)\n", v)
		case byte:
			file = fmt.Appendf(file, "byte(%q)\n", v)
		case rune:
			if utf8.ValidRune(v) {
				file = fmt.Appendf(file, "rune(%q)\n", v)
			} else {
				file = fmt.Appendf(file, "int32(%v)\n", v)
			}
		case float32:
			if bits := math.Float32bits(v); v != v && bits != math.Float32bits(float32(math.NaN())) {
				file = fmt.Appendf(file, "math.Float32frombits(0x%x)\n", bits)
			} else {
				file = fmt.Appendf(file, "float32(%v)\n", v)
			}
		case float64:
			if bits := math.Float64bits(v); v != v && bits != math.Float64bits(math.NaN()) {
				file = fmt.Appendf(file, "math.Float64frombits(0x%x)\n", bits)
			} else {
				file = fmt.Appendf(file, "float64(%v)\n", v)
			}
		case bool, int, int8, int16, int64, uint, uint16, uint32, uint64:
			file = fmt.Appendf(file, "%T(%v)\n", v, v)
		default:
			panic(fmt.Sprintf("corpus: testing.F does not support arguments of type %T", arg))
		}
	}
	return file
}

// NameOf returns the name that the engine gives to a corpus file.
func NameOf(file []byte) string {
	sum := sha256.Sum256(file)
	return fmt.Sprintf("%x", sum[:8])
}

// UnmarshalArgs returns the arguments that a corpus file holds, at least one. It accepts what
// the engine accepts.
func UnmarshalArgs(file []byte) (args []any, err error) {
	if len(file) == 0 {
		return nil, fmt.Errorf("file is empty: want the header %q and the arguments of the target",
			version)
	}
	header, body, _ := bytes.Cut(file, []byte("\n"))
	if header = bytes.TrimSuffix(header, []byte("\r")); string(header) != version {
		return nil, fmt.Errorf("unknown header %s: want %q", abbreviate(header), version)
	}
	return ParseArgs(string(body))
}

// ParseArgs returns the arguments that the lines of a corpus file after its header hold, at least one.
func ParseArgs(body string) (args []any, err error) {
	for line := range strings.SplitSeq(body, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		arg, err := parseArg([]byte(line))
		if err != nil {
			return nil, fmt.Errorf("malformed value %s: %w", abbreviate([]byte(line)), err)
		}
		args = append(args, arg)
	}
	if len(args) == 0 {
		return nil, errors.New("no value after the header: want the arguments of the target")
	}
	return args, nil
}

// parseArg evaluates TYPE(LITERAL), an expression of Go's syntax.
func parseArg(line []byte) (any, error) {
	expr, err := parser.ParseExprFrom(token.NewFileSet(), "", line, 0)
	if err != nil {
		return nil, err
	}
	call, ok := expr.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, errors.New("want TYPE(LITERAL)")
	}
	typ := typeName(call.Fun)
	kind, text, err := literal(call.Args[0])
	if err != nil {
		return nil, err
	}
	switch {
	case kind == token.STRING && (typ == "[]byte" || typ == "string"):
		s, err := strconv.Unquote(text)
		if typ == "string" || err != nil {
			return s, err
		}
		return []byte(s), nil
	case kind == token.IDENT && typ == "bool":
		return text == "true", nil
	case kind == token.CHAR && (typ == "byte" || typ == "rune"):
		code, _, _, err := strconv.UnquoteChar(text[1:len(text)-1], '\'')
		switch {
		case err != nil:
			return nil, err
		case typ == "rune":
			return code, nil
		case code > math.MaxUint8:
			return nil, errors.New("the character is not a byte")
		}
		return byte(code), nil
	case kind == token.INT && typ != "float32" && typ != "float64":
		return integer(typ, text)
	case kind == token.INT || kind == token.FLOAT:
		return float(typ, text)
	}
	return nil, fmt.Errorf("no literal of this kind is an argument of type %s", typ)
}

// typeName returns the name of a type, or function, to which an argument is converted.
func typeName(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return typeName(f.X) + "." + f.Sel.Name
	case *ast.ArrayType:
		if isByteSlice(f) {
			return "[]byte"
		}
	}
	return "?"
}

// literal returns the kind of a literal and its text, with a sign. The kind of true and false
// is [token.IDENT].
func literal(e ast.Expr) (kind token.Token, text string, err error) {
	sign := ""
	if u, ok := e.(*ast.UnaryExpr); ok && (u.Op == token.SUB || u.Op == token.ADD) {
		sign, e = u.Op.String(), u.X
	}
	switch x := e.(type) {
	case *ast.BasicLit:
		if sign != "+" && (sign == "" || x.Kind == token.INT || x.Kind == token.FLOAT) {
			return x.Kind, sign + x.Value, nil
		}
	case *ast.Ident:
		switch {
		case sign != "" && x.Name == "Inf", sign == "" && x.Name == "NaN":
			return token.FLOAT, sign + x.Name, nil
		case sign == "" && (x.Name == "true" || x.Name == "false"):
			return token.IDENT, x.Name, nil
		}
	}
	return 0, "", errors.New("want a literal")
}

// integers are the types of integers that testing.F supports.
var integers = map[string]reflect.Type{
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](),
	"int32": reflect.TypeFor[int32](), "rune": reflect.TypeFor[rune](),
	"int64": reflect.TypeFor[int64](),
	"uint":  reflect.TypeFor[uint](), "uint8": reflect.TypeFor[uint8](),
	"byte":   reflect.TypeFor[byte](),
	"uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](),
	"uint64": reflect.TypeFor[uint64](),
}

// integer returns an integer of a type, or the number with its bits.
func integer(typ, text string) (any, error) {
	switch typ {
	case "math.Float32frombits":
		u, err := strconv.ParseUint(text, 0, 32)
		return math.Float32frombits(uint32(u)), err
	case "math.Float64frombits":
		u, err := strconv.ParseUint(text, 0, 64)
		return math.Float64frombits(u), err
	}
	t, ok := integers[typ]
	if !ok {
		return nil, fmt.Errorf("%s is not an integer type that testing.F supports", typ)
	}
	v := reflect.New(t).Elem()
	if v.CanInt() {
		i, err := strconv.ParseInt(text, 0, t.Bits())
		v.SetInt(i)
		return v.Interface(), err
	}
	u, err := strconv.ParseUint(text, 0, t.Bits())
	v.SetUint(u)
	return v.Interface(), err
}

func float(typ, text string) (any, error) {
	switch typ {
	case "float32":
		f, err := strconv.ParseFloat(text, 32)
		return float32(f), err
	case "float64":
		return strconv.ParseFloat(text, 64)
	}
	return nil, fmt.Errorf("%s is not a floating-point type that testing.F supports", typ)
}
