package minimize

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/optimize"

	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/bigen/tune/search"
)

// CMA returns m with the parameters that meet the objectives best, by covariance matrix adaptation
// (CMA-ES), a population of o.Round models at a time. See [search.Parameters].
func CMA(ctx context.Context, s search.Subject, m *tune.Model, o search.ParametersOptions) (*tune.Model, error) {
	if o.Round == 0 {
		o.Round = 60
	}
	return search.Parameters(ctx, s, m, func(from []float64, cost func(z []float64) float64, more func() bool) error {
		status := func() (optimize.Status, error) {
			if more() {
				return optimize.NotTerminated, nil
			}
			return optimize.Success, nil
		}
		_, err := optimize.Minimize(
			optimize.Problem{Func: cost, Status: status},
			from,
			&optimize.Settings{Converger: optimize.NeverTerminate{}},
			&optimize.CmaEsChol{Population: o.Round, InitStepSize: 1, Src: rand.NewPCG(o.Seed, 3)})
		return err
	}, o)
}
