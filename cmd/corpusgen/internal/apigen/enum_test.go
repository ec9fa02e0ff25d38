package apigen

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packageOf returns a package with these declarations, which may name packages of the standard
// library.
func packageOf(t *testing.T, imports, declarations string) *Package {
	t.Helper()
	p := &Package{Path: "example.com/p", Name: "p", fset: token.NewFileSet()}
	f, err := parser.ParseFile(p.fset, "p.go", "package p\n"+imports+"\n"+declarations, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	p.files, p.lookup = []*ast.File{f}, importer.ForCompiler(p.fset, "gc", nil)
	p.types, err = (&types.Config{Importer: p.lookup}).Check(p.Path, p.fset, p.files, nil)
	require.NoError(t, err)
	return p
}

// An API has these operations, in this order, and leaves out the others for a reason.
func TestEnum(t *testing.T) {
	var wide []Left
	for _, name := range strings.Split("ABCDEFGHIJKLM", "") {
		wide = append(wide, Left{"wide." + name, Skipped})
	}
	for _, c := range []struct {
		name, imports, declarations string
		skip                        string
		ops                         string
		left                        []Left
	}{
		{name: "functions", declarations: `func Sum(a, b int) int { return a + b }
			func Names(all ...string) {}
			func hidden() {}`,
			ops: "p.Sum p.Names p.Names with 1 p.Names with 2"},
		{name: "a type by its constructor", declarations: `type T struct{ n int }
			func New(n int) *T { return &T{n} }
			func (t *T) Add(n int) { t.n += n }
			func (t *T) reset() {}`,
			ops: "p.New t.Add"},
		{name: "a type by its zero value", declarations: `type T struct{ n int }
			func (t *T) Add(n int) { t.n += n }`,
			ops: "new(p.T) t.Add"},
		{name: "locks are not copied", imports: `import "sync"`, declarations: `type T struct { L sync.Mutex; N int }
			type U struct { T *T; A [2]T }
			func New() *T { return nil }
			func Make() *U { return nil }
			func Take(t T) {}
			func Give() T { return T{} }`,
			ops: "t.N t.N = u.T p.New p.Make p.Give", left: []Left{
				{"t.L", "it is a value with a lock, which must not be copied"},
				{"u.T =", "setting it could break what the methods rely on"},
				{"u.A", "it is a value with a lock, which must not be copied"},
				{"p.Take", "its parameter t is a value with a lock, which must not be copied"},
			}},
		{name: "no value of an argument", declarations: `type hidden struct{ n int }
			func (hidden) Do() {}
			func Take(h hidden) {}
			func Give() {}`,
			ops: "p.Give", left: []Left{{"p.Take", "its parameter h is of the type hidden, which a test cannot name"}}},
		{name: "skipped", skip: "^p.Sum$", declarations: `func Sum(a, b int) int { return a + b }
			func Double(a int) int { return 2 * a }`,
			ops: "p.Double", left: []Left{{"p.Sum", "-skip matches it"}}},
		{name: "a field that is not set", skip: "N =$", declarations: `type T struct{ N, M int }
			func New() *T { return nil }`,
			ops: "t.N t.M t.M = p.New", left: []Left{{"t.N =", "-skip matches it"}}},
		{name: "locks", imports: `import "sync"`, declarations: `type T struct{ sync.Mutex }
			func (t *T) Do() {}`,
			ops: "new(p.T) t.Do", left: []Left{
				{"t.Lock", "two calls of a lock would wait for each other"},
				{"t.TryLock", "two calls of a lock would wait for each other"},
				{"t.Unlock", "two calls of a lock would wait for each other"},
			}},
		{name: "generic", declarations: `type Set[K comparable] struct{ m map[K]bool }
			func (s *Set[K]) Add(k K) {}
			func Keys[K comparable](s *Set[K]) []K { return nil }`,
			ops: "new(p.Set[int]) set.Add p.Keys[int]"},
		{name: "callbacks", declarations: `func Each(n int, f func(int) bool) {}
			func Sort(all []int, compare func(a, b int) int) {}`,
			ops: "p.Each p.Sort"},
		{name: "results feed arguments", declarations: `type Token struct{ at int }
			func Lex(s string) Token { return Token{} }
			func Parse(t Token) {}`,
			ops: "p.Token{} p.Lex p.Parse"},
		{name: "parts", declarations: `type Options struct {
				N   int
				Log func(string)
			}
			type Item struct{ n int }
			func NewItem() *Item { return nil }
			func Do(o Options, all []*Item) {}`,
			ops: "p.Options{N: n, Log: log} []*p.Item{a, b} p.Options{} p.NewItem p.Do"},
		{name: "a record with a constructor", declarations: `type Head struct{ N int }
			func New() *Head { return nil }
			func Write(h *Head) {}`,
			ops: "head.N head.N = p.New p.Write"},
		{name: "a part of a structure", declarations: `type Node struct{ Next *Node }
			func Read(s string) (*Node, error) { return nil, nil }
			func Write(n *Node) {}`,
			ops: "node.Next p.Read p.Write", left: []Left{{"node.Next =", "setting it could break what the methods rely on"}}},
		{name: "structures of users", declarations: `type Item struct{ Title string }
			type Feed struct {
				Items []*Item
				hidden int
			}
			func (f *Feed) Sort(less func(a, b *Item) bool) *Feed { return f }
			type Atom struct{ *Feed }
			func Write(a *Atom) {}`,
			ops: "[]*p.Item{a, b} new(p.Item) new(p.Feed) new(p.Atom) items[0] " +
				"item.Title item.Title = feed.Items feed.Items = feed.Sort atom.Sort p.Write"},
		{name: "errors come from calls", declarations: `type Fault struct{ Code int }
			func (f *Fault) Error() string { return "" }
			func Show(f *Fault) {}`,
			ops: "new(p.Fault) fault.Code fault.Code = fault.Error p.Show"},
		{name: "more fields than are set at once", declarations: `type Wide struct{ A, B, C, D, E, F, G, H, I, J, K, L, M int }
			func Do(w *Wide) {}`, skip: `^wide\.`,
			ops: "new(p.Wide) p.Do", left: wide},
		{name: "structures of the package", declarations: `type Shape interface{ Area() int }
			type Point struct{ X int }
			type Box struct{ Min *Point }
			func (b *Box) Area() int { return 0 }
			func Parse(s string) []Shape { return nil }`,
			ops: "new(p.Point) new(p.Box) shapes[0] point.X point.X = box.Min box.Area p.Parse", left: []Left{{"box.Min =", "setting it could break what the methods rely on"}}},
		{name: "what a result consists of", declarations: `type Item struct{ n int }
			func (i *Item) Show() {}
			func Items() []*Item { return nil }
			func Each() func(func(int, string) bool) { return nil }`,
			ops: "items[0] range f item.Show p.Items p.Each"},
		{name: "a zero value is skipped", skip: "^new", declarations: `type T struct{ n int }
			func (t *T) Init() {}
			func Do() {}`,
			ops: "p.Do", left: []Left{{"new(p.T)", "-skip matches it"}, {"t.Init", "no value is known for its receiver of the type *p.T"}}},
		{name: "pointers to what has no identity", imports: `import "time"`, declarations: `type Level int
			func (l Level) String() string { return "" }
			func Scan(level *Level, all *[]string, at *time.Time) {}
			func Time() *int { return nil }`,
			ops: "new([]string) new(p.Level) new(time.Time) *nPtr *levelValue *levelValue = *textsPtr *textsPtr = *time *time = level.String p.Scan p.Time"},
		{name: "pointers that calls return", declarations: `func Count() *int { return nil }
			func Use(n *int) {}`,
			ops: "*nPtr p.Count p.Use"},
		{name: "pointers that fields have", declarations: `type Options struct { N *int }
			func Use(o Options) {}`,
			ops: "p.Options{N: n} new(int) p.Options{} *nPtr *nPtr = p.Use"},
		{name: "pointers to values with methods", declarations: `type Once int
			func (o *Once) Do() {}
			func Use(o *Once) {}`,
			ops: "new(p.Once) once.Do p.Use"},
		{name: "channels", declarations: `func Send(c chan<- func()) {}
			func Go() {}`,
			ops: "p.Go", left: []Left{{"p.Send", "its parameter c is a channel"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var opts Options
			if c.skip != "" {
				opts.Skip = regexp.MustCompile(c.skip)
			}
			e := newEnum(packageOf(t, c.imports, c.declarations), opts)
			var names []string
			for _, o := range e.ops {
				names = append(names, o.name)
			}
			require.Equal(t, c.ops, strings.Join(names, " "))
			require.Equal(t, c.left, e.left)
		})
	}
}

// What makes the arguments of a type.
func TestGenerator(t *testing.T) {
	p := packageOf(t, `import "time"`, `
		type Color int
		const (
			Red Color = iota
			Green
		)
		type Point struct{ X, Y int }
		type Codes []int
		type List struct{ Next *List; N int }
		type hidden struct{ f func() }
		var (
			integer int
			ratio   float64
			ratios  []float64
			wave    complex128
			id      uint64
			text    string
			texts   []string
			color   Color
			point   Point
			list    *List
			wait    time.Duration
			pair    [1]byte
			codes   Codes
			secret  hidden
			channel chan int
		)`)
	e := newEnum(p, Options{})
	for name, want := range map[string]string{ // "" for what nothing makes
		"integer": `bigen.Prefer(bigen.IntRange[int](-10000, 10000), 0, 1, -1, 10, 100)`,
		"text":    `bigen.Prefer(bigen.String(4000), known...)`,
		"texts":   `bigen.SliceOf(bigen.Prefer(bigen.String(4000), known...), 0, 4)`,
		"ratio":   `bigen.Prefer(bigen.Float[float64](), 0, 1, -1, 0.5, 10, 100)`,
		"ratios":  `bigen.SliceOf(bigen.Prefer(bigen.Float[float64](), 0, 1, -1, 0.5, 10, 100), 0, 4)`,
		"wave":    `bigen.Prefer(bigen.Complex[complex128](), 0, 1, 1i)`,
		"id":      `bigen.Prefer(bigen.Int[uint64](), 0, 1, 10, 100)`,
		"color":   `bigen.Prefer(bigen.IntRange[p.Color](-10000, 10000), 0, 1, -1, 10, 100)`,
		"point":   "", // an operation makes it of its fields
		"list":    "", // a list may be long
		"wait":    `bigen.Prefer(bigen.IntRange[time.Duration](-10000, 3600000000000), 0, 1, -1, 10, 100)`,
		"pair":    `bigen.For[[1]byte]()`,
		"codes":   `bigen.For[p.Codes]()`,
		"secret":  "",
		"channel": "",
	} {
		require.Equal(t, want, e.generator(p.types.Scope().Lookup(name).Type(), 0), name)
	}
}

// Some names of export data are no Go.
func TestNameOf(t *testing.T) {
	for name, want := range map[string]string{"n": "n", "_": "", "": "", "#rv1": "", "range": "", "ä": "ä"} {
		require.Equal(t, want, nameOf(types.NewParam(token.NoPos, nil, name, types.Typ[types.Int])))
	}
}

// A package does not declare its own constructor twice.
func TestForeign(t *testing.T) {
	e := newEnum(packageOf(t, "", "type T struct{}\nfunc New() *T { return nil }"), Options{})
	require.False(t, e.foreign(e.pkg.types.Scope().Lookup("New").(*types.Func)))
}

func TestWords(t *testing.T) {
	for name, want := range map[string][2]string{
		"UUID":       {"uuid", "uuids"},
		"HTTPServer": {"httpServer", "httpServers"},
		"Query":      {"query", "queries"},
		"Key":        {"key", "keys"},
		"Box":        {"box", "boxes"},
		"Match":      {"match", "matches"},
		"Bus":        {"bus", "allBus"},
		"IDs":        {"ids", "allIds"},
	} {
		one := lowerFirst(name)
		require.Equal(t, want, [2]string{one, plural(one)}, name)
	}
}

// A harness that is written again keeps what stands around its lines, and nothing is written into
// a file without them.
func TestRecorded(t *testing.T) {
	require.Equal(t, "^p.Sum$", Recorded([]byte("package p\n\t"+skip+"^p.Sum$\n")))
	require.Empty(t, Recorded([]byte("package p\n")))
	_, err := (&Harness{}).Write([]byte("package p_test\n\nvar calls = 1\n"))
	require.ErrorIs(t, err, ErrForeign)
	_, err = (&Harness{}).Write([]byte("package p_test\n" + end + "\n" + begin + "\n"))
	require.ErrorIs(t, err, ErrForeign, "the lines are in the wrong order")
}
