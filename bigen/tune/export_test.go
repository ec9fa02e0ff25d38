package tune

import "github.com/espalier-go/espalier/choices"

// Params returns what Differential tunes.
func Params(m *Model) []float64 { return m.params() }

// WithParams returns m with other parameters.
func WithParams(m *Model, params []float64) *Model { return m.with(params) }

// Measured returns the measure of a tree.
func Measured(o Objective, t choices.Tree) float64 { return o.measure(t, nil) }
