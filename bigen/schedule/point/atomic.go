package point

import (
	"sync"
	"sync/atomic"
)

// An operation on an atomic value, or on a sync.Map, is a point, after its arguments are evaluated.
// The types here have the methods of the types of package sync/atomic with the same names.

// An Int32 is an atomic.Int32 whose methods are points.
type Int32 atomic.Int32

// Load is atomic.Int32.Load.
func (p *Int32) Load() int32 {
	passAt(p)
	return (*atomic.Int32)(p).Load()
}

// Store is atomic.Int32.Store.
func (p *Int32) Store(v int32) {
	passAt(p)
	(*atomic.Int32)(p).Store(v)
}

// Swap is atomic.Int32.Swap.
func (p *Int32) Swap(v int32) int32 {
	passAt(p)
	return (*atomic.Int32)(p).Swap(v)
}

// CompareAndSwap is atomic.Int32.CompareAndSwap.
func (p *Int32) CompareAndSwap(old, v int32) bool {
	passAt(p)
	return (*atomic.Int32)(p).CompareAndSwap(old, v)
}

// Add is atomic.Int32.Add.
func (p *Int32) Add(delta int32) int32 {
	passAt(p)
	return (*atomic.Int32)(p).Add(delta)
}

// And is atomic.Int32.And.
func (p *Int32) And(mask int32) int32 {
	passAt(p)
	return (*atomic.Int32)(p).And(mask)
}

// Or is atomic.Int32.Or.
func (p *Int32) Or(mask int32) int32 {
	passAt(p)
	return (*atomic.Int32)(p).Or(mask)
}

// An Int64 is an atomic.Int64 whose methods are points.
type Int64 atomic.Int64

// Load is atomic.Int64.Load.
func (p *Int64) Load() int64 {
	passAt(p)
	return (*atomic.Int64)(p).Load()
}

// Store is atomic.Int64.Store.
func (p *Int64) Store(v int64) {
	passAt(p)
	(*atomic.Int64)(p).Store(v)
}

// Swap is atomic.Int64.Swap.
func (p *Int64) Swap(v int64) int64 {
	passAt(p)
	return (*atomic.Int64)(p).Swap(v)
}

// CompareAndSwap is atomic.Int64.CompareAndSwap.
func (p *Int64) CompareAndSwap(old, v int64) bool {
	passAt(p)
	return (*atomic.Int64)(p).CompareAndSwap(old, v)
}

// Add is atomic.Int64.Add.
func (p *Int64) Add(delta int64) int64 {
	passAt(p)
	return (*atomic.Int64)(p).Add(delta)
}

// And is atomic.Int64.And.
func (p *Int64) And(mask int64) int64 {
	passAt(p)
	return (*atomic.Int64)(p).And(mask)
}

// Or is atomic.Int64.Or.
func (p *Int64) Or(mask int64) int64 {
	passAt(p)
	return (*atomic.Int64)(p).Or(mask)
}

// A Uint32 is an atomic.Uint32 whose methods are points.
type Uint32 atomic.Uint32

// Load is atomic.Uint32.Load.
func (p *Uint32) Load() uint32 {
	passAt(p)
	return (*atomic.Uint32)(p).Load()
}

// Store is atomic.Uint32.Store.
func (p *Uint32) Store(v uint32) {
	passAt(p)
	(*atomic.Uint32)(p).Store(v)
}

// Swap is atomic.Uint32.Swap.
func (p *Uint32) Swap(v uint32) uint32 {
	passAt(p)
	return (*atomic.Uint32)(p).Swap(v)
}

// CompareAndSwap is atomic.Uint32.CompareAndSwap.
func (p *Uint32) CompareAndSwap(old, v uint32) bool {
	passAt(p)
	return (*atomic.Uint32)(p).CompareAndSwap(old, v)
}

// Add is atomic.Uint32.Add.
func (p *Uint32) Add(delta uint32) uint32 {
	passAt(p)
	return (*atomic.Uint32)(p).Add(delta)
}

// And is atomic.Uint32.And.
func (p *Uint32) And(mask uint32) uint32 {
	passAt(p)
	return (*atomic.Uint32)(p).And(mask)
}

// Or is atomic.Uint32.Or.
func (p *Uint32) Or(mask uint32) uint32 {
	passAt(p)
	return (*atomic.Uint32)(p).Or(mask)
}

// A Uint64 is an atomic.Uint64 whose methods are points.
type Uint64 atomic.Uint64

// Load is atomic.Uint64.Load.
func (p *Uint64) Load() uint64 {
	passAt(p)
	return (*atomic.Uint64)(p).Load()
}

// Store is atomic.Uint64.Store.
func (p *Uint64) Store(v uint64) {
	passAt(p)
	(*atomic.Uint64)(p).Store(v)
}

// Swap is atomic.Uint64.Swap.
func (p *Uint64) Swap(v uint64) uint64 {
	passAt(p)
	return (*atomic.Uint64)(p).Swap(v)
}

// CompareAndSwap is atomic.Uint64.CompareAndSwap.
func (p *Uint64) CompareAndSwap(old, v uint64) bool {
	passAt(p)
	return (*atomic.Uint64)(p).CompareAndSwap(old, v)
}

// Add is atomic.Uint64.Add.
func (p *Uint64) Add(delta uint64) uint64 {
	passAt(p)
	return (*atomic.Uint64)(p).Add(delta)
}

// And is atomic.Uint64.And.
func (p *Uint64) And(mask uint64) uint64 {
	passAt(p)
	return (*atomic.Uint64)(p).And(mask)
}

// Or is atomic.Uint64.Or.
func (p *Uint64) Or(mask uint64) uint64 {
	passAt(p)
	return (*atomic.Uint64)(p).Or(mask)
}

// A Uintptr is an atomic.Uintptr whose methods are points.
type Uintptr atomic.Uintptr

// Load is atomic.Uintptr.Load.
func (p *Uintptr) Load() uintptr {
	passAt(p)
	return (*atomic.Uintptr)(p).Load()
}

// Store is atomic.Uintptr.Store.
func (p *Uintptr) Store(v uintptr) {
	passAt(p)
	(*atomic.Uintptr)(p).Store(v)
}

// Swap is atomic.Uintptr.Swap.
func (p *Uintptr) Swap(v uintptr) uintptr {
	passAt(p)
	return (*atomic.Uintptr)(p).Swap(v)
}

// CompareAndSwap is atomic.Uintptr.CompareAndSwap.
func (p *Uintptr) CompareAndSwap(old, v uintptr) bool {
	passAt(p)
	return (*atomic.Uintptr)(p).CompareAndSwap(old, v)
}

// Add is atomic.Uintptr.Add.
func (p *Uintptr) Add(delta uintptr) uintptr {
	passAt(p)
	return (*atomic.Uintptr)(p).Add(delta)
}

// And is atomic.Uintptr.And.
func (p *Uintptr) And(mask uintptr) uintptr {
	passAt(p)
	return (*atomic.Uintptr)(p).And(mask)
}

// Or is atomic.Uintptr.Or.
func (p *Uintptr) Or(mask uintptr) uintptr {
	passAt(p)
	return (*atomic.Uintptr)(p).Or(mask)
}

// A Bool is an atomic.Bool whose methods are points.
type Bool atomic.Bool

// Load is atomic.Bool.Load.
func (p *Bool) Load() bool {
	passAt(p)
	return (*atomic.Bool)(p).Load()
}

// Store is atomic.Bool.Store.
func (p *Bool) Store(v bool) {
	passAt(p)
	(*atomic.Bool)(p).Store(v)
}

// Swap is atomic.Bool.Swap.
func (p *Bool) Swap(v bool) bool {
	passAt(p)
	return (*atomic.Bool)(p).Swap(v)
}

// CompareAndSwap is atomic.Bool.CompareAndSwap.
func (p *Bool) CompareAndSwap(old, v bool) bool {
	passAt(p)
	return (*atomic.Bool)(p).CompareAndSwap(old, v)
}

// A Value is an atomic.Value whose methods are points.
type Value atomic.Value

// Load is atomic.Value.Load.
func (p *Value) Load() any {
	passAt(p)
	return (*atomic.Value)(p).Load()
}

// Store is atomic.Value.Store.
func (p *Value) Store(v any) {
	passAt(p)
	(*atomic.Value)(p).Store(v)
}

// Swap is atomic.Value.Swap.
func (p *Value) Swap(v any) any {
	passAt(p)
	return (*atomic.Value)(p).Swap(v)
}

// CompareAndSwap is atomic.Value.CompareAndSwap.
func (p *Value) CompareAndSwap(old, v any) bool {
	passAt(p)
	return (*atomic.Value)(p).CompareAndSwap(old, v)
}

// A PointerTo is an atomic.Pointer whose methods are points.
type PointerTo[T any] atomic.Pointer[T]

// Load is atomic.Pointer.Load.
func (p *PointerTo[T]) Load() *T {
	passAt(p)
	return (*atomic.Pointer[T])(p).Load()
}

// Store is atomic.Pointer.Store.
func (p *PointerTo[T]) Store(v *T) {
	passAt(p)
	(*atomic.Pointer[T])(p).Store(v)
}

// Swap is atomic.Pointer.Swap.
func (p *PointerTo[T]) Swap(v *T) *T {
	passAt(p)
	return (*atomic.Pointer[T])(p).Swap(v)
}

// CompareAndSwap is atomic.Pointer.CompareAndSwap.
func (p *PointerTo[T]) CompareAndSwap(old, v *T) bool {
	passAt(p)
	return (*atomic.Pointer[T])(p).CompareAndSwap(old, v)
}

// Pointer returns p as a pointer whose methods are points.
func Pointer[T any](p *atomic.Pointer[T]) *PointerTo[T] { return (*PointerTo[T])(p) }

// Load returns a function of package sync/atomic as one that is a point, and so do Store, Add and
// CompareAndSwap, by the results and parameters of the functions.
func Load[P, T any](f func(p P) T) func(p P) T {
	return func(p P) T {
		passAt(p)
		return f(p)
	}
}

// Store is for functions such as atomic.StoreInt64. See [Load].
func Store[P, T any](f func(p P, v T)) func(p P, v T) {
	return func(p P, v T) {
		passAt(p)
		f(p, v)
	}
}

// Add is for functions such as atomic.AddInt64. See [Load].
func Add[P, T any](f func(p P, v T) T) func(p P, v T) T {
	return func(p P, v T) T {
		passAt(p)
		return f(p, v)
	}
}

// CompareAndSwap is for functions such as atomic.CompareAndSwapInt64. See [Load].
func CompareAndSwap[P, T any](f func(p P, old, v T) bool) func(p P, old, v T) bool {
	return func(p P, old, v T) bool {
		passAt(p)
		return f(p, old, v)
	}
}

// A Map is a sync.Map whose methods are points.
type Map sync.Map

// Load is sync.Map.Load.
func (m *Map) Load(key any) (value any, ok bool) {
	passAt(m)
	return (*sync.Map)(m).Load(key)
}

// Store is sync.Map.Store.
func (m *Map) Store(key, value any) {
	passAt(m)
	(*sync.Map)(m).Store(key, value)
}

// LoadOrStore is sync.Map.LoadOrStore.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	passAt(m)
	return (*sync.Map)(m).LoadOrStore(key, value)
}

// LoadAndDelete is sync.Map.LoadAndDelete.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	passAt(m)
	return (*sync.Map)(m).LoadAndDelete(key)
}

// Delete is sync.Map.Delete.
func (m *Map) Delete(key any) {
	passAt(m)
	(*sync.Map)(m).Delete(key)
}

// Swap is sync.Map.Swap.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	passAt(m)
	return (*sync.Map)(m).Swap(key, value)
}

// CompareAndSwap is sync.Map.CompareAndSwap.
func (m *Map) CompareAndSwap(key, old, v any) bool {
	passAt(m)
	return (*sync.Map)(m).CompareAndSwap(key, old, v)
}

// CompareAndDelete is sync.Map.CompareAndDelete.
func (m *Map) CompareAndDelete(key, old any) bool {
	passAt(m)
	return (*sync.Map)(m).CompareAndDelete(key, old)
}

// Range is sync.Map.Range.
func (m *Map) Range(f func(key, value any) bool) {
	passAt(m)
	(*sync.Map)(m).Range(f)
}

// Clear is sync.Map.Clear.
func (m *Map) Clear() {
	passAt(m)
	(*sync.Map)(m).Clear()
}
