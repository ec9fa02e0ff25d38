package fuzzext

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/literal"
)

// An observer appends what becomes of each value to the file of -fuzzext.observe, as lines of JSON in
// the format that Tyche reads. Other processes append to the same file: each line is one write.
type observer struct{ file *os.File }

// A sighting is what a trial notes its values with.
type sighting struct {
	*observer
	property string
	began    time.Time
}

// An observation is a line of the file.
type observation struct {
	Type           string             `json:"type"`
	RunStart       float64            `json:"run_start"` // Unix time, in seconds
	Property       string             `json:"property"`
	Status         string             `json:"status"` // passed, failed, gave_up
	StatusReason   string             `json:"status_reason"`
	Representation string             `json:"representation"`
	Arguments      map[string]any     `json:"arguments"`
	HowGenerated   string             `json:"how_generated"`
	Features       map[string]any     `json:"features"` // a number, or a text
	Coverage       any                `json:"coverage"`
	Timing         map[string]float64 `json:"timing"` // in seconds
	Metadata       map[string]any     `json:"metadata"`
}

const testCase = "test_case"

// observing returns the observer of the process, or nil without -fuzzext.observe.
var observing = sync.OnceValues(func() (*observer, error) {
	if flags.observe == "" {
		return nil, nil
	}
	f, err := os.OpenFile(flags.observe, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	first, err := bufio.NewReader(f).ReadString('{')
	if err == nil && first != "{" || err == io.EOF && first != "" {
		f.Close()
		return nil, errors.New(flags.observe + " is not a file of observations: name another")
	}
	return &observer{f}, nil
})

// observes makes the trial note what becomes of its values.
func (tr *trial) observes() {
	o, err := observing()
	if err != nil {
		tr.tb.Fatalf("fuzzext: -fuzzext.observe: %v", err)
	}
	if o == nil {
		return
	}
	tr.spec.calls() // which the goroutines of runs are going to ask for
	tr.observer = &sighting{o, tr.tb.Name(), tr.start}
	name := tr.spec.target().name
	if name != "" && (fuzzing() || givenBegan != "" || strings.HasPrefix(name, "Fuzz")) {
		// without the name of the entry; each execution is a trial
		tr.observer.property, tr.observer.began = name, runBegan()
	}
}

// givenBegan is what another process has said of when the run began.
var givenBegan = os.Getenv(engine.RunBegan)

// runBegan returns when the run began to which this process belongs: the engine's processes, in all
// turns of a target, are one run, of which Tyche shows the latest.
var runBegan = sync.OnceValue(func() time.Time {
	if us, err := strconv.ParseInt(givenBegan, 10, 64); err == nil {
		return time.UnixMicro(us)
	}
	now := time.Now()
	_ = os.Setenv(engine.RunBegan, strconv.FormatInt(now.UnixMicro(), 10)) // for workers
	return now
})

// observe notes the value of a run that is about to begin. The function that it returns writes what
// has become of it.
func (tr *trial) observe(t *T, v any) func() {
	text, _ := literal.Within(maxValue, v, tr.spec.target().pkg)
	began := time.Now()
	return func() {
		took := time.Since(began)
		o := tr.observation()
		o.Representation = text
		o.Timing["execute:test"] = took.Seconds()
		o.HowGenerated = howGenerated(t.index)
		if t.index != minimizing {
			o.Features["choices"] = len(tr.tree)
			if len(tr.tree) > 0 && tr.tree[0].Tag != "" {
				o.Features["first alternative"] = tr.tree[0].Tag
			}
		}
		if labels := t.labels(); len(labels) > 0 {
			o.Features["labels"] = strings.Join(labels, ", ")
		}
		for i, s := range t.scores() {
			if !math.IsNaN(s.Value) && !math.IsInf(s.Value, 0) {
				o.Features[fmt.Sprintf("score %d", i+1)] = s.Value
			}
		}
		switch {
		case t.Failed():
			account := t.account()
			message, stack, panics := strings.Cut(strings.TrimSpace(account.message()), "\n\ngoroutine ")
			if panics {
				message = strings.TrimPrefix(account.where, "panic at ") + ": " + message
				o.Metadata["traceback"] = "goroutine " + stack
			}
			o.Status, o.StatusReason = "failed", message
		case t.Skipped():
			o.Status = "gave_up"
			o.StatusReason = cmp.Or(t.left().skips, "the property does not assume the value")
		}
		tr.observer.write(o)
	}
}

// howGenerated says how the value of a run was made.
func howGenerated(index int) string {
	switch index {
	case minimizing:
		return "while a failure was made simpler"
	case reducing:
		return "a value once more, or a simpler one"
	}
	return fmt.Sprintf("value %d of the run", index)
}

// observeRejected notes a value that the generator has rejected.
func (tr *trial) observeRejected(i int, err error) {
	o := tr.observation()
	o.Status, o.StatusReason = "gave_up", err.Error()
	o.HowGenerated = howGenerated(i)
	tr.observer.write(o)
}

// observation returns one of a value for which the property holds.
func (tr *trial) observation() observation {
	o := observation{Type: testCase, RunStart: float64(tr.observer.began.UnixMicro()) / 1e6,
		Property: tr.observer.property, Status: "passed", Arguments: map[string]any{}, Features: map[string]any{},
		Timing:   map[string]float64{},
		Metadata: map[string]any{"package": tr.spec.target().importPath()}}
	return o
}

// write writes a line. What cannot be written is lost: a test does not fail for that.
func (o *observer) write(line observation) {
	if b, err := json.Marshal(line); err == nil {
		_, _ = o.file.Write(append(b, '\n'))
	}
}
