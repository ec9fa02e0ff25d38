package jws_test

import (
	"testing"

	"github.com/lestrrat-go/jwx/jws"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte("eyJhbGciOiJIUzI1NiJ9.cGF5bG9hZA.c2lnbmF0dXJl"))
	f.Add([]byte(`{"payload":"cGF5bG9hZA","protected":"eyJhbGciOiJIUzI1NiJ9","signature":"c2ln"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		jws.Parse(b)
	})
}
