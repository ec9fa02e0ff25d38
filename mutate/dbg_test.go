package mutate_test

import (
	"testing"
	"math"

	"github.com/espalier-go/espalier/internal/challenge"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

func TestDbg(t *testing.T) {
	for _, c := range challenge.Shrinking() {
		if c.Name == "bound5" {
			for seed := range uint64(20) {
				r, _ := c.Minimize(seed)
				t.Log(seed, r.Calls, r.Remakes, r.Steps, r.Start)
			}
		}
	}
}
func TestDbgF(t *testing.T) {
	g := bigen.Float[float64]()
	fails := func(f float64) bool { return f != math.Floor(f) }
	r := rng(11)
	for range 60 {
		v, tree, _ := bigen.Run(g, choices.Random(r))
		if !fails(v) { continue }
		t.Log("start", v, tree)
		s, _, _ := mutate.Minimize(tree, func(e choices.Tree) (float64, choices.Tree, error) {
			v, m, err := bigen.Run(g, choices.Replay(e, nil))
			t.Log("  ", e, m, v)
			t.Log(mutate.Compare(m, choices.Tree{}), m[0].Lo, m[0].Hi, m[0].Kind, m[1].Lo, m[1].Hi); return v, m, err
			}, fails, 1000)
		if s.String() != "1, 1" {
		t.Fatal(s)
		}
	}
}
