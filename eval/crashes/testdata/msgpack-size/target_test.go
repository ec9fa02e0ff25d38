package msgpack_test

import (
	"testing"

	"github.com/shamaton/msgpack/v2"
)

func FuzzUnmarshal(f *testing.F) {
	type value struct {
		Name  string
		Count int
		Items []float64
		Data  []byte
	}
	b, err := msgpack.Marshal(value{"name", 1000, []float64{1.5}, []byte{1, 2}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		var v value
		msgpack.Unmarshal(b, &v)
	})
}
