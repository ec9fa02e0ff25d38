package planted

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
)

// A Call is a call of a method of [Store].
type Call struct {
	Method     Method
	Key, Value int
}

// A Method is a method of [Store].
type Method int

const (
	Get Method = iota
	Put
	Delete
)

// Calls have keys from 0 to MaxStoreKey and values from 0 to MaxStoreValue. A sequence has at
// most MaxCalls.
const (
	MaxStoreKey   = 9999
	MaxStoreValue = 99
	MaxCalls      = 40
)

// GenCalls makes sequences of calls.
var GenCalls = bigen.SliceOf(bigen.Pick(
	bigen.Tag("get", genCall(Get)),
	bigen.Tag("put", genCall(Put)),
	bigen.Tag("delete", genCall(Delete)),
), 0, MaxCalls)

func genCall(m Method) bigen.Gen[Call] {
	return bigen.Struct(func(c *bigen.C, call *Call) {
		bigen.At(c, &call.Method, bigen.Just(m))
		bigen.At(c, &call.Key, bigen.IntRange(0, MaxStoreKey))
		if m == Put {
			bigen.At(c, &call.Value, bigen.IntRange(0, MaxStoreValue))
		}
	})
}

// CheckCalls checks that a store answers as a map does.
func CheckCalls(t testing.TB, calls []Call) {
	store, model := NewStore(), map[int]int{}
	for i, c := range calls {
		switch c.Method {
		case Get:
			got, ok := store.Get(c.Key)
			if want, found := model[c.Key]; ok != found || got != want {
				t.Errorf("call %d: Get(%d) is %d, %t; want %d, %t", i, c.Key, got, ok, want, found)
				return
			}
		case Put:
			store.Put(c.Key, c.Value)
			model[c.Key] = c.Value
		case Delete:
			store.Delete(c.Key)
			delete(model, c.Key)
		}
	}
}
