package predict

// Types returns how many types of picks a grammar has.
func Types(g *Grammar) int { return len(g.types) - 1 }

// Constructors returns the constructors of a grammar, in the order of Expect.
func Constructors(g *Grammar) []Constructor { return g.constructors }

// A Problem is what Fit minimizes, for the test of its gradient.
type Problem struct{ *problem }

// NewProblem returns the problem of a cost.
func NewProblem(g *Grammar, cost Cost) (Problem, error) {
	p, err := newProblem(g, cost)
	return Problem{p}, err
}

// Start returns where Fit begins.
func (p Problem) Start() []float64 { return p.start() }

// Weights returns the weights whose logarithms are z.
func (p Problem) Weights(z []float64) Weights { return p.weights(z) }

// Cost returns the cost there, and its gradient.
func (p Problem) Cost(z []float64) (cost float64, gradient []float64) {
	gradient = make([]float64, len(z))
	return p.costAt(z, gradient), gradient
}
