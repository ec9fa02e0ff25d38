package treetargets

import (
	"context"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/espalier-go/espalier/bench/branches"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/stretchr/testify/require"
)

var orderFlag = flag.String("order", "", "carry out an order: JSON")

// TestOrder carries out the order of the flag.
func TestOrder(t *testing.T) {
	if *orderFlag == "" {
		t.Skip("no order")
	}
	var o Order
	require.NoError(t, json.Unmarshal([]byte(*orderFlag), &o))
	b, err := json.Marshal(o.run(t, branches.New()))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(o.Answer, b, 0o666))
}

// run makes values, and runs the program on each.
func (o Order) run(t *testing.T, tracer branches.Tracer) (c Covered) {
	target := Named(o.Target)
	r := rand.New(rand.NewPCG(o.Seed, 0))
	source := func(i int) choices.Source { return varied.Source(r, i) }
	switch o.How {
	case ByCheck:
	case Tuned:
		prior := o.tuned(t, target, tracer).Prior()
		source = func(int) choices.Source { return choices.RandomBy(r, prior) }
	default:
		g, err := predict.Read(target.Gen)
		require.NoError(t, err)
		if o.How == Uniform {
			g, _, err = g.Fit(context.Background(), predict.Uniform(o.Levels))
			require.NoError(t, err)
		}
		prior := g.Model(o.Levels).Prior()
		source = func(int) choices.Source { return choices.RandomBy(r, prior) }
	}
	more := func(bytes int) bool {
		if o.Values > 0 {
			return c.Values < o.Values
		}
		return bytes < o.Bytes
	}
	for bytes := 0; more(bytes); c.Values++ {
		input, err := bigen.Value(target.Gen, source(c.Values))
		require.NoError(t, err)
		tracer.Start()
		target.Run(input)
		tracer.Add()
		bytes += 1 + len(input)
	}
	c.Branches = tracer.Added()
	return c
}

// tuned returns a model whose values cover much, by a seed of its own.
func (o Order) tuned(t *testing.T, target Target, tracer branches.Tracer) *tune.Model {
	s := tune.Of(target.Gen, tune.Cover("branches", func(input string) (all []int) {
		tracer.Start()
		target.Run(input)
		for _, p := range tracer.Points() {
			all = append(all, p>>4)
		}
		return all
	}))
	m, err := tune.CrossEntropy(context.Background(), s, tune.Options{
		Rounds: o.Rounds, Seed: 1000 + o.Seed,
		Progress: func(p tune.Progress) { t.Logf("%+v", p) }})
	require.NoError(t, err)
	return m
}

// counted is a tracer that counts runs.
type counted struct {
	branches.Tracer
	started, added int
}

func (c *counted) Points() []int { return nil }
func (c *counted) Start()        { c.started++ }
func (c *counted) Add()          { c.added++ }
func (c *counted) Added() int    { return c.added }

// Orders end, whatever the weights. Equal orders are equal, and others are not.
func TestOrders(t *testing.T) {
	for _, target := range All() {
		values := map[int]bool{}
		for _, how := range []string{ByCheck, Naive, Uniform} {
			run := func() Covered {
				return Order{Target: target.Name, How: how, Levels: 3, Seed: 1, Bytes: 2000}.run(t, &counted{})
			}
			first := run()
			require.Positive(t, first.Values)
			require.Equal(t, first.Values, first.Branches)
			require.Equal(t, first, run())
			values[first.Values] = true
		}
		require.Len(t, values, 3, "each way makes values of its own")
	}
}
