package apigen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What makes the first value of a type that no call of the package makes from nothing.
func TestEnable(t *testing.T) {
	for _, c := range []struct {
		name, imports, declarations string
		ops                         string
		left                        []Left
	}{
		{name: "a reader of the standard library", imports: `import "io"`, declarations: `func Read(r io.Reader) {}`,
			ops: "new(bytes.Buffer) bytes.NewBufferString iotest.OneByteReader iotest.HalfReader iotest.TimeoutReader iotest.ErrReader strings.NewReader bytes.NewReader p.Read"},
		{name: "no value of an interface", declarations: `type Shape interface{ area() int }
			func Measure(s Shape) {}
			func Do() {}`,
			ops: "p.Do", left: []Left{{"p.Measure", "no value is known for its parameter s of the type p.Shape"}}},
		{name: "a stub of an interface", declarations: `type Shape interface{ Area() int }
			func Measure(s Shape) {}
			func Do() {}`,
			ops: "p.Measure p.Do"},
		{name: "a type stands for an interface", declarations: `type Shape interface{ Area() int }
			type Square struct{ side int }
			func NewSquare(side int) *Square { return &Square{side} }
			func (s *Square) Area() int { return s.side * s.side }
			func Measure(s Shape) {}`,
			ops: "p.NewSquare square.Area p.Measure"},
		{name: "a loop that nothing begins", declarations: `type Shape interface{ area() int }
			func Grow(s Shape) Shape { return s }
			func Do() {}`,
			ops: "p.Do", left: []Left{{"p.Grow", "no value is known for its parameter s of the type p.Shape"}}},
		{name: "only fields", declarations: `type Options struct{ N int }
			func Do() {}`,
			ops: "p.Do"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEnum(packageOf(t, c.imports, c.declarations), Options{})
			var names []string
			for _, o := range e.ops {
				names = append(names, o.name)
			}
			require.Equal(t, c.ops, strings.Join(names, " "))
			require.Equal(t, c.left, e.left)
		})
	}
}

// Errors of the package stand for errors, those of others do not.
func TestOwnErrors(t *testing.T) {
	body := newEnum(packageOf(t, `import "io/fs"`, `type Fault struct{ text string }
		func (f Fault) Error() string { return f.text }
		func Log(err error) *fs.PathError { return nil }`), Options{}).body()
	require.Contains(t, body, "\napi.Assign(errs, faults, func(v *p.Fault) error { return v })\n")
	require.Equal(t, 1, strings.Count(body, "api.Assign("))
}

// Values of two interfaces with the same methods stand for each other.
func TestSameInterfaces(t *testing.T) {
	body := newEnum(packageOf(t, "", `
		type Query interface{ Next() bool }
		type Rows interface{ Next() bool }
		func Ask() Query { return nil }
		func Find() Rows { return nil }
		func Count(q Query, r Rows) int { return 0 }`), Options{}).body()
	require.Contains(t, body, "\napi.Assign(queries, allRows, func(v p.Rows) p.Query { return v })\n")
	require.Contains(t, body, "\napi.Assign(allRows, queries, func(v p.Query) p.Rows { return v })\n")
}
