package callseq

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
	"github.com/espalier-go/espalier/choices"
)

// Calls is a sequence of calls, a value of [Model.Gen]:
//
//	callseq.Calls{{"setup", 4}, {"cache.Put", "a", 1}, {"cache.Get", "a"}}
//
// The first element holds what was drawn before the calls, under the name setup, if
// anything was.
type Calls []Call

// A Call is the name of an operation and the arguments that it draws, in this order. An
// instance of a [Pool] is a [Name].
type Call []any

// op returns the name of the operation, or "" if the call has none.
func (c Call) op() string {
	if len(c) == 0 {
		return ""
	}
	name, _ := c[0].(string)
	return name
}

// setup is the name under which the values drawn before the calls are kept.
const setup = "setup"

// A Model describes the operations of something that has state. [New] makes it. Several
// goroutines may use it at once.
type Model struct {
	define func(c *C)
	pkg    string // that define is of
	mean   float64
	most   int
	bubble bool // runs are in one
	gen    bigen.Gen[Calls]

	examined sync.Once
	checked  atomic.Int32                  // runs whose arguments have been read back
	offered  atomic.Pointer[[]choices.Alt] // the operations of the last run
	names    operand.NameCache[Name]
	census   live.Census
}

// An Option changes what [New] makes.
type Option func(*Model)

// Length sets how many calls a random sequence has on average, and at most. The default is
// 28 and 1000.
func Length(mean, most int) Option {
	if mean < 0 || mean > most || most < 1 {
		panic(fmt.Sprintf("callseq.Length: a mean of %d of up to %d calls", mean, most))
	}
	return func(m *Model) { m.mean, m.most = float64(mean), most }
}

// New returns the model that define describes. define is called anew for each sequence that
// is made, read or run. So its variables hold the state of one sequence, both of the model
// and of what is tested. It may draw values by [Arg], sets up the state, the part that is
// tested in [C.Do], and declares the operations by [C.Op].
func New(define func(c *C), opts ...Option) *Model {
	if define == nil {
		panic("callseq.New: the function that describes the model is nil")
	}
	m := &Model{define: define, pkg: gocode.PackageOf(define), mean: 28, most: 1000}
	for _, o := range opts {
		o(m)
	}
	m.gen = bigen.As[Calls](bigen.Steps(func(gen *bigen.C, s []Call) (bigen.Machine[Call], []Call) {
		m.examined.Do(m.examine)
		return m.begin(gen, s)
	}, m.mean, m.most))
	return m
}

// Gen returns the generator of the sequences. It makes a call only if the precondition of
// its operation holds.
func (m *Model) Gen() bigen.Gen[Calls] { return m.gen }

// Run runs calls, and fails t if what they do is not what the model expects. Then it writes
// the calls as Go statements, with what each returned, to t's output. It stops at the first
// call that fails t.
func (m *Model) Run(t testing.TB, calls Calls) {
	if m.bubble {
		t.Helper()
		m.runInBubble(t, calls)
		return
	}
	r := newRunner(t, m)
	defer r.release()
	defer r.end()
	r.run(calls)
	r.returned = true
}

// NeverCalled returns the operations that none of the sequences run so far has called, in the
// order of their declaration. The precondition of such an operation may never hold.
func (m *Model) NeverCalled() []string { return m.census.Never() }
