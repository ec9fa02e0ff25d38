package mistake

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// shownSource is a program in which names have one use, literals have types, operators touch, and
// numbers are no numbers.
const shownSource = `package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
	"sync"
)

var calls int

func may() error { calls++; fmt.Println("may", calls); return errors.New("x") }

func ret(n int) (int, error) {
	if n > 2 {
		return n, may()
	}
	if n > 1 {
		return n, fmt.Errorf("%d", n)
	}
	return 0, errors.New("none")
}

func floats(x, y float64) []bool { return []bool{x < y, x <= y, x > y, x >= y, x == y, x != y} }

type ord interface{ ~int | ~float64 }

func gen[T ord](x, y T) bool { return x >= y }

func div(x float64) float64 {
	y := 7.0
	z := 3.0 / 2
	return x/y + y/2 + z
}

func runes() string {
	r := '\n'
	b := "q"
	return fmt.Sprintf("%T%v%s", r, r, b)
}

func anys() string { return fmt.Sprintf("%T %T %T", 2.0, 'a', '\x00') }

func lost(m map[string]int, names []string) (total int) {
	for i, n := range names {
		m[n] = i
	}
	sort.Strings(names)
outer:
	for _, n := range names {
		for _, c := range n {
			if c == 'z' {
				break outer
			}
			total++
		}
	}
	w, err := os.Getwd()
	if err != nil {
		total += len(w)
	}
	_ = w
	return total
}

func labels(x int, s string) int {
	switch x {
	case 1:
		return 10
	case 2, 3:
		return 20
	case 5:
		return 50
	}
	switch s {
	case "":
		return 1
	case "a":
		return 2
	}
	m := map[int]int{1: 2, 2: 3, 5: 6}
	k := map[bool]int{true: 1, false: 2}
	return m[x] + k[x > 1]
}

func ptr(p *int, q int) []int { return []int{q+-q, q**p, 7%*p, q&^*p, q - -q, q/(1), q*0, q+(-q)} }

// The kind of a value, and a lock that nothing else needs.
func kind(v any, mu *sync.Mutex) string {
	switch v := v.(type) {
	case int:
		calls += v
	}
	held := mu
	held.Lock()
	defer held.Unlock()
	return "some"
}

func consts(a [1]int, s []int) int {
	n := a[0] + len(s[0:0]) + len(make([]int, 0, 0)) + int("a"[0])
	n /= 1
	n %= 3
	return n / 1 % 5
}

func try() error {
	err := may()
	return err
}

func multi() (a, b error) { return may(), may() }

func main() {
	defer fmt.Println("deferred")
	fmt.Println(ret(3))
	fmt.Println(ret(2))
	fmt.Println(ret(1))
	for _, x := range []float64{1, math.NaN(), 0} {
		fmt.Println(floats(x, 0.5), gen(x, 2), gen(1, 1))
	}
	fmt.Println(div(4), runes(), anys())
	fmt.Println(lost(map[string]int{}, strings.Fields("b az c zz")))
	for i := range 7 {
		fmt.Println(labels(i, "a"), labels(i, ""), labels(i, "c"))
	}
	x := 3
	fmt.Println(ptr(&x, 2), consts([1]int{4}, []int{1}))
	fmt.Println(try(), kind(3, &sync.Mutex{}))
	fmt.Println(multi())
}
`

// asShown returns a program as somebody writes it who reads a mistake.
func asShown(t *testing.T, code string, m Mistake) string {
	lines, before := strings.Split(code, "\n"), strings.Split(m.Before, "\n")
	first := m.Line - 1
	last := first + len(before)
	for i := range before {
		require.Equal(t, before[i], strings.TrimRight(lines[first+i], " \t"))
	}
	return strings.Join(lines[:first], "\n") + "\n" + m.After + "\n" + strings.Join(lines[last:], "\n")
}

// Each mistake compiles as it is shown.
func TestShownCompiles(t *testing.T) {
	world, err := os.ReadFile("../../../../internal/testing/goprogram/world/world.go")
	require.NoError(t, err)
	for _, code := range []string{sameSource, shownSource, string(world)} {
		p := packageOf(t, code)
		g, err := p.Compile(t.Context())
		require.NoError(t, err)
		require.Greater(t, len(g.Mistakes), 100)
		for _, m := range g.Mistakes {
			f, err := p.parse("a.go", []byte(asShown(t, code, m)))
			require.NoError(t, err, m)
			require.Empty(t, p.Check([]loader.File{f}), m)
		}
	}
}

// A program with a mistake does what it does as it is shown.
func TestShownSame(t *testing.T) {
	g, err := packageOf(t, shownSource).Compile(t.Context())
	require.NoError(t, err)
	dir := t.TempDir()
	build := func(name string, texts map[string][]byte) string {
		at := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(at, 0o777))
		for path, text := range texts {
			require.NoError(t, os.WriteFile(filepath.Join(at, filepath.Base(path)), text, 0o666))
		}
		cmd := exec.Command("go", "build", "-o", "p.exe", ".")
		cmd.Dir = at
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return filepath.Join(at, "p.exe")
	}
	run := func(program string, vars ...string) string {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, program)
		cmd.Env = append(os.Environ(), vars...)
		out, err := cmd.CombinedOutput()
		printed, _, _ := strings.Cut(string(out), "\ngoroutine ") // the stack has places
		return fmt.Sprint(printed, err)
	}
	mod := []byte("module example.com/p\n\ngo 1.22\n")
	g.Texts["go.mod"] = mod
	made := build("made", g.Texts)
	for i, m := range g.Mistakes {
		if i%long.Count(12, 1) > 0 {
			continue
		}
		shown := build("shown", map[string][]byte{"go.mod": mod, "a.go": []byte(asShown(t, shownSource, m))})
		require.Equal(t, run(shown), run(made, Order{Number: m.Number, Turns: 1000, Seconds: 20}.Text()),
			"%s:\n%s\n%s", m.Kind, m.Before, m.After)
	}
}

// What is left out still uses what nothing else uses, and a negation is the one that is made.
func TestShown(t *testing.T) {
	for _, c := range []struct{ code, kind, want string }{
		{"func F(m map[int]int) { for i := range 3 { m[i] = 1 } }", "statement", "if false { m[i] = 1 }"},
		{"func F(m map[int]int) { for i := range 3 { m[i] = i; m[0] = i } }", "statement", "{ ; m[0] = i }"},
		{"func F(m map[int]int) { i := 1; i = 2; m[i] = 1 }", "statement", "if false { m[i] = 1 }"},
		{"func F(m map[int]int, i int) { m[i] = 1 }", "statement", "{  }"},
		{"var i int; func F(m map[int]int) { m[i] = 1 }", "statement", "{  }"},
		{"func F() { L: for { for { break L } } }", "statement", "if false { break L }"},
		{`import "os"; func F() { os.Exit(1) }`, "statement", "if false { os.Exit(1) }"},
		{`import "os"; func F() { defer os.Exit(1) }`, "defer", "if false { defer os.Exit(1) }"},
		{"func F() { defer func() { x := 1; _ = x }() }", "defer", "{  }"},
		{"func F(f func() error) int { if err := f(); err != nil { return 1 }; return 2 }", "error",
			"if err := f(); false && err != nil {"},
		{"func F(err error) int { if err != nil { return 1 }; return 2 }", "error", "if false {"},
		{"func F(f func() error) error { err := f(); return err }", "error", "_ = err; return nil"},
		{"func F(err error) error { return err }", "error", "{ return nil }"},
		{"func F(f func() error) error { return f() }", "error", "{ _ = f(); return nil }"},
		{`import "fmt"; var _ = fmt.Sprint; func F() error { return fmt.Errorf("x") }`, "error",
			"{ return nil }"},
		{`import "fmt"; func F() error { return fmt.Errorf("x") }`, "error",
			`{ _ = fmt.Errorf("x"); return nil }`},
		{"func F(x, y float64) bool { return x < y }", "condition", "return !(x < y)"},
		{"func F[T int | float32](x, y T) bool { return x >= y }", "condition", "return !(x >= y)"},
		{"func F(x, y float64) bool { return x == y }", "condition", "return x != y"},
		{"func F(x, y int) bool { return x < y }", "condition", "return x >= y"},
		{"func F(x, y int) int { return x+-y }", "arithmetic", "return x- -y"},
		{"func F(x int, y *int) int { return x**y }", "arithmetic", "return x/ *y"},
		{"func F(x int, y *int) int { return x/-*y }", "arithmetic", "return x/ *y"},
	} {
		g, err := packageOf(t, "package p\n\n"+c.code+"\n").Compile(t.Context())
		require.NoError(t, err)
		found, all := false, ""
		for _, m := range g.Mistakes {
			found = found || string(m.Kind) == c.kind && strings.Contains(m.After, c.want)
			all += string(m.Kind) + ": " + m.After + "\n"
		}
		require.True(t, found, "%s: %s in\n%s", c.kind, c.want, all)
	}
}

// A constant does not change if the compiler would reject the change.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		code string
		want int // numbers and texts that change
	}{
		{"switch x { case 2: case 3: }", 1}, // 2
		{"switch x { case 2, 3, 5: }", 2},
		{"switch v { case 2: case int8(3): }", 2},
		{`switch s { case "": case "a": }`, 1}, // ""
		{`switch s { case "b": case "a": }`, 2},
		{"switch { case x == 1: case x == 2: }", 2},
		{"_ = map[int]bool{1: b, 2: b}", 1},
		{"_ = map[bool]bool{true: b, false: b}", 0},
		{"_ = map[any]bool{true: b, 0: b}", 2},
		{"_ = map[any]bool{2: b, int8(3): b}", 2},
		{"_ = map[int]int{1: 2, 3: 3}", 4},
		{"x = x / 1", 0},
		{"x = x % (1)", 0},
		{"x /= 1", 0},
		{"x /= 2", 1},
		{"x *= 1", 1},
		{"f = f / 1.0", 1},
		{"x = a[0]", 0},
		{`x = int("a"[0])`, 0},
		{"x = xs[0]", 1},
		{"xs = xs[0:0]", 1},
		{"xs = make([]int, 0, 0)", 0},
		{"panic(1)", 1},
	} {
		g, err := packageOf(t, "package p\n\nfunc F(x int, f float64, s string, b bool, v any, a [1]int, "+
			"xs []int) {\n"+c.code+"\n_, _ = x, xs }\n").Compile(t.Context())
		require.NoError(t, err)
		n := 0
		for _, m := range g.Mistakes {
			if m.Kind == Constant {
				n++
			}
		}
		require.Equal(t, c.want, n, c.code)
	}
	g, err := packageOf(t, "package p\n\nfunc F(x int) int { return x*0 }\n").Compile(t.Context())
	require.NoError(t, err)
	for _, m := range g.Mistakes {
		require.NotEqual(t, Arithmetic, m.Kind)
	}
}
