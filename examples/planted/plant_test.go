package planted

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/stretchr/testify/require"
)

// triggers holds for each bug a test that fails with that bug and with no other.
var triggers = map[string]func(testing.TB){
	"bst-insert": trigger(GenOperation, CheckInsert, Operation{descending(17), 6}),
	"bst-delete": trigger(GenOperation, CheckDelete,
		Operation{tree(50, 10, 20, 30, 40, 90, 80, 70, 60), 50}),
	"bst-floor":   trigger(GenOperation, CheckFloor, Operation{&Tree{X: 1, R: descending(9)}, 2}),
	"bst-union":   trigger(GenPair, CheckUnion, Pair{tree(50), tree(99, 1, 98, 2, 97, 3, 50, 51)}),
	"share-merge": trigger(GenExpr(), CheckShare, &Expr{Op: 1, L: seven(), R: seven()}),
	"cache-stale": trigger(GenCalls, CheckCalls,
		[]Call{{Put, 4711, 1}, {Get, 4711, 0}, {Delete, 4711, 0}, {Put, 4711, 2}, {Get, 4711, 0}}),
	"ladder": trigger(GenPlan, CheckPlan, rungs[len(rungs)-1]),
	"const-int": trigger(GenScript, CheckScript,
		deep(Command{Op: Set, Value: 0x5eed1e55}, Command{Op: Print})),
	"const-string": trigger(GenScript, CheckScript, deep(Command{Op: Say, Text: "halt-and-catch"})),
}

func trigger[V any](g bigen.Gen[V], check func(testing.TB, V), v V) func(testing.TB) {
	return func(t testing.TB) {
		require.NoError(t, bigen.Check(g, v))
		check(t, v)
	}
}

// descending returns a tree of n integers in which each one is left of the one before.
func descending(n int) (t *Tree) {
	for x := range n {
		t = &Tree{t, 5 + x, nil}
	}
	return t
}

// tree returns the tree into which integers are inserted in this order.
func tree(keys ...int) (t *Tree) {
	for _, x := range keys {
		t = t.Insert(x)
	}
	return t
}

// seven returns an expression of seven different nodes.
func seven() *Expr {
	leaf := func(n int) *Expr { return &Expr{Var: n} }
	return &Expr{
		Op: 1,
		L:  &Expr{Op: 2, L: leaf(0), R: leaf(1)},
		R:  &Expr{Op: 3, L: leaf(2), R: leaf(3)},
	}
}

func deep(commands ...Command) []Command {
	return []Command{{Op: Repeat, Times: 1, Body: []Command{{Op: Repeat, Times: 2, Body: commands}}}}
}

// rungs are the plans on the ladder. Each meets one condition more than the one before, and
// differs from it in one operator.
var rungs = func() (rungs []*Plan) {
	scan := func(n int) *Plan { return &Plan{Op: Scan, N: n} }
	top := func(left, right *Plan) *Plan {
		return &Plan{Sort, 3, &Plan{Semijoin, 3, left, right}, nil}
	}
	on := func(op Operator, in *Plan) *Plan { return &Plan{op, 3, in, nil} }
	return []*Plan{
		on(Sort, scan(1)),
		top(scan(1), scan(2)),
		top(on(Distinct, scan(1)), scan(2)),
		top(on(Distinct, on(Filter, scan(1))), scan(2)),
		top(on(Distinct, on(Filter, on(Sort, scan(1)))), scan(2)),
		top(on(Distinct, on(Filter, on(Sort, scan(1)))), on(Sort, scan(2))),
	}
}()

func TestTriggers(t *testing.T) {
	require.Equal(t, none, planted, "these tests need the package as it is without %s", Env)
	require.Len(t, triggers, len(names)-1)
	for _, name := range names {
		t.Run("plant="+name, func(t *testing.T) {
			planted = parseBug(name)
			t.Cleanup(func() { planted = none })
			for of, run := range triggers {
				r := &recorder{TB: t}
				run(r)
				require.Equal(t, of == name, r.failed, "the trigger of %s fails", of)
			}
		})
	}
}

// recorder stands in for the test that a property fails.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Errorf(string, ...any) { r.failed = true }

// TestTriggerOf runs the trigger of the bug that the environment names. It passes if none is
// named.
func TestTriggerOf(t *testing.T) {
	if planted != none {
		triggers[names[planted]](t)
	}
}

func TestEnvironment(t *testing.T) {
	for _, name := range names {
		out, err := runTriggerOf(name)
		require.Equal(t, name == "", err == nil, "%s", out)
		require.Equal(t, name != "", strings.Contains(out, "--- FAIL: TestTriggerOf"), "%s", out)
	}
	out, err := runTriggerOf("bst-unoin")
	require.Error(t, err)
	require.Contains(t, out, `ESPALIER_PLANT="bst-unoin" names no bug`)
	require.Contains(t, out, strings.Join(names[1:], ", "))
}

// runTriggerOf runs TestTriggerOf in another process and returns what it prints.
func runTriggerOf(name string) (string, error) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestTriggerOf$")
	cmd.Env = append(os.Environ(), Env+"="+name)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestLadder measures how rare the rungs of the ladder are. Where a rung needs an operator, a
// random plan has a random one.
func TestLadder(t *testing.T) {
	const n = 20_000
	r := rand.New(rand.NewPCG(1, 3))
	sorts, fits := 0, 0
	for range n {
		p := bigen.Sample(GenPlan, r)
		sorts += p.count(Sort)
		if p.Op == Filter && p.N == 3 {
			fits++
		}
	}
	t.Logf("Sorts in a plan: %.3f; a given operator on a given column: 1/%.1f", float64(sorts)/n,
		n/float64(fits))
	require.InDelta(t, 1, float64(sorts)/n, 0.15)
	require.InDelta(t, 64, n/float64(fits), 8)
	for _, p := range rungs {
		require.NoError(t, bigen.Check(GenPlan, p))
	}
}

func (p *Plan) count(op Operator) int {
	if p == nil {
		return 0
	}
	n := p.In.count(op) + p.Right.count(op)
	if p.Op == op {
		n++
	}
	return n
}
