package loaded

import (
	"encoding/json"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// genTiny makes one or two small integers, or none. Some are not valid.
var genTiny = bigen.Iso(bigen.Pick(
	bigen.Tag("none", bigen.Just([]int(nil))),
	bigen.Tag("some", bigen.SliceOf(bigen.IntRange(0, 2), 1, 2)).Weight(2)),
	func(v []int) any { return v }, func(v any) ([]int, bool) { return v.([]int), true })

func validTiny(v any) bool {
	s := v.([]int)
	return len(s) < 2 || s[1] > 0
}

// everyRun returns the runs of a policy by all ways to answer.
func everyRun(p *policy, g bigen.Gen[any], valid func(v any) bool) (all []run) {
	var path, sizes []int
	for more := true; more; {
		at := 0
		p.choose = func(probs []float64, _ uint64) int {
			if at == len(path) {
				path, sizes = append(path, 0), append(sizes, 0)
			}
			sizes[at] = len(probs)
			at++
			return path[at-1]
		}
		v, t, err := bigen.Run(g, choices.RandomBy(rand.New(rand.NewPCG(1, 1)), p))
		now := p.now
		p.now.visits, p.step = nil, p.step+1 // parameters may have changed
		now.judge(v, t, err, valid)
		all = append(all, now)
		path, sizes = path[:at], sizes[:at]
		for len(path) > 0 && path[len(path)-1] == sizes[len(path)-1]-1 {
			path, sizes = path[:len(path)-1], sizes[:len(path)-1]
		}
		if more = len(path) > 0; more {
			path[len(path)-1]++
		}
	}
	p.choose = draw
	return all
}

func prob(r run) float64 { return math.Exp(r.logProb) }

// exactEntropy is the objective of byEntropy.
func exactEntropy(all []run) (sum float64) {
	for _, r := range all {
		if r.valid {
			sum -= prob(r) * r.logProb
		}
	}
	return sum
}

// exactFeatures is the objective of byFeatures for batches of n.
func exactFeatures(n int) func(all []run) float64 {
	return func(all []run) (sum float64) {
		shares := map[int]float64{}
		for _, r := range all {
			for _, f := range r.features {
				shares[f] += prob(r)
			}
		}
		for _, share := range shares {
			sum += 1 - math.Pow(1-share, float64(n))
		}
		return sum
	}
}

// The expected value of the estimate, over all batches, is the gradient, whatever the baseline.
func TestGradient(t *testing.T) {
	for name, c := range map[string]struct {
		by    reward
		exact func(all []run) float64
		batch int
	}{
		"entropy":         {byEntropy, exactEntropy, 1},
		"entropy of two":  {byEntropy, exactEntropy, 2},
		"features of one": {byFeatures, exactFeatures(1), 1},
		"features of two": {byFeatures, exactFeatures(2), 2},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPolicy(100)
			everyRun(p, genTiny, validTiny)
			r := rand.New(rand.NewPCG(1, 2))
			for _, row := range p.rows {
				for k := range row.theta {
					row.theta[k] = r.NormFloat64() / 2
				}
			}
			all := everyRun(p, genTiny, validTiny)
			require.Greater(t, len(all), 12)
			total := 0.0
			for _, r := range all {
				total += prob(r)
			}
			require.InDelta(t, 1, total, 1e-9, "probabilities of all runs")
			for i := range all {
				for j := range all {
					batch, weight := []run{all[i], all[j]}[:c.batch], prob(all[i])
					if c.batch == 2 {
						weight *= prob(all[j])
					} else if j > 0 {
						break
					}
					for k, x := range c.by(batch) {
						batch[k].addScore(weight * (x - .7))
					}
				}
			}
			p.spread()
			for key, row := range p.rows {
				for k := range row.theta {
					const h = 1e-5
					row.theta[k] += h
					above := c.exact(everyRun(p, genTiny, validTiny))
					row.theta[k] -= 2 * h
					below := c.exact(everyRun(p, genTiny, validTiny))
					row.theta[k] += h
					require.InDelta(t, (above-below)/(2*h), row.gradient[k], 1e-7, "%x %d", key, k)
				}
			}
		})
	}
}

// Training brings the entropy of valid values near its maximum, the logarithm of their number.
func TestTrain(t *testing.T) {
	s := Settings{Values: 10_000, Batch: 100, Rate: .1, Limit: 100}
	p := newPolicy(100)
	before := exactEntropy(everyRun(p, genTiny, validTiny))
	p = train(genTiny, validTiny, byEntropy, s, 1)
	after := everyRun(p, genTiny, validTiny)
	n := 0
	for _, r := range after {
		if r.valid {
			n++
		}
	}
	require.Equal(t, 10, n)
	require.Less(t, before, .9*math.Log(10))
	require.Greater(t, exactEntropy(after), .98*math.Log(10))
}

var orderFlag = flag.String("order", "", "carry out an order: JSON")

// TestOrder carries out the order of the flag.
func TestOrder(t *testing.T) {
	if *orderFlag == "" {
		t.Skip("no order")
	}
	var o Order
	require.NoError(t, json.Unmarshal([]byte(*orderFlag), &o))
	b, err := json.Marshal(o.Do())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(o.Answer, b, 0o666))
}

// Of each subject, some bugs are found, by each way to make values. Equal orders have equal hunts.
func TestHunt(t *testing.T) {
	for i, s := range Subjects() {
		how := []string{Written, Check, Sized, Covered, Mixed, Entropy, Features}[i%7]
		o := Order{Subject: s.Name, How: how, Runs: 1, Hunts: 1, Most: 500,
			Settings: Settings{Values: 200, Batch: 50, Rate: .1, Limit: 400}}
		h, found := o.Do(), 0
		for _, n := range h.Inputs {
			if n[0] > 0 {
				found++
			}
		}
		require.Len(t, h.Inputs, len(s.Bugs), s.Name)
		require.Greater(t, 6*found, len(s.Bugs), "%s, %s", s.Name, how)
		require.Equal(t, h.Inputs, o.Do().Inputs, "%s, %s", s.Name, how)
	}
}
