package api

import (
	"reflect"
	"runtime"
	"sync"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
)

// An API is the operations of a package. [New] makes it. Several goroutines may use it at once.
type API struct {
	define   func(c *C)
	pkg      string // that define is of
	gen      bigen.Gen[callseq.Calls]
	mean     int
	most     int
	classify func(Outcome) Class
	census   live.Census
	names    operand.NameCache[callseq.Name]

	mu   sync.Mutex
	idle []*machine
}

// An Option changes what [New] makes.
type Option func(*API)

// Length sets how many calls a random sequence of [API.Gen] has on average, and at most. The
// default is 28 and 1000. [Options] has a limit of its own.
func Length(mean, most int) Option { return func(a *API) { a.mean, a.most = mean, most } }

// Classify sets the function that says what it means that a call panics, returns an error, or
// breaks a contract. The default is [DefaultClass], to which others leave what is not special:
//
//	api.Classify(func(o api.Outcome) api.Class {
//		if o.Op == "semver.New" && o.Contract != "" {
//			return api.Expected // it does not check its arguments, as documented
//		}
//		return api.DefaultClass(o)
//	})
func Classify(class func(Outcome) Class) Option { return func(a *API) { a.classify = class } }

// New returns the API that define declares by [Type], [Assign] and [C.Op]. define is called as
// often as sequences are made or checked at once, and serves one after the other: all state must be
// in what operations return, none in variables of define.
func New(define func(c *C), opts ...Option) *API {
	if define == nil {
		panic("api.New: the function that declares the operations is nil")
	}
	a := &API{define: define, pkg: gocode.PackageOf(define), mean: 28, most: 1000}
	a.classify = DefaultClass
	for _, o := range opts {
		o(a)
	}
	a.gen = genOf(func() *machine { return a.take(&quiet{}) }, a.mean, a.most)
	return a
}

// Gen returns the generator of the sequences.
func (a *API) Gen() bigen.Gen[callseq.Calls] { return a.gen }

// Run runs calls, and fails t if one is an [Error], or a contract is violated. Then it writes
// the calls as Go statements to t's output. At a call that is [Expected] or [Invalid], the run
// ends, and passes.
func (a *API) Run(t testing.TB, calls callseq.Calls) {
	t.Helper()
	m := a.take(t)
	m.tracing = true
	defer keepEnv()()
	defer func() {
		for _, o := range m.ops {
			a.census.Add(o.name, slices.ContainsFunc(m.trace, func(t traced) bool { return t.op == o }))
		}
		if !t.Failed() {
			a.put(m)
		}
	}()
	m.checkCalls(calls)
}

// take returns a machine with the operations of the API, for one sequence.
func (a *API) take(t testing.TB) *machine {
	a.mu.Lock()
	defer a.mu.Unlock()
	last := len(a.idle) - 1
	if last < 0 {
		m := a.newMachine(t)
		m.home = a
		return m
	}
	m := a.idle[last]
	a.idle = a.idle[:last]
	m.tb, m.c.TB = t, t
	m.hold, m.takes, m.tracing, m.dry = nil, nil, false, false
	return m
}

// put takes back a machine whose sequence has ended.
func (a *API) put(m *machine) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.idle = append(a.idle, m)
}

// NeverCalled returns the operations that no sequence has called in [API.Run] so far, in the
// order of their declaration.
func (a *API) NeverCalled() []string { return a.census.Never() }

// newMachine returns a machine with the operations of the API.
func (a *API) newMachine(t testing.TB) *machine {
	m := &machine{
		tb: t, classify: a.classify, tracer: tracer{pkg: a.pkg},
		byName: map[string]int{}, makes: map[uint32]*base{},
		named: map[callseq.Name]int32{}, lone: map[callseq.Name]bool{}, names: &a.names,
	}
	m.defined = runtime.FuncForPC(reflect.ValueOf(a.define).Pointer()).Name()
	m.c = &C{TB: t, m: m}
	a.define(m.c)
	if len(m.ops) == 0 {
		misuse("declares no operation: call Op in the function given to New")
	}
	return m
}
