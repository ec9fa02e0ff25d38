package campaign

import (
	"os"
	"path/filepath"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/livepage"
	"github.com/espalier-go/espalier/internal/engine"
)

// A fuzzTarget is a target of a campaign.
type fuzzTarget struct {
	name     string // of the fuzz target, or of a test that calls fuzzext.Check
	engine   string // of the fuzz target that the engine runs
	label    string // names it in output; empty if it is the only one
	binary   *gotest.Binary
	state    *State
	record   *Record
	tally    Tally
	failures []engine.Failure // one of each class
	shown    *livepage.Row    // on the page; nil without one
	unfit    string           // why the target is not fuzzed any longer: a verb and what follows
	status   string           // of the last turn
	turns    int              // that have ended
	spent    float64          // of the limit
	mixed    bool             // other tests of the package have run in a turn
	hung     bool             // the latest turn ended with workers that did not stop
	alone    bool             // other tests of the package fail, and are left out
	marked   bool             // functions that a change touches say when they run
	idle     int              // turns in a row that ended with a failure that is known
	growth   growth
	drought  Drought   // at present
	dry      bool      // it has lasted for so long that the target is not fuzzed any longer
	enough   func()    // ends the turn that runs
	quiet    bool      // the latest turn ended as one before, and the output does not say so
	deaths   int       // turns in a row that ended only as an input before has ended the process
	executed int64     // inputs, until the latest turn has ended
	until    time.Time // when the turn that runs ends; zero without a limit of time
}

func (t *fuzzTarget) pkg() gotest.Package { return t.binary.Package }

// failureOf returns the failure of a class, or nil.
func (t *fuzzTarget) failureOf(class string) *engine.Failure {
	for i := range t.failures {
		if classOf(t.failures[i]) == class {
			return &t.failures[i]
		}
	}
	return nil
}

// locate sets the file of a seed that has failed. It is in the corpus of the package, where
// go test finds it, or in the engine's cache, where go test does not. A seed that the
// target adds has none.
func (t *fuzzTarget) locate(env *gotest.Env, f *engine.Failure, seed string) {
	seed = filepath.FromSlash(seed)
	file := filepath.Join("testdata", "fuzz", seed)
	if _, err := os.Stat(filepath.Join(t.pkg().Dir, file)); err == nil {
		f.File = filepath.ToSlash(file)
		return
	}
	cached := filepath.Join(gotest.FuzzCache(env, t.pkg()), seed)
	if _, err := os.Stat(cached); err == nil {
		f.File, f.Rerun = cached, ""
	}
}
