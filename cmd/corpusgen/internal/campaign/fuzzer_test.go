package campaign

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/stretchr/testify/require"
)

func at(version string) *session.Session {
	return &session.Session{Env: &gotest.Env{GOVERSION: version}}
}

func newFuzzer(limit gotest.Amount, targets int) *fuzzer {
	f := &fuzzer{Session: at("go1.26.8"), limit: limit, left: math.Inf(1), engine: &fuzzEngine{}}
	if !limit.IsZero() {
		f.left = size(limit) * float64(targets)
	}
	var records []*Record
	for range targets {
		f.targets = append(f.targets, &fuzzTarget{})
		records = append(records, &Record{})
	}
	f.rotation = NewRotation(records)
	return f
}

func TestHangTurn(t *testing.T) {
	for version, want := range map[string]float64{
		"go1.26.8": 15, "go1.27.3": 65, "devel go1.28-abc": 65,
	} {
		require.Equal(t, want, (&fuzzer{Session: at(version)}).hangTurn(), version)
	}
}

func TestHangs(t *testing.T) {
	second := gotest.Amount{Time: time.Second}
	for name, c := range map[string]struct {
		limit            gotest.Amount
		targets          int
		hung             bool
		granted, fuzzing float64
		want             bool
	}{
		"stops":            {second, 2, false, 2, 2.9, false},
		"does not stop":    {second, 2, false, 2, 3.1, true},
		"no limit":         {gotest.Amount{}, 2, false, 30, 32, true},
		"twice":            {second, 2, true, 15, 17, false},
		"alone":            {second, 1, false, 2, 4, false},
		"alone, no limit":  {gotest.Amount{}, 1, false, math.Inf(1), 1000, false},
		"executions":       {gotest.Amount{Executions: 10}, 2, false, 10, 100, false},
		"never was fuzzed": {second, 2, false, 2, 0, false},
	} {
		f := newFuzzer(c.limit, c.targets)
		f.targets[0].hung = c.hung
		require.Equal(t, c.want, f.hangs(f.targets[0], c.granted, c.fuzzing), name)
		f.engine.runsApart = true // what hangs is known without a further turn
		require.False(t, f.hangs(f.targets[0], c.granted, c.fuzzing), name)
	}
}

// The turn after one that hangs is long, whether or not the limit has been reached.
func TestNextAfterHang(t *testing.T) {
	f := newFuzzer(gotest.Amount{Time: 16 * time.Second}, 2)
	i, granted, ok := f.next()
	require.True(t, ok)
	require.Equal(t, 0, i)
	require.Equal(t, 2.0, granted)
	f.targets[0].hung = true
	f.rotation.Done(0, 2, 0, 0)
	f.rotation.Retire(1)
	i, granted, ok = f.next()
	require.True(t, ok)
	require.Equal(t, 0, i)
	require.Equal(t, 15.0, granted)

	f.left = -3
	_, _, ok = f.next()
	require.False(t, ok, "it is running")
	f.rotation.Done(0, 15, 0, 0)
	i, granted, ok = f.next()
	require.True(t, ok)
	require.Equal(t, 0, i)
	require.Equal(t, 15.0, granted)
	f.targets[0].hung = false
	f.rotation.Done(0, 15, 0, 0)
	_, _, ok = f.next()
	require.False(t, ok)
}

func TestCharge(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		executions bool
		granted    float64
		usedUp     bool
		wall, want float64
	}{
		"as granted":              {false, 2, true, 1.9, 2},
		"longer":                  {false, 2, true, 4, 4},
		"fails early":             {false, 2, false, 1, 1},
		"fails late":              {false, 2, false, 4, 4},
		"endless":                 {false, inf, true, 4, 4},
		"executions":              {true, 100, true, 4, 100},
		"executions, fails early": {true, 100, false, 4, 7},
		"executions, more":        {true, 5, false, 4, 5},
	} {
		f := newFuzzer(gotest.Amount{}, 2)
		if c.executions {
			f.limit.Executions = 1
		}
		require.Equal(t, c.want,
			f.charge(c.granted, c.usedUp, time.Duration(c.wall*float64(time.Second)), 7), name)
	}
}

func TestOperators(t *testing.T) {
	var ops []engine.OperatorStats
	require.Empty(t, operators(ops))
	for i := range 10 {
		ops = append(ops,
			engine.OperatorStats{Name: string(rune('a' + i)), Tried: 5, Found: int64(10 - i)},
			engine.OperatorStats{Name: "idle", Tried: 9})
	}
	require.Equal(t, "a 10 of 5, b 9 of 5", operators(ops[:4]))
	require.Equal(t, "a 10 of 5, b 9 of 5, c 8 of 5, d 7 of 5, e 6 of 5, f 5 of 5, g 4 of 5, h "+
		"3 of 5, i 2 of 5", operators(ops[:18]))
	require.True(t, strings.HasSuffix(operators(ops), ", h 3 of 5, 2 others"))
}

// A target that has had no turn although another has failed says why.
func TestPassOver(t *testing.T) {
	const want = "not fuzzed: another target failed before its turn (-keepgoing continues)"
	for _, c := range []struct {
		failed, keepGoing bool
		turns             int
		want              string
	}{
		{true, false, 0, want},
		{true, false, 1, ""},
		{true, true, 0, "not fuzzed: " + overBefore},
		{false, false, 0, ""},
	} {
		f := &fuzzer{Session: &session.Session{Failed: c.failed}, keepGoing: c.keepGoing,
			targets: []*fuzzTarget{{turns: c.turns}}}
		f.passOver(t.Context())
		require.Equal(t, c.want, f.targets[0].unfit)
	}
}
