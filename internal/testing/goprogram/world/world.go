// Package world is what the programs of package goprogram import: functions and types with side
// effects, which a trace records.
package world

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

// A W is the world of one run of a program.
type W struct {
	A, Total int
	Xs       []int
	M        map[string]int
	Flag     B
	Count    atomic.Int64
	Word     int32

	mu    sync.Mutex
	trace bytes.Buffer
	fuel  int
}

// New returns a new world.
func New() *W { return &W{Xs: []int{1, 2, 3}, M: map[string]int{"a": 1}, fuel: 400} }

// Types with names of their own.
type (
	B bool
	N int
	S string
	F float64
)

// A Pair can be compared.
type Pair struct{ A, B int }

// Sum is a method of a value.
func (p Pair) Sum() int { return p.A + p.B }

type inner struct{ Deep int }

func (in *inner) Inc() int { in.Deep++; return in.Deep }

// A Pt promotes what is in a struct without an exported name.
type Pt struct {
	inner
	X, Y int
}

// Add is a method of a pointer.
func (p *Pt) Add(i int) int { p.X += i; return p.X }

// Area is the method of Shape.
func (p *Pt) Area() int { return p.X * p.Y }

// A Shape is an interface.
type Shape interface{ Area() int }

// A Square is a Shape without a pointer.
type Square int

// Area is the method of Shape.
func (s Square) Area() int { return int(s * s) }

type hidden struct{ sync.Mutex }

type hiddenRW struct{ *sync.RWMutex }

// A Guarded promotes the methods of a lock from a struct without an exported name.
type Guarded struct {
	hidden
	Value int
}

// A GuardedRW promotes the methods of a lock that a pointer leads to.
type GuardedRW struct {
	hiddenRW
	Value int
}

// NewRW returns a GuardedRW.
func NewRW() *GuardedRW { return &GuardedRW{hiddenRW{new(sync.RWMutex)}, 0} }

// An Err is an error.
type Err struct{ Code int }

func (e *Err) Error() string { return fmt.Sprint("error ", e.Code) }

// A Box is generic.
type Box[T any] struct{ V T }

// Get is a method of a generic type.
func (b *Box[T]) Get() T { return b.V }

// Set is a method of a generic type.
func (b *Box[T]) Set(v T) *Box[T] { b.V = v; return b }

// Id is generic.
func Id[T any](v T) T { return v }

// Map is generic.
func Map[A, B any](list []A, f func(A) B) (all []B) {
	for _, v := range list {
		all = append(all, f(v))
	}
	return all
}

// Sum is variadic.
func Sum(list ...int) (n int) {
	for _, v := range list {
		n += v
	}
	return n
}

// First returns the first of two values.
func First[A, B any](a A, _ B) A { return a }

// Second returns the second of two values.
func Second[A, B any](_ A, b B) B { return b }

type fuel struct{}

// P adds a line to the trace. A program that adds many lines ends.
func (w *W) P(args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fuel--; w.fuel < 0 {
		panic(fuel{})
	}
	fmt.Fprintln(&w.trace, args...)
}

// Trace returns the trace.
func (w *W) Trace() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.trace.String() + fmt.Sprintln(w.A, w.Total, w.Xs, w.M, w.Flag, w.Count.Load(), w.Word)
}

// K returns an integer that is not a constant.
func (w *W) K(i int) int { w.P("K", i); return i }

// F changes the world.
func (w *W) F(i int) int {
	w.P("F", i)
	w.A += i&7 + 1
	w.Total++
	return w.A ^ i
}

// AddTotal changes w.Total, and returns what it was.
func (w *W) AddTotal(i int) int {
	w.P("AddTotal", i)
	old := w.Total
	w.Total = w.Total*3 + i
	return old
}

// Grow changes w.Xs.
func (w *W) Grow(i int) int {
	w.P("Grow", i)
	w.Xs = append([]int{i}, w.Xs[:2]...)
	return len(w.Xs)
}

// Idx returns an index of w.Xs.
func (w *W) Idx(i int) int { w.P("Idx", i); w.A++; return i & 1 }

// Key returns a key of w.M, and changes w.M.
func (w *W) Key(s string) string {
	w.P("Key", s)
	w.M["k"]++
	return s[:min(1, len(s))]
}

// T is a condition with an effect.
func (w *W) T(b bool) bool { w.P("T", b); w.A++; return b }

// Str is a text with an effect.
func (w *W) Str(s string) string { w.P("Str", s); return s }

// Two returns two values.
func (w *W) Two(i int) (int, int) { w.P("Two", i); w.Total += i; return w.Total, i }

// Try returns a value and an error.
func (w *W) Try(i int) (int, error) {
	w.P("Try", i)
	if i&1 == 1 {
		return i, &Err{i}
	}
	return i + 1, nil
}

// Chan returns a closed channel that holds a value.
func (w *W) Chan(i int) chan int {
	w.P("Chan", i)
	c := make(chan int, 2)
	c <- i
	close(c)
	return c
}

// Open returns a channel with room for two values.
func (w *W) Open(i int) chan int { w.P("Open", i); return make(chan int, 2) }

// Never returns a nil channel.
func (w *W) Never(i int) chan int { w.P("Never", i); return nil }

// Bools returns a closed channel that holds a condition.
func (w *W) Bools(b bool) <-chan B {
	c := make(chan B, 1)
	c <- B(b)
	close(c)
	return c
}

// Ptr returns the place of w.A.
func (w *W) Ptr() *int { w.P("Ptr"); return &w.A }

// At returns a Pt.
func (w *W) At(i int) *Pt { w.P("At", i); return &Pt{X: i, Y: w.A & 3} }

// Fn returns a function.
func (w *W) Fn(i int) func(int) int {
	w.P("Fn", i)
	return func(j int) int { w.P("fn", i, j); w.Total += j; return i + w.Total }
}

// Seq counts up.
func (w *W) Seq(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		defer w.P("Seq ends")
		for i := range n & 3 {
			w.P("Seq", i)
			if !yield(i) {
				return
			}
		}
	}
}

// Seq2 counts up, and has texts.
func (w *W) Seq2(n int) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for i := range n & 3 {
			if !yield(i, strings.Repeat("x", i)) {
				return
			}
		}
	}
}

// Keys returns the keys of a map, sorted.
func Keys(m map[string]int) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// Line returns the line of the caller, and adds it to the trace.
func (w *W) Line() int {
	_, file, line, _ := runtime.Caller(1)
	w.P("line", filepath.Base(file), line)
	return line
}

// Func adds the name of the caller to the trace.
func (w *W) Func() {
	pc, _, _, _ := runtime.Caller(1)
	w.P("func", runtime.FuncForPC(pc).Name())
}

// Rec is deferred. It ends a panic, and tells where that was.
func (w *W) Rec(name string) {
	v := recover()
	if v == nil {
		return
	}
	if _, ok := v.(fuel); ok {
		return
	}
	w.quiet("recovered", name, v, panicLine())
}

// quiet is P that does not panic.
func (w *W) quiet(args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fuel--; w.fuel >= -20 {
		fmt.Fprintln(&w.trace, args...)
	}
}

// panicLine returns the place of the panic that is being recovered.
func panicLine() string {
	var pcs [50]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	panicking := false
	for {
		f, more := frames.Next()
		isRuntime := strings.HasPrefix(f.Function, "runtime.") ||
			strings.HasPrefix(f.Function, "reflect.") ||
			strings.Contains(f.File, "/schedule/point/") // which may close, send or select
		if panicking && !isRuntime {
			return fmt.Sprint(filepath.Base(f.File), ":", f.Line)
		}
		panicking = panicking || f.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}
