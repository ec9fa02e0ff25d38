package campaign

import (
	"context"
	"fmt"

	"github.com/espalier-go/espalier/internal/engine"
)

// manyInputs is how many inputs without a valid one say that there is none.
const manyInputs = 100

// passOver says why targets have had no turn if something has failed.
func (f *fuzzer) passOver(ctx context.Context) {
	why := "another target failed before its turn (-keepgoing continues)"
	if f.keepGoing {
		why = overBefore
	}
	for _, t := range f.targets {
		if f.Failed && ctx.Err() == nil && t.turns == 0 && t.unfit == "" {
			t.unfit = "not fuzzed: " + why
		}
	}
}

const overBefore = "the time was over before its turn: raise -fuzztime"

// complainOfIdle complains of targets that have checked no input although nothing has failed.
func (f *fuzzer) complainOfIdle() {
	if f.Failed {
		return
	}
	for _, t := range f.targets {
		if t.tally.Executions() > 0 {
			if s := t.tally.Stats(); s.Valid == 0 && s.Executions >= manyInputs {
				f.Complain(fmt.Errorf("%s %s: nothing was checked: %s", t.pkg().Path, t.name, unchecked(s)))
			}
			continue
		}
		why := overBefore
		if t.turns > 0 {
			why = "its first execution takes longer than its share of -fuzztime"
		}
		f.Complain(fmt.Errorf("%s %s: nothing was run: %s", t.pkg().Path, t.name, why))
	}
}

// unchecked says why no input was checked, and what to do.
func unchecked(s engine.Report) string {
	if s.Structured {
		return fmt.Sprintf("of %d inputs, there was none that the generator accepts and the test does "+
			"not skip: let the generator make what the test needs", s.Executions)
	}
	return fmt.Sprintf("the test has skipped all %d inputs: add inputs that it does not skip, by F.Add, "+
		"or skip fewer", s.Executions)
}
