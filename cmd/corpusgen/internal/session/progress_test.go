package session

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/job"
	"github.com/stretchr/testify/require"
)

func TestProgress(t *testing.T) {
	made := &job.Answer{
		Entries: []job.Entry{{Status: job.Valid}, {Status: job.Fatal}},
		End:     &job.End{Tried: 50, Old: 8, Invalid: 2},
	}
	now := job.Progress{
		End:      job.End{Tried: 30, Rejected: 10, Spent: 3 * time.Second},
		Number:   12,
		Failures: 2,
	}
	none := &job.Answer{}
	for want, p := range map[string]Progress{
		"12 of 20 values": progressOf(&job.Order{Make: &job.Make{N: 20}},
			none, job.Progress{Number: 12}),
		"20 of 20 values": progressOf(&job.Order{Make: &job.Make{N: 20}},
			none, job.Progress{Number: 31}),
		"60 of 100 mutants, 3 failures": progressOf(
			&job.Order{Mutate: &job.Mutate{N: 100, Check: true}}, made, now),
		"20 mutants, 1h0m0s left, 2 failures": progressOf(
			&job.Order{Mutate: &job.Mutate{Limit: time.Hour + 3*time.Second}}, none, now),
		"12 of 103 values, 2 failures": progressOf(
			&job.Order{Read: &job.Read{Files: []string{"a", "b", "c"}, Draw: 100}}, none, now),
		"12 values": progressOf(
			&job.Order{Read: &job.Read{Format: "json"}}, none, job.Progress{Number: 12}),
		"1 of 1 entry": {Done: 1, Wanted: 1, One: "entry",
			Many: "entries", Found: -1},
		"1 execution, 3s left, 0 new, 1 failure": {Done: 1, One: "execution", Many: "executions",
			Left: 3 * time.Second, Failures: 1},
	} {
		require.Equal(t, want, p.String())
	}
}

// How far a process has got can be read while it writes its answer.
func TestProgressOfAnswer(t *testing.T) {
	o := &job.Order{Answer: filepath.Join(t.TempDir(), "answer")}
	_, ok := o.Progress()
	require.False(t, ok)
	w, err := o.Reply()
	require.NoError(t, err)
	_, ok = o.Progress()
	require.False(t, ok)
	w.Begin(job.Entry{Number: 7}, job.End{Tried: 6})
	w.Put(job.Entry{Status: job.Failing})
	w.Put(job.Entry{Status: job.Valid})
	w.Begin(job.Entry{Number: 8}, job.End{Tried: 9})
	p, ok := o.Progress()
	require.True(t, ok)
	require.Equal(t, job.Progress{End: job.End{Tried: 9}, Number: 8, Failures: 1}, p)
}

// Without a terminal, a line of progress is due every few seconds; with one, there is the status
// line.
func TestDue(t *testing.T) {
	begin := time.Now()
	o := &Output{told: begin}
	var got []bool
	for s := range 7 {
		got = append(got, o.due(begin.Add(time.Duration(s)*time.Second)))
	}
	require.Equal(t, []bool{false, false, false, true, false, false, true}, got)
	require.False(t, (&Output{terminal: true}).due(begin))
}
