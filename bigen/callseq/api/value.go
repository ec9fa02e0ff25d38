package api

import "reflect"

// A Value is an argument or a result of a call.
type Value[T any] struct {
	// V is what is given to the call, or what the call returns. It is valid within [C.Do].
	V T

	pool    *Pool[T]
	slot    int32
	unready bool
}

// cell is a [Value] of any type that a call returns.
type cell interface {
	isNil() bool
	isReady() bool
	of() *base
	value() any
	number() int32
	walk(f *fingerprint)
}

func (v *Value[T]) isNil() bool   { return v.pool.nilable && isNil(any(v.V)) }
func (v *Value[T]) isReady() bool { return !v.unready }
func (v *Value[T]) of() *base     { return &v.pool.base }
func (v *Value[T]) value() any    { return v.V }
func (v *Value[T]) number() int32 { return v.slot }

func (v *Value[T]) walk(f *fingerprint) { f.add(reflect.ValueOf(&v.V).Elem()) }
