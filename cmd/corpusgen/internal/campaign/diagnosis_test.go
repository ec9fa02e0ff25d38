package campaign

import (
	"testing"

	"github.com/espalier-go/espalier/internal/engine"
	"github.com/stretchr/testify/require"
)

// A value that has run alone is told apart by its class or, if a worker names that differently, by
// its place.
func TestAlike(t *testing.T) {
	known := engine.Failure{Class: "hang in x.f", Place: "x.go:3", Value: "1"}
	for _, c := range []struct {
		failure engine.Failure
		want    bool
	}{
		{engine.Failure{Class: "hang in x.f", Place: "x.go:4"}, true},
		{engine.Failure{Class: "hang in example.com/x.f", Place: "x.go:3", Value: "2"}, true},
		{engine.Failure{Class: "hang in example.com/x.f", Place: "x.go:3"}, false},
		{engine.Failure{Class: "hang in example.com/x.f", Place: "x.go:4", Value: "2"}, false},
	} {
		require.Equal(t, c.want, alike(known, c.failure), c.failure)
	}
	panics := engine.Failure{Class: "panic at x.go:5: no", Place: "panic at x.go:5"}
	require.True(t, alike(panics, engine.Failure{Class: "x.go:5", Place: "x.go:5", Value: "1"}))
}
