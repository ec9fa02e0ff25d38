package fuzzext

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// NoLeaks makes a run fail if a goroutine that it started, itself or by another goroutine, has
// not ended 100 ms after the property and its cleanups. Start what should outlive a run, such
// as a pool of workers, before. Looking at all goroutines after each run costs some 50
// microseconds. NoLeaks finds goroutines by a label of runtime/pprof, so it misses those of
// code that sets labels of its own.
func NoLeaks() Option { return func(o *options) { o.noLeaks = true } }

const (
	leakLabel = "espalier.run"
	leakTime  = 100 * time.Millisecond
)

var leakRuns atomic.Uint64

// leakless returns a property that fails also if it leaves goroutines behind.
func leakless(p property) property {
	return func(t *T, v any) {
		id := strconv.FormatUint(leakRuns.Add(1), 10)
		pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels(leakLabel, id)))
		t.Cleanup(func() { // the last one to run
			pprof.SetGoroutineLabels(context.Background())
			if !t.Failed() && !t.Skipped() {
				t.failIfLeaks(id)
			}
		})
		p(t, v)
	}
}

// failIfLeaks fails if goroutines with the label remain.
func (t *T) failIfLeaks(id string) {
	var stacks []string
	end := time.Now().Add(leakTime)
	for wait := 10 * time.Microsecond; ; wait *= 2 {
		if stacks = labeled(id); len(stacks) == 0 {
			return
		}
		if time.Now().After(end) {
			break
		}
		time.Sleep(wait)
	}
	what := "a goroutine"
	if len(stacks) > 1 {
		what = fmt.Sprint(len(stacks), " kinds of goroutines")
	}
	where := placeOfStack(stacks[0])
	t.put(fmt.Sprintf("the run has left %s behind:\n%s", what, strings.Join(stacks, "\n")), "goroutine at "+where, "leak", "leak")
}

// labeled returns the different stacks of the goroutines with a label.
func labeled(id string) (stacks []string) {
	var b bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&b, 1) // a buffer takes everything
	label := fmt.Sprintf("%q:%q", leakLabel, id)
	_, all, _ := strings.Cut(b.String(), "\n") // after the header
	for _, g := range strings.Split(all, "\n\n") {
		lines := strings.Split(g, "\n")
		if len(lines) < 2 || !strings.HasPrefix(lines[1], "# labels: ") || !strings.Contains(lines[1], label) {
			continue
		}
		stack := ""
		for _, l := range lines[2:] {
			if f := leakFrame.FindStringSubmatch(l); f != nil {
				stack += fmt.Sprintf("%s\n\t%s\n", f[1], f[2])
			}
		}
		stacks = append(stacks, stack)
	}
	return stacks
}

// leakFrame is a frame of the profile: address, function and offset, file and line.
var leakFrame = regexp.MustCompile(`^#\t0x[0-9a-f]+\t(.*)\+0x[0-9a-f]+\s+(.*)$`)

// placeOfStack returns FILE:LINE of the innermost function outside of the runtime.
func placeOfStack(stack string) string {
	lines := strings.Split(stack, "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		if !strings.HasPrefix(lines[i], "runtime.") && !strings.HasPrefix(lines[i], "sync.") && !strings.HasPrefix(lines[i], "time.") {
			return filepath.Base(strings.TrimSpace(lines[i+1]))
		}
	}
	return "?"
}
