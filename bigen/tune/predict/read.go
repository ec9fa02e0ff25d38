package predict

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

const (
	maxNodes   = 250_000 // picks of all runs
	maxPlanned = 2_000_000
	maxStates  = 20_000
	maxPerRun  = 50_000 // below the 65,536 choices at which bigen ends values
	maxNesting = 2_000  // below the 10,000 levels at which bigen ends values
	maxFree    = 1_000  // picks nested deeper take the alternative that ends soonest

	enough        = 3      // observations of each alternative
	confirmations = 2000   // values by the generator's own distribution: at least a quarter,
	confirmed     = 20_000 // and all as long as they have fewer picks than this
)

// Read returns the branching process of g. It runs g a few hundred times and forces each
// alternative of each pick, in several surroundings.
//
// Picks are of one type if they offer the same alternatives. If these have different
// weights, or lead to different picks, Read tells the picks apart by their slot, by the
// enclosing alternatives, by the index in a slice, and by how deep they nest. If they
// still differ, the error is [ErrContext]: then what follows a choice depends on other
// choices, as the bounds of search trees do.
//
// Integers and texts are not picks: they may depend on one another as long as no pick depends on
// them. An alternative of weight 0 does not occur. Read compares what it has read with 2000 random
// values, or fewer if they are large. It does not notice a pick that depends on an integer or text
// in far fewer than one in 300 values, the bounds of slices above 256 elements, or the bound of
// values that bigen.For has derived. Other errors say that there are too many kinds of choices, or
// that values do not end.
//
// Equal generators have equal results. Read does not recover panics of g's functions.
func Read[A any](g bigen.Gen[A]) (*Grammar, error) {
	return read(func(src choices.Source) (choices.Tree, error) {
		_, t, err := bigen.Run(g, src)
		return t, err
	})
}

// read is Read for a function that runs the generator.
func read(run func(choices.Source) (choices.Tree, error)) (*Grammar, error) {
	r := &reader{run: run, log: newLog(), r: rand.New(rand.NewPCG(16, 4))}
	r.states = newStates(r.log)
	if err := r.read(); err != nil {
		return nil, err
	}
	return build(r.log, r.states), nil
}

// reader reads a process: it runs the generator, and tells the states of its picks apart as
// far as observations force it to.
type reader struct {
	run    func(choices.Source) (choices.Tree, error)
	log    *log
	states *states
	r      *rand.Rand

	planned int // states that all plans have considered
}

// read runs the generator until every alternative of every state has been observed enough, and
// neither a round of runs of all kinds nor random values have anything new.
func (r *reader) read() error {
	if err := r.random(60, 5, 20, 80, 300); err != nil {
		return err
	}
	for {
		known, err := r.settle()
		if err == nil {
			err = r.explore()
		}
		now := 0
		if err == nil {
			now, err = r.settle()
		}
		if err == nil && now == known {
			now, err = r.confirm()
		}
		if err != nil || now == known {
			return err
		}
	}
}

// random makes n runs of random values, with the budgets in turn.
func (r *reader) random(n int, budgets ...int) error {
	for i := range n {
		if err := r.once(&forcing{
			budget: budgets[i%len(budgets)],
			power:  r.r.Float64() * 1.5,
			drawn:  i%3 == 0,
		}); err != nil {
			return err
		}
	}
	return nil
}

// explore makes runs of all kinds.
func (r *reader) explore() error {
	if err := r.random(120, 10, 50, 200, 1000); err != nil {
		return err
	}
	for _, budget := range [...]int{300, 3_000, 12_000} {
		if err := r.once(&forcing{mode: large, budget: budget}); err != nil {
			return err
		}
	}
	return nil
}

// confirm makes values by the generator's own distribution, as its users do, and compares them with
// what is known: a part that depends on one of many integers shows here. It ends at the first value
// with something new, which changes the version of the states.
func (r *reader) confirm() (version int, err error) {
	before := r.states.version
	asked := 0
	for i := 0; i < confirmations && (asked < confirmed || i < confirmations/4); i++ {
		start := len(r.log.nodes)
		if err := r.once(&forcing{budget: 60, power: 1, drawn: true}); err != nil {
			return 0, err
		}
		if r.states.clash != nil || r.states.version != before {
			return -1, nil
		}
		asked += len(r.log.nodes) - start
		r.forget(start)
	}
	return before, nil
}

// forget drops the nodes from start on.
func (r *reader) forget(start int) {
	r.log.nodes = r.log.nodes[:start]
	r.states.done = min(start, r.states.done)
}

// settle makes runs that reach what has not been observed enough, until nothing is left. The result
// changes when the states do. If states had to be told apart, a large run comes first, which may
// show that this is not enough.
func (r *reader) settle() (version int, err error) {
	for {
		refined, err := r.states.refine()
		if err != nil {
			return 0, err
		}
		missing := r.states.plan()
		next := &forcing{mode: target, budget: 400}
		switch {
		case refined:
			next = &forcing{mode: large, budget: 12_000}
		case missing == 0:
			return r.states.version, nil
		}
		if r.planned += len(r.states.all); r.planned > maxPlanned {
			return 0, errTooLarge
		}
		if err := r.once(next); err != nil {
			return 0, err
		}
	}
}

// once runs the generator once and keeps what was asked.
func (r *reader) once(src *forcing) (err error) {
	src.log, src.states, src.r = r.log, r.states, r.r
	start := len(r.log.nodes)
	src.begin()
	t, err := src.run(r.run)
	switch {
	case src.rejected >= 0:
		return r.log.filtered(src.rejected)
	case errors.Is(err, errEndless) && src.mode != target:
		r.forget(start) // more than a run may have, but others are smaller
		if r.log.endless++; r.log.endless > 20 {
			return err
		}
		return nil
	case errors.Is(err, bigen.ErrRejected): // without a discarded value
		return r.log.filtered(int32(len(r.log.nodes) - 1))
	case err != nil:
		return err
	}
	if i := r.log.differs(start+1, t); i >= 0 {
		return r.log.context("a choice is recorded otherwise than it was made (Favor, the order "+
			"of a map)", i)
	}
	if len(r.log.nodes) > maxNodes {
		return errTooLarge
	}
	r.states.add(start)
	if len(r.states.all) > maxStates {
		return errTooLarge
	}
	return nil
}

// pickWeighted returns an index with a probability in proportion to its weight, which is
// first raised to a power.
func pickWeighted(r *rand.Rand, weights []float64, power float64) int {
	total := 0.0
	for _, w := range weights {
		if w > 0 {
			total += math.Pow(w, power)
		}
	}
	x, last := r.Float64()*total, 0
	for i, w := range weights {
		if w > 0 {
			last = i
			if x -= math.Pow(w, power); x < 0 {
				break
			}
		}
	}
	return last
}
