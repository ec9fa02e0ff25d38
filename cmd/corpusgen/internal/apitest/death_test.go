package apitest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/stretchr/testify/require"
)

// What leaves a lock held is more typical of the sequences that wait for it than of those that are
// kept. What starts a goroutine that panics is in its stack.
func TestCulprits(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept")
	var lines []byte
	for _, op := range []string{"tree.Get", "tree.Set", "tree.Len", "tree.Iter"} {
		b, err := json.Marshal(job.Told{Ops: []string{"p.New", op}})
		require.NoError(t, err)
		lines = append(append(lines, b...), '\n')
	}
	require.NoError(t, os.WriteFile(kept, lines, 0o666))
	g := &generation{order: &job.API{Restore: kept}, harness: &apigen.Harness{Operations: []string{"p.New", "cron.Start", "cron.Restart", "p.Start with 1"}}}
	for _, c := range []struct {
		last string
		want []string
	}{{"tree.Get", nil}, {"tree.Set", nil}, {"tree.Len", []string{"tree.Iter"}}, {"tree.Len", nil}} {
		d := &death{within: "p.lock", hang: true, locked: true, before: map[string]int{}}
		d.Op, d.told.Ops = c.last, []string{"p.New", "tree.Iter", c.last}
		count(d.before, d.told.Ops[:2])
		d.Found = 1
		require.Equal(t, c.want, g.culprits(g.bury(d)), c.last)
	}
	d := newDeath("example.com/p", job.Told{Ops: []string{"p.New"}}, "panic: no\n\ngoroutine 7 [running]:\nexample.com/p.run()\n\t/p.go:3\ncreated by example.com/p.(*Cron).Start in goroutine 6\n\t/p.go:2\n\ngoroutine 1 [running]:\n", nil)
	require.Empty(t, g.culprits(d))
	d.differs = true
	require.Equal(t, []string{"cron.Start", "p.Start with 1"}, g.culprits(d))
	d = newDeath("example.com/p", job.Told{Ops: []string{"p.New"}}, "panic: no\n\ngoroutine 7 [running]:\nexample.com/p.run()\n\t/p.go:3\ncreated by example.com/p.New in goroutine 6\n\t/p.go:2\n", nil)
	d.differs = true
	require.Empty(t, g.culprits(d)) // all that were kept have it
}

// One announced exit suffices to leave out what has ended the process, with fewer or more
// arguments, too.
func TestAnnounced(t *testing.T) {
	goroutine := "panic: no\n\ngoroutine 7 [running]:\np.run()\n\t/p.go:3\ncreated by p.Fatal in goroutine 6\n\t/p.go:2\n"
	for _, c := range []struct {
		output string
		warned bool
		want   bool
	}{{"", true, true}, {"", false, false}, {"panic: no", true, false}, {goroutine, true, false}} {
		d := newDeath("p", job.Told{Ops: []string{"p.Fatal with 1"}, Warned: c.warned}, c.output, nil)
		require.Equal(t, c.want, d.announced(), c)
	}
	ops := []string{"p.Fatal", "p.Fatal with 1", "p.Fatalf", "p.Fatal ="}
	g := &generation{harness: &apigen.Harness{Operations: ops}}
	require.Equal(t, ops[:2], g.variants("p.Fatal with 1"))
	for _, op := range ops {
		g.bury(newDeath("p", job.Told{Ops: []string{op}}, "", nil))
	}
	require.Len(t, g.deaths, 3)
}

// What runs until something stops it is told by its name.
func TestRunsOn(t *testing.T) {
	for op, want := range map[string]bool{"pool.Run": true, "http.ListenAndServe with 2": true, "pool.Wait": true, "pool.Runs": false, "pool.Get": false} {
		d := &death{hang: true, Test: job.Test{Op: op}}
		require.Equal(t, want, d.runsOn(), op)
	}
	require.False(t, (&death{hang: true, differs: true, Test: job.Test{Op: "pool.Run"}}).runsOn())
	require.False(t, (&death{Test: job.Test{Op: "pool.Run"}}).runsOn())
}

// A process that was killed long after its time hangs. Other deaths may follow, but not many such.
func TestOverrun(t *testing.T) {
	d := newDeath("p", job.Told{Ops: []string{"p.Sleep"}}, "", errOvertime)
	require.True(t, d.hang && d.overran)
	require.False(t, newDeath("p", job.Told{Ops: []string{"p.Sleep"}}, "", nil).overran)
}

// An interrupt ends what can wait.
func TestInterrupted(t *testing.T) {
	stop := make(chan struct{})
	g := &generation{stop: stop}
	require.False(t, g.interrupted())
	close(stop)
	require.True(t, g.interrupted())
}

// Who unlocks what is not locked makes a mistake, unless a call does that by itself.
func TestUnlocks(t *testing.T) {
	for op, want := range map[string]bool{"m.Unlock": true, "m.RUnlock with 1": true, "m.Close": false} {
		require.Equal(t, want, newDeath("p", job.Told{Ops: []string{op}}, "fatal error: sync: Unlock of unlocked RWMutex\n", nil).unlocks(), op)
		require.False(t, newDeath("p", job.Told{Ops: []string{op}}, "panic: no\n", nil).unlocks())
	}
}

// Whoever has waited for the time learns what takes as long.
func TestOutlook(t *testing.T) {
	g := &generation{apiRun: &apiRun{time: 20 * time.Second}, pkg: &apigen.Package{Path: "example.com/p"}}
	require.Empty(t, g.outlook(15*time.Second))
	require.Equal(t, "example.com/p: 20s are over. What follows may take as long: choosing and running the tests\n", g.outlook(20*time.Second))
	g.deaths = []*death{{}}
	require.Contains(t, g.outlook(21*time.Second), ": minimizing 1 kind of sequences that end the process, choosing")
	g.time = time.Second
	require.Empty(t, g.outlook(time.Second))
}

// A hang is that of a call, or else of a contract.
func TestSequenceStack(t *testing.T) {
	call := "goroutine 7 [sync.Mutex.Lock]:\nexample.com/p.(*G).lock()\ngithub.com/espalier-go/espalier/bigen/callseq/api.(*machine).step(0)"
	other := "goroutine 1 [running]:\nexample.com/p.String()\ngithub.com/espalier-go/espalier/bigen/callseq/api.(*contract).judge(0)"
	stack, waits := sequenceStack(other + "\n\n" + call)
	require.Equal(t, call, stack)
	require.True(t, waits)
	stack, _ = sequenceStack(other)
	require.Empty(t, stack)
	for state, waits := range map[string]bool{
		"sync.Mutex.Lock": false, "sync.RWMutex.RLock, 1 minutes": false, "semacquire": false, "running": false, "runnable": false,
		"chan receive": true, "select": true, "sleep": true, "sync.Cond.Wait": true, "sync.WaitGroup.Wait": true,
	} {
		stack, stands := sequenceStack(strings.Replace(call, "sync.Mutex.Lock", state, 1))
		require.Equal(t, waits, stands && !atLock.MatchString(stack), state)
	}
}

// What has no end, or takes all memory, is alike if it does so in one function, whose package may
// have a dot in its name.
func TestSpins(t *testing.T) {
	stack := "\n\ngoroutine 7 [running]:\nstrings.HasPrefix(0)\n\t/strings.go:3 +0x1\nexample.com/p%2ev1.(*Key).split(0)\n\t/p/key.go:7 +0x1\nexample.com/p%2ev1.(*Key).Strings(0)\n\t/p/key.go:9 +0x1\ngithub.com/espalier-go/espalier/bigen/callseq/api.(*machine).step(0)\n\n"
	hang := newDeath("example.com/p.v1", job.Told{Ops: []string{"key.Strings"}}, "the sequence does not end"+stack, errOvertime)
	fill := newDeath("example.com/p.v1", job.Told{Ops: []string{"key.Ints"}}, "the sequence takes 1200 MB of memory\nruntime: out of memory"+stack, nil)
	require.Equal(t, "example.com/p%2ev1.(*Key).split", hang.class())
	require.Equal(t, hang.class(), fill.class())
	require.Equal(t, "key.go:7", fill.Place)
	require.Empty(t, hang.started()+fill.started())
	hang.differs = true
	require.Empty(t, (&generation{order: &job.API{}}).culprits(hang))
	panics := newDeath("example.com/p.v1", job.Told{Ops: []string{"key.Run"}}, "panic: no\n\ngoroutine 7 [running]:\nexample.com/p%2ev1.run()\n\t/p/key.go:3\ncreated by example.com/p%2ev1.(*Key).Run in goroutine 6\n\t/p/key.go:2\n", nil)
	require.Equal(t, "Run", panics.started())
}

// What ends the process in one way for one reason is told once.
func TestExcused(t *testing.T) {
	g := &generation{suite: &job.Suite{}}
	for _, c := range [][3]string{{"p.A", "the sequence takes 1200 MB of memory", "why"}, {"p.B", "the sequence takes 1300 MB of memory", "why"}, {"p.C", "panic: no", "why"}, {"p.D", "panic: no", "else"}} {
		g.excused(&death{Test: job.Test{Op: c[0], Message: c[1], Found: 2}}, c[2])
	}
	require.Equal(t, []excuse{{"why", "the sequence takes 1200 MB of memory", []string{"p.A", "p.B"}}, {"why", "panic: no", []string{"p.C"}}, {"else", "panic: no", []string{"p.D"}}}, g.excuses)
	require.Equal(t, 8, g.suite.Stats.Invalid)
}
