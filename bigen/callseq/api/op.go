package api

import (
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
)

// An Op is an operation, declared by [C.Op].
type Op struct {
	name    string
	call    func()
	of      *callseq.Op // while a sequence is made or read
	index   int
	weight  float64
	when    func() bool // or nil
	unready bool
	method  string // that it calls

	plan opPlan // for [API.Generate]
}

// Weight makes sequences have the operation w times as often as one without a weight.
func (o *Op) Weight(w float64) *Op {
	if o.weight = w; o.of != nil {
		o.of.Weight(w)
	}
	return o
}

// When sets the precondition: it usually is [Pool.Any] of the type of the receiver, so that the
// operation is called only where there is one.
func (o *Op) When(possible func() bool) *Op {
	if o.when = possible; o.of != nil {
		o.of.When(possible)
	}
	return o
}

// Unready says that what the operation returns may not be usable, such as a zero value. Once
// it is used, a [runtime.Error] is [Invalid], as for nil, and contracts do not bind it.
func (o *Op) Unready() *Op {
	o.unready = true
	return o
}

// methodOf returns the method that an operation calls.
func methodOf(op string) string {
	op, _, _ = strings.Cut(op, " ")
	return op[strings.LastIndexByte(op, '.')+1:]
}

// Methods that must not change the bytes that they are given, and methods that must not keep
// them, as packages io and encoding say.
var (
	readers = []string{"Write", "AppendBinary", "AppendText"}
	copiers = []string{"Write", "UnmarshalBinary", "UnmarshalJSON", "UnmarshalText"}
)

// takesBytes reports whether the operation calls one of these methods.
func (o *Op) takesBytes() bool {
	return slices.Contains(readers, o.method) || slices.Contains(copiers, o.method)
}

// opPlan is what [API.Generate] knows of an operation.
type opPlan struct {
	draws  []draw // the arguments and results, in order
	made   int    // results
	quoted string // the name as JSON
	score  float64
	pure   purity
	heavy  bool // repeated calls get slow
}

// draw is an argument, or a result, of an operation.
type draw struct {
	pool   *base
	result bool
}

// purity says whether an operation leaves its argument as it is, judging by some calls.
type purity struct {
	calls  int
	impure bool
}

// wanted reports whether more calls should be judged.
func (x *purity) wanted() bool { return !x.impure && x.calls < 30 }

// sure reports whether enough calls have been judged.
func (x *purity) sure() bool { return !x.impure && x.calls == 30 }

func (x *purity) note(same bool) {
	x.calls++
	x.impure = !same
}

// observer reports whether the operation can be called for what it returns: it has one
// argument, which it leaves as it is.
func (o *Op) observer() bool {
	return !o.plan.pure.impure && o.plan.pure.calls >= 3 && len(o.plan.draws)-o.plan.made == 1 && !flat(o.receiver().typ)
}

// receiver returns the pool of the first argument.
func (o *Op) receiver() *base {
	i := slices.IndexFunc(o.plan.draws, func(d draw) bool { return !d.result })
	return o.plan.draws[i].pool
}
