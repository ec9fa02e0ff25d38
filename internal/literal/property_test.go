package literal_test

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// requireFormatted fails unless expr is a Go expression that gofmt leaves as it is.
func requireFormatted(t *testing.T, expr string) {
	t.Helper()
	_, err := parser.ParseExpr(expr)
	require.NoError(t, err, "%s", expr)
	src := "package p\n\nvar _ = " + expr + "\n"
	got, err := format.Source([]byte(src))
	require.NoError(t, err, "%s", expr)
	require.Equal(t, src, string(got))
}

// A generator makes values of the fixtures' types.
type generator struct{ *rand.Rand }

var floats = []float64{
	0, math.Copysign(0, -1), 1, -2, 0.1, 1e6, 1e21, 1e300, math.MaxFloat64,
	math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), math.NaN(),
}

var texts = []string{
	"", "a", "`", "\"\n\\", "\xff\x00", "\ufeff", "ä€😀", "*/", strings.Repeat("long ", 20),
}

// dynamic lists the types of values in interfaces.
var dynamic = []reflect.Type{
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[float64](),
	reflect.TypeFor[complex64](), reflect.TypeFor[myFloat](), reflect.TypeFor[string](),
	reflect.TypeFor[myBytes](), reflect.TypeFor[[]myByte](), reflect.TypeFor[myTime](),
	reflect.TypeFor[mySlice](), reflect.TypeFor[myMap](), reflect.TypeFor[myPtr](),
	reflect.TypeFor[selfPtr](), reflect.TypeFor[selfList](), reflect.TypeFor[*any](),
	reflect.TypeFor[[]any](), reflect.TypeFor[map[any]any](), reflect.TypeFor[**point](),
	reflect.TypeFor[line](), reflect.TypeFor[*everything](), reflect.TypeFor[*node](),
	reflect.TypeFor[*graph](), reflect.TypeFor[map[point]*point](),
	reflect.TypeFor[map[float64][]any](), reflect.TypeFor[box[*box[time.Time]]](),
	reflect.TypeFor[pair[string, []twoFields]](), reflect.TypeFor[[2][]int](),
	reflect.TypeFor[func()](), reflect.TypeFor[<-chan int](), reflect.TypeFor[[]error](),
	reflect.TypeFor[map[[2]int]struct{}](), reflect.TypeFor[struct{ A any }](),
	reflect.TypeFor[[][][]any](), reflect.TypeFor[map[string]map[int8]any](),
}

// value returns a value of type t with up to the given number of levels.
func (g generator) value(t reflect.Type, levels int) reflect.Value {
	v := reflect.New(t).Elem()
	if levels == 0 {
		return v
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(g.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(g.Uint64()) >> g.IntN(64))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(g.Uint64() >> g.IntN(64))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(floats[g.IntN(len(floats))])
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(floats[g.IntN(len(floats))], floats[g.IntN(len(floats))]))
	case reflect.String:
		v.SetString(texts[g.IntN(len(texts))])
	case reflect.Interface:
		if t.NumMethod() > 0 {
			v.Set(reflect.ValueOf(failure{Code: g.IntN(3)}))
		} else if g.IntN(5) > 0 {
			v.Set(g.value(dynamic[g.IntN(len(dynamic))], levels-1))
		}
	case reflect.Pointer:
		if g.IntN(4) > 0 {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(g.value(t.Elem(), levels-1))
		}
	case reflect.Slice:
		if g.IntN(4) > 0 {
			v.Set(reflect.MakeSlice(t, g.IntN(4), 4))
		}
		for i := range v.Len() {
			v.Index(i).Set(g.value(t.Elem(), levels-1))
		}
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(g.value(t.Elem(), levels-1))
		}
	case reflect.Map:
		if g.IntN(4) > 0 {
			v.Set(reflect.MakeMap(t))
			for range g.IntN(4) {
				if k := g.value(t.Key(), levels-1); k.Comparable() {
					v.SetMapIndex(k, g.value(t.Elem(), levels-1))
				}
			}
		}
	case reflect.Struct:
		if t.ConvertibleTo(reflect.TypeFor[time.Time]()) {
			u := time.Unix(int64(g.Uint64()>>g.IntN(64))>>8, g.Int64N(1e9))
			if g.IntN(2) == 0 {
				u = u.UTC()
			}
			v.Set(reflect.ValueOf(u).Convert(t))
			break
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() && g.IntN(3) > 0 {
				v.Field(i).Set(g.value(t.Field(i).Type, levels-1))
			}
		}
	}
	return v
}

// generated returns a value that is the same for the same seed.
func generated(seed uint64) any {
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	return g.value(dynamic[g.IntN(len(dynamic))], 1+g.IntN(6)).Interface()
}

func TestOfIsFormatted(t *testing.T) {
	for _, tt := range slices.Concat(basicCases, compositeCases, typeCases) {
		for _, pkg := range []string{self, ""} {
			requireFormatted(t, literal.Of(tt.value, pkg))
			requireFormatted(t, literal.Of([]any{tt.value, struct{ A any }{tt.value}}, pkg))
		}
	}
	for seed := range uint64(2000) {
		requireFormatted(t, literal.Of(generated(seed), self))
	}
}

func TestOfIsDeterministic(t *testing.T) {
	for seed := range uint64(1000) {
		require.Equal(t, literal.Of(generated(seed), self), literal.Of(generated(seed), self))
	}
}

// TestOfHasTypeOfValue compiles expressions and compares their types with the
// types of the values.
func TestOfHasTypeOfValue(t *testing.T) {
	if version.Compare(runtime.Version(), "go1.26") >= 0 {
		hasTypeOfValue(t, "go1.26")
	}
	literal.SetNewTakesValues(false)
	defer literal.SetNewTakesValues(true)
	hasTypeOfValue(t, "go1.25")
}

func hasTypeOfValue(t *testing.T, release string) {
	var values []any
	for _, tt := range slices.Concat(basicCases, compositeCases, typeCases) {
		if tt.value != nil {
			values = append(values, tt.value)
		}
	}
	for seed := range long.Count(30, 1000) {
		values = append(values, generated(uint64(seed)))
	}

	src := new(strings.Builder)
	src.WriteString("package literal_test\n\nimport (\n")
	imports := []string{"math", "math/big", "math/rand/v2", "net/netip", "sync/atomic", "time",
		"unsafe"}
	for _, path := range imports {
		fmt.Fprintf(src, "%q\n", path)
	}
	src.WriteString(")\n\nvar (\n_ math.T\n_ big.Int\n_ rand.PCG\n_ atomic.Bool\n_ time.Time\n" +
		"_ netip.Addr\n_ unsafe.Pointer\n)\n")
	for i, v := range values {
		null := literal.Of(reflect.Zero(reflect.PointerTo(reflect.TypeOf(v))).Interface(), self)
		fmt.Fprintf(src, "\nvar v%d = %s\nvar _ = &v%d == %s\n", i, literal.Of(v, self), i, null)
	}
	code := strings.Replace(src.String(), "_ math.T", "_ = math.Pi", 1)

	fset := token.NewFileSet()
	fixtures, err := parser.ParseFile(fset, "fixtures_test.go", nil, 0)
	require.NoError(t, err)
	file, err := parser.ParseFile(fset, "values.go", code, 0)
	require.NoError(t, err)
	conf := types.Config{
		Importer: importer.ForCompiler(fset, "source", nil), GoVersion: release,
	}
	_, err = conf.Check(self, fset, []*ast.File{fixtures, file}, nil)
	if terr, ok := err.(types.Error); ok {
		line := fset.Position(terr.Pos).Line
		lines := strings.Split(code, "\n")
		require.NoError(t, err, "%s", strings.Join(lines[max(0, line-5):min(len(lines), line+5)], "\n"))
	}
	require.NoError(t, err)
}

// An unexported time is read without its methods. This must make no difference, except that its
// zone is not known.
func TestOfUnexportedTime(t *testing.T) {
	for _, u := range []time.Time{
		time.Now(), time.Now().UTC(), time.Now().Round(0), time.Unix(0, 0),
		time.Unix(-1, 999999999).UTC(),
		time.Date(1885, 1, 1, 0, 0, 0, 1, time.UTC), time.Date(-5000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 1, 1, 0, 0, 0, 0, time.Local), time.Now().In(time.FixedZone("UTC", 0)),
	} {
		got := literal.Of(everything{unexport: u}, self)
		if u.Location() != time.UTC {
			u = u.Local()
		}
		require.Equal(t, "everything{unexport: "+literal.Of(u, self)+"}", got)
	}
}

func FuzzOf(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		requireFormatted(t, literal.Of(generated(seed), self))
	})
}
