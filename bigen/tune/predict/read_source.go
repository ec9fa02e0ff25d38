package predict

import (
	"errors"
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
)

// forcing is the source of a run that reads. It records the picks and decides them in one of three
// modes. Once the run has asked as many picks as its budget, it takes the alternatives that end
// soonest.
type forcing struct {
	mode   mode
	budget int
	power  float64 // random: of the weights
	drawn  bool    // integers and texts have the generator's own distribution

	log      *log
	states   *states
	r        *rand.Rand
	start    int
	stack    []frame
	aim      aim   // target
	rejected int32 // the pick that encloses what a filter discarded, or -1
}

type mode uint8

const (
	random mode = iota // by the weights, more or less
	target             // toward alternatives that have not been observed enough
	large              // all branches large
)

// aim says which part after a pick leads to what is missing. All other parts end soon,
// because earlier parts would use up the budget.
type aim struct {
	node  int32 // -1 if there is none
	state int32
}

// frame is a branch that is being asked.
type frame struct {
	node int32
	head int32 // the last pick in it, or the first if it is in a sequence, or -1
	tail int32 // the last pick in it
}

// stopped is the value with which a source panics to end a run.
type stopped struct{}

var errStopped = errors.New("stopped")

func (s *forcing) begin() {
	s.start = len(s.log.nodes)
	s.log.nodes = append(s.log.nodes, node{parent: -1, kid: -1, sibling: -1, next: -1, depth: -1})
	s.stack = append(s.stack[:0], frame{int32(s.start), -1, -1})
	s.rejected, s.aim.node = -1, -1
}

// run runs the generator. If the source ended the run, the error is errStopped or errEndless.
func (s *forcing) run(g func(choices.Source) (choices.Tree, error)) (t choices.Tree, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stopped:
			err = errStopped
			if s.rejected < 0 {
				err = errEndless
			}
		default:
			panic(r)
		}
	}()
	return g(s)
}

// WholeProcess says that derived generators must not end large values early, because then
// weights would depend on how large a value is.
func (s *forcing) WholeProcess() {}

func (s *forcing) Pick(q *choices.Question) int {
	top := &s.stack[len(s.stack)-1]
	i := int32(len(s.log.nodes))
	if len(s.log.nodes)-s.start > maxPerRun || len(s.stack) > maxNesting {
		panic(stopped{})
	}
	m, w := s.log.intern(q, top.node)
	s.log.nodes = append(s.log.nodes, node{
		parent: top.node, kid: -1, sibling: -1, next: -1, menu: m, weights: w,
		slot: q.Slot, index: q.Index, depth: int32(len(s.stack) - 1),
	})
	switch {
	case top.tail < 0:
		s.log.nodes[top.node].kid, top.head = i, i
	case s.log.continues(top.tail, i):
		s.log.nodes[top.tail].next = i
	default:
		s.log.nodes[top.head].sibling, top.head = i, i
	}
	top.tail = i
	n := s.decide(i, s.log.weights[w])
	s.log.nodes[i].alt = int32(n)
	s.stack = append(s.stack, frame{i, -1, -1})
	return n
}

func (s *forcing) Leave() {
	top := len(s.stack) - 1
	if s.aim.node >= 0 && s.log.nodes[s.aim.node].parent == s.stack[top].node {
		s.aim.node = -1
	}
	s.stack = s.stack[:top]
}

func (s *forcing) Reject() bool {
	s.rejected = s.stack[len(s.stack)-1].node
	panic(stopped{})
}

// decide returns the alternative that the pick of node i takes.
func (s *forcing) decide(i int32, weights []float64) int {
	if len(weights) == 1 {
		weights = certain // whatever the weight
	}
	state := s.states.find(i)
	if n := &s.log.nodes[i]; n.index > maxIndex+8 && s.log.menus[n.menu].common {
		return 0 // stop, so bounds beyond it go unnoticed
	}
	if asked := len(s.log.nodes) - s.start; asked > s.budget || len(s.stack) > maxFree {
		return s.states.shortest(state, weights)
	}
	switch s.mode {
	case target:
		if n := s.decideTarget(i, state, weights); n >= 0 {
			return n
		}
	case large:
		if n := s.states.longer(state, weights, s.r); n >= 0 && s.r.IntN(10) > 0 {
			return n
		}
	}
	return pickWeighted(s.r, weights, s.power)
}

// decideTarget leads to what is missing, and mostly ends where nothing is. It returns -1 for any
// alternative.
func (s *forcing) decideTarget(i, state int32, weights []float64) int {
	if s.aim.node >= 0 && !s.aimsAt(i, state) {
		return s.states.shortest(state, weights)
	}
	s.aim.node = -1
	if n, next := s.states.toward(state, weights, s.r); n >= 0 {
		if next >= 0 {
			s.aim = aim{i, next}
		}
		return n
	}
	if s.r.IntN(4) > 0 {
		return s.states.shortest(state, weights)
	}
	return -1
}

// aimsAt reports whether node i is the one through which the way leads.
func (s *forcing) aimsAt(i, state int32) bool {
	nodes, a := s.log.nodes, &s.aim
	return state == a.state && (nodes[i].parent == a.node || nodes[a.node].next == i)
}

// certain has the weights of a pick of one alternative.
var certain = []float64{1}

// Int implements [choices.Source]. Parts that depend on an integer often do so at its bounds.
func (s *forcing) Int(q *choices.Question) int64 {
	if s.drawn {
		return q.DrawInt(s.r.Uint64())
	}
	switch s.r.IntN(4) {
	case 0:
		return q.Lo
	case 1:
		return q.Hi
	case 2: // so that parts that must differ are equal
		return q.Kind.Origin(q.Lo, q.Hi)
	}
	plain := *q
	plain.Edges = false
	return plain.DrawInt(s.r.Uint64())
}

func (s *forcing) Text(q *choices.Question) string {
	if !s.drawn && s.r.IntN(2) == 0 {
		return q.FitText("")
	}
	return q.DrawText(s.r.Uint64())
}
