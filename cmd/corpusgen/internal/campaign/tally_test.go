package campaign

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/engine"
	"github.com/stretchr/testify/require"
)

func TestTallyLines(t *testing.T) {
	tally := &Tally{Dir: t.TempDir()}
	require.False(t, tally.Line("PASS"))
	require.False(t, tally.Line("  fuzz: elapsed: 3s, execs: 9 (3/sec)"))
	require.True(t, tally.Line("fuzz: elapsed: 0s, gathering baseline coverage: 0/2 completed"))
	require.Zero(t, tally.Executions())
	require.True(t, tally.Line("fuzz: elapsed: 0s, gathering baseline coverage: 1/2 completed"))
	require.EqualValues(t, 1, tally.Executions())
	require.True(t,
		tally.Line("fuzz: elapsed: 3s, execs: 100 (33/sec), new interesting: 4 (total: 6)"))
	require.True(t,
		tally.Line("fuzz: elapsed: 1m6s, execs: 250 (50/sec), new interesting: 5 (total: 7)"))
	executions, found := tally.Turn()
	require.Equal(t, []int64{250, 5}, []int64{executions, found})
	require.NoError(t, tally.EndTurn(time.Second, 2*time.Second))
	require.True(t, tally.Line("fuzz: elapsed: 3s, execs: 10 (3/sec)")) // not instrumented
	require.NoError(t, tally.EndTurn(time.Second, 2*time.Second))
	require.Equal(t, []int64{260, 5, 7}, []int64{tally.Executions(), tally.Found(), tally.Entries()})
	require.Equal(t, 2*time.Second, tally.CPU)
	require.Equal(t, 4*time.Second, tally.Wall)
}

func put(t *testing.T, dir, name string, v any) {
	data, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
}

// Each worker of each turn counts once, even if two have the same name.
func TestTallyStats(t *testing.T) {
	tally := &Tally{Dir: t.TempDir()}
	ops := func(found int64) []engine.OperatorStats {
		return []engine.OperatorStats{{Name: "cut", Tried: 10, Found: 1},
			{Name: "splice", Tried: 20, Found: found}}
	}
	one := engine.Report{
		Stats: engine.Stats{
			Protocol:   engine.Protocol,
			PID:        1,
			Executions: 10,
			Valid:      9,
			Flaky:      1,
			Operators:  ops(5),
			Known:      map[string]int64{"x.go:1": 2},
		},
		Covered: 3,
		Blocks:  9,
	}
	two := engine.Report{
		Stats: engine.Stats{
			Protocol:   engine.Protocol,
			PID:        2,
			Executions: 20,
			Valid:      15,
			Operators:  ops(0),
		},
		Covered: 4,
		Blocks:  9,
	}
	put(t, tally.Dir, "worker-1.json", one)
	put(t, tally.Dir, "worker-2.json", two)
	for range 3 {
		require.NoError(t, tally.Refresh())
		require.EqualValues(t, 30, tally.Executions())
	}
	require.NoError(t, tally.EndTurn(0, 0))
	put(t, tally.Dir, "worker-1.json", one)
	require.NoError(t, tally.EndTurn(0, 0))
	require.NoError(t, tally.EndTurn(0, 0))
	require.Equal(t, engine.Report{Covered: 4, Blocks: 9, Stats: engine.Stats{
		Protocol: engine.Protocol, Executions: 40, Valid: 33, Flaky: 1,
		Operators: []engine.OperatorStats{{Name: "splice", Tried: 60, Found: 10},
			{Name: "cut", Tried: 30, Found: 3}},
		Known: map[string]int64{"x.go:1": 4},
	}}, tally.Stats())
	require.Equal(t, []int64{0, 4},
		tally.Again([]engine.Failure{{Class: "other", Place: "x.go:1"}, {Place: "x.go:1"}}))
}

func TestTallyWrong(t *testing.T) {
	tally := &Tally{Dir: t.TempDir()}
	put(t, tally.Dir, "worker-1.json", engine.Stats{Protocol: "0", Executions: 1})
	put(t, tally.Dir, "worker-2.json", "nonsense")
	put(t, tally.Dir, "worker-3.json", engine.Stats{Protocol: engine.Protocol, Executions: 5})
	err := tally.Refresh()
	require.ErrorContains(t, err, `protocol "0"`)
	require.ErrorContains(t, err, "worker-2.json")
	require.EqualValues(t, 5, tally.Executions())
}

func TestTallyFailures(t *testing.T) {
	tally := &Tally{Dir: t.TempDir()}
	a := engine.Failure{Target: "FuzzA", Place: "a.go:1", File: "testdata/fuzz/FuzzA/1"}
	b := engine.Failure{Target: "FuzzA", File: "testdata/fuzz/FuzzA/2"}
	put(t, tally.Dir, "failure-1.json", a)
	put(t, tally.Dir, "failure-2.json", b)
	told, fresh, err := tally.Failures()
	require.NoError(t, err)
	require.Equal(t, []engine.Failure{a, b}, told)
	require.Equal(t, []engine.Failure{a, b}, fresh)
	put(t, tally.Dir, "failure-3.json", a)
	told, fresh, err = tally.Failures()
	require.NoError(t, err)
	require.Equal(t, []engine.Failure{a}, told)
	require.Empty(t, fresh)
	told, _, err = tally.Failures()
	require.NoError(t, err)
	require.Empty(t, told)

	put(t, tally.Dir, "failure-4.json", engine.Failure{
		Target: "FuzzA",
		Class:  "hang in f",
		File:   "testdata/fuzz/FuzzA/3",
		Hangs:  true,
	})
	_, _, err = tally.Failures()
	require.NoError(t, err)
	require.NoError(t, tally.WriteKnown([]string{"x"}))
	data, err := os.ReadFile(filepath.Join(tally.Dir, engine.KnownFile))
	require.NoError(t, err)
	require.JSONEq(t,
		`[{"Name": "3"}, {"Name": "a.go:1"}, {"Name": "hang in f"}, {"Name": "testdata/fuzz/FuzzA/2"}, {"Name": "x"}]`, string(data))
}

// Variants of a class are known by their names. How often they are met is told of their class.
func TestTallyVariants(t *testing.T) {
	tally := &Tally{Dir: t.TempDir()}
	first := engine.Failure{Class: "x.go:1: wrong", Variant: "x.go:1: wrong #1", Data: []byte("1")}
	second := engine.Failure{Class: "x.go:1: wrong", Variant: "x.go:1: wrong #2", Data: []byte("2")}
	for i, f := range []engine.Failure{first, second, first} {
		put(t, tally.Dir, "failure-1.json", f)
		_, fresh, err := tally.Failures()
		require.NoError(t, err)
		require.Len(t, fresh, []int{1, 1, 0}[i])
	}
	require.NoError(t, tally.WriteKnown(nil))
	data, err := os.ReadFile(filepath.Join(tally.Dir, engine.KnownFile))
	require.NoError(t, err)
	require.JSONEq(t, `[{"Name": "x.go:1: wrong #1", "Data": "MQ=="}, {"Name": "x.go:1: wrong #2", "Data": "Mg=="}]`, string(data))

	put(t, tally.Dir, "worker-1.json", engine.Report{Stats: engine.Stats{Protocol: engine.Protocol,
		Known: map[string]int64{first.Variant: 3, second.Variant: 4}}})
	require.NoError(t, tally.Refresh())
	first.Variants = []engine.Failure{second}
	require.Equal(t, []int64{7}, tally.Again([]engine.Failure{first}))
}

// The time of the turn that runs counts, as its executions do.
func TestTallyTime(t *testing.T) {
	x := &Tally{Dir: t.TempDir()}
	require.True(t, x.Line("fuzz: elapsed: 0s, gathering baseline coverage: 0/1 completed"))
	require.True(t, x.Line("fuzz: elapsed: 3s, execs: 100 (33/sec), new interesting: 1 (total: 2)"))
	require.Positive(t, x.Counts().Seconds)
	require.EqualValues(t, 100, x.Counts().Executions)
	require.NoError(t, x.EndTurn(time.Second, 2*time.Second))
	require.EqualValues(t, 2, x.Counts().Seconds)
}
