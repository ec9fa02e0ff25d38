package apigen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The changes of a function, each under a condition. Lines stay where they are.
func TestMutants(t *testing.T) {
	for _, c := range []struct {
		name, code, want string
		changes          []string
	}{
		{name: "conditions", code: `func F(a, b int) bool { if a < b { return a == 1 }; for f(a) {}; return f(b) }; func f(int) bool { return true }`,
			want:    `func F(a, b int) bool { if espalierMutant(1) != ((a < b || espalierMutant(2) && (a) == (b))) { return espalierMutant(3) != (a == 1) }; for espalierMutant(4) != (f(a)) {}; return f(b) }; func f(int) bool { return true }`,
			changes: []string{"F: a < b is negated", "F: a < b also counts if they are equal", "F: a == 1 is negated", "F: f(a) is negated"}},
		{name: "bounds of what is costly, or has effects, stay", code: `func F(xs []int) bool { return f() <= len(xs) && cap(xs) >= len(xs) }; func f() int { return 0 }`,
			want:    `func F(xs []int) bool { return espalierMutant(1) != (f() <= len(xs) && (cap(xs) >= len(xs) && !(espalierMutant(2) && (cap(xs)) == (len(xs))))) }; func f() int { return 0 }`,
			changes: []string{"F: f() <= len(xs) && cap(xs) >= len(xs) is negated", "F: cap(xs) >= len(xs) does not count if they are equal"}},
		{name: "constants", code: `const n = 1 + 1; type U uint8; func F(i int, u U, s string) (int, U, int, string) { return i + n - 1, u - 2, 1<<i - 1, s + "x" }`,
			want:    `const n = 1 + 1; type U uint8; func F(i int, u U, s string) (int, U, int, string) { return espalierEither[int](espalierMutant(1), i + n, espalierEither[int](espalierMutant(2), i, i + n) - 1), espalierEither(espalierMutant(3), u, u - 2), espalierEither[int](espalierMutant(4), 1<<i, 1<<i - 1), s + "x" }`,
			changes: []string{"F: i + n - 1 is i + n", "F: i + n is i", "F: u - 2 is u", "F: 1<<i - 1 is 1<<i"}},
		{name: "statements", code: `func F(p *int, xs []int) { *p = 1; x := 2; x++; _ = x; f(); clear(xs); panic("no") }; func f() {}`,
			want:    `func F(p *int, xs []int) { if !espalierMutant(1) { *p = 1 }; x := 2; if !espalierMutant(2) { x++ }; _ = x; if !espalierMutant(3) { f() }; if !espalierMutant(4) { clear(xs) }; panic("no") }; func f() {}`,
			changes: []string{"F: *p = 1 is left out", "F: x++ is left out", "F: f() is left out", "F: clear(xs) is left out"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := packageOf(t, "", c.code)
			info, err := p.checked(p.files)
			require.NoError(t, err)
			text, changes := p.changed(p.files[0], []byte("package p\n\n"+c.code), info, 1)
			require.Equal(t, c.want, strings.TrimPrefix(string(text), "package p\n\n"))
			require.Equal(t, c.changes, changes)
		})
	}
}

// What reaches beyond the process is not changed.
func TestMutantsAreHarmless(t *testing.T) {
	p := packageOf(t, `import "os"`, `func F(a int) { if a > 0 { os.Exit(a) } }`)
	_, err := p.Mutants(false)
	require.ErrorContains(t, err, " imports os, and such files are not changed")
	p = packageOf(t, `import "net"`, `func F(a int) string { if a > 0 { return net.IPv4bcast.String() }; return "" }`)
	_, err = p.Mutants(true)
	require.ErrorContains(t, err, " imports net, and such files are not changed")
}
