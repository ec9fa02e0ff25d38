package mistake

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sameSource is a program that depends on the order of evaluation, on types of constants, and on
// what else a call in place of an operation could change.
const sameSource = `package main

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"time"
)

type pair struct{ a, b int }

var global = 3

var start = global*2 + len("abc") - 1

// These are initialized in this order, whatever mistakes they have.
var (
	first  = -seen("first")
	second = seen("second")
	third  = maker{}.call()
	fourth = seen("fourth") + later
	later  = seen("later") * 2
)

var log []string

//corpusgen:keep so that what calls it need not depend on mistakes
func seen(text string) int { log = append(log, text); return len(log) }

// What a method reads is not what its caller depends on, if an interface is between them.
type made interface{ make() int }

type maker struct{ made }

func (m maker) call() int { return value{}.as().make() }

type value struct{}

func (v value) as() made { return v }

func (value) make() int {
	n := seen("third")
	return 12 + n
}

func (p *pair) set(n int) int { p.a = n; return n }

func change(p *int, n int) int { *p = n; return n }

func many() (int, bool, int) {
	x := pair{1, 2}
	p := &x
	return p.a + 1, p.a < 2, p.set(7) + p.a
}

func order() []int {
	n := 1
	xs := []int{n + 1, change(&n, 5), n - 1, global + 1, change(&global, 9), global * 2}
	i := 0
	xs[i], i = xs[1]+i, change(&i, 2)
	return append(xs, i)
}

func shifts(s uint) (uint64, any, float64) {
	var a uint64 = 1<<s + 1
	var b any = 1<<s - 1
	return a << 3 >> 1, b, float64(a) / 2
}

type unit int

const small unit = 3

func units(d time.Duration, u unit) (time.Duration, unit, bool) {
	return d * time.Second / 2, u%2 + small*5, u < small && -u > -100
}

type number interface{ ~int | ~float64 }

func sum[T number](xs ...T) (s T) {
	for i := 0; i < len(xs); i++ {
		s += xs[i]
	}
	for range xs {
		s--
	}
	return s
}

func nan(x, y float64) []bool { return []bool{x < y, x >= y, !(x <= y), x != y} }

func fails(n int) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("recovered")
		}
	}()
	if n == 0 {
		return errors.New("zero")
	}
	return fmt.Errorf("%d of %d", 10/(n-1), n)
}

type counter struct {
	sync.Mutex
	n uint8
}

func (c *counter) add(by uint8) {
	c.Lock()
	defer c.Unlock()
	c.n += by
	c.n++
}

func label(r rune, s string) string {
	switch {
	case r == 'a', r > 'x' && s != "":
		return "first"
	}
	switch r {
	case 'b', '0' + 3:
		return "second"
	}
	switch s {
	case "":
		return "empty"
	}
	return "none"
}

func swapped(a, b int, c string) string { return fmt.Sprint(a-b, c) }

func channels() (total int) {
	c := make(chan int, 3)
	for i := range 3 {
		c <- i * i
	}
	close(c)
	for x := range c {
		total += x + 1
	}
	v, ok := <-c
	if !ok && v == 0 {
		total *= 2
	}
	return total
}

func main() {
	fmt.Println(start, global)
	fmt.Println(first, second, third, fourth, later, log)
	fmt.Println(many())
	fmt.Println(order(), global)
	fmt.Println(shifts(5))
	fmt.Println(units(7, 4))
	fmt.Println(sum(1, 2, 3), sum(1.5, 2))
	fmt.Println(nan(math.NaN(), 1), nan(1, 2))
	fmt.Println(fails(0), fails(1), fails(3))
	c := &counter{n: 250}
	c.add(9)
	fmt.Println(c.n, label('a', ""), label('z', "x"), label('3', ""), label('q', ""))
	fmt.Println(swapped(5, 3, "x"), channels())
	m := map[string]int{}
	m["a"]++
	m["b"] -= 4
	fmt.Println(m)
}
`

// A program with mistakes does what it does without, as long as none is chosen. One that is chosen
// shows.
func TestSame(t *testing.T) {
	p := packageOf(t, sameSource)
	g, err := p.Compile(t.Context())
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	run := func(program string, vars ...string) string {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), vars...)
		out, err := cmd.CombinedOutput()
		if len(vars) == 0 {
			require.NoError(t, err, string(out))
		}
		return string(out)
	}
	build := func(name string) string {
		program := filepath.Join(dir, name)
		cmd := exec.Command("go", "build", "-o", program, ".")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return program
	}
	write("go.mod", "module example.com/p\n\ngo 1.22\n")
	write("a.go", sameSource)
	want := run(build("plain.exe"))
	for path, text := range g.Texts {
		write(filepath.Base(path), string(text))
	}
	program := build("mistaken.exe")
	require.Equal(t, want, run(program))
	told := filepath.Join(dir, "told")
	require.NoError(t, os.WriteFile(told, nil, 0o666))
	require.Equal(t, want, run(program, Order{File: told}.Text()))
	text, err := os.ReadFile(told)
	require.NoError(t, err)
	reached, turns := Told(text)
	require.Greater(t, turns, int64(4))
	require.Greater(t, len(reached), len(g.Mistakes)*9/10)
	for _, m := range g.Mistakes {
		if m.Func == "first" || m.Func == "value.make" { // which are in use before main
			require.True(t, reached[m.Number], m)
		}
	}
	differ := 0
	for _, m := range g.Mistakes {
		if out := run(program, Order{Number: m.Number, Turns: 1000, Seconds: 20}.Text()); out != want {
			differ++
		} else {
			require.NotEqual(t, "first", m.Func, m)
			require.NotEqual(t, "value.make", m.Func, m)
		}
	}
	require.Greater(t, differ, len(g.Mistakes)*3/4, strings.TrimSpace(want))
}
