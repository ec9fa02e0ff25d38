package fuzzext

import (
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/entry"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/internal/observe"
)

// An observer collects the observations of a Check, for -fuzzext.observe. A nil one does not.
type observer struct {
	*spec
	test  string
	start float64
	list  []observe.Observation
}

// maxObserved is how many values of a Check are observed.
const maxObserved = 10_000

// observed has the observations of the Checks that have ended.
var observed struct {
	mu   sync.Mutex
	list []observe.Observation
}

func newObserver(x *spec, test string) *observer {
	if flags.observe == "" {
		return nil
	}
	return &observer{spec: x, test: x.target().pkg + "." + test, start: float64(time.Now().UnixMilli()) / 1000}
}

// observe observes the run on the value of a tree, made somehow. The run is nil if the generator has
// rejected the value.
func (o *observer) observe(t choices.Tree, how string, run *T) {
	if o == nil || len(o.list) == maxObserved {
		return
	}
	status, why, value, size := job.Rejected, "the generator rejects the value", "", 0
	var labels []string
	if run != nil {
		status, why, labels = job.Valid, "", run.labels()
		switch {
		case run.failed:
			status = job.Failing
			why, _ = run.logged()
		case run.invalid:
			status = job.Invalid
		}
		if v, _, err := o.remake(t); err == nil {
			value, _ = literal.Within(maxValue, v, o.target().pkg)
			data, _ := entry.Of(o.gen, v, t)
			size = len(data)
		}
	}
	made := observe.Of(o.test, o.start, status, why, value, t, size, labels)
	made.HowGenerated = how
	o.list = append(o.list, made)
}

// save writes the observations, and those of other Checks, to the file.
func (o *observer) save(t testing.TB) {
	if o == nil {
		return
	}
	observed.mu.Lock()
	defer observed.mu.Unlock()
	observed.list = append(observed.list, o.list...)
	if err := observe.Write(inPackage(flags.observe), observed.list); err != nil {
		t.Errorf("fuzzext.Check: -fuzzext.observe: %v", err)
	}
}
