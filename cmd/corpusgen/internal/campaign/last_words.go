package campaign

import (
	"bytes"
	"cmp"
	"os"
	"strings"
	"time"

	"github.com/espalier-go/espalier/internal/engine"
)

// lastWords returns what the worker that ended last has said of its end.
func (t *fuzzTarget) lastWords() (words string, ok bool) {
	var last time.Time
	for _, path := range t.tally.files(engine.SaidPrefix + "*") {
		info, err := os.Stat(path)
		if err != nil || !info.ModTime().After(last) {
			continue
		}
		b, err := os.ReadFile(path)
		if said, ends := death(string(b)); err == nil && ends {
			words, ok, last = said, true, info.ModTime()
		}
	}
	return words, ok
}

// race begins the report of a data race, which the process prints. The test says only that it has
// had one.
const race = "WARNING: DATA RACE"

// nameRace completes a failure that is a data race.
func (f *fuzzer) nameRace(t *fuzzTarget, d *diagnosis) {
	for i := range d.failures {
		failure := &d.failures[i]
		if !strings.Contains(failure.Log, "race detected during execution of test") {
			continue
		}
		for _, path := range t.tally.files(engine.SaidPrefix + "*") {
			b, err := os.ReadFile(path)
			at := bytes.LastIndex(b, []byte(race))
			if err != nil || at < 0 {
				continue
			}
			report, _, _ := strings.Cut(string(b[at:]), "\n==================")
			failure.Log = report + "\n\n" + failure.Log
			failure.Place = cmp.Or(engine.RacePlace(report), failure.Place)
			return
		}
	}
}

// examineIdle finds out why a worker has ended while it ran no input, as when a goroutine panics that
// an earlier one has begun.
func (f *fuzzer) examineIdle(t *fuzzTarget, failure engine.Failure, d *diagnosis) {
	words, ok := t.lastWords()
	if failure.Log, failure.Place = words, engine.PlaceOf(words); !ok || !placed(failure) {
		return
	}
	failure = classified(failure, nil)
	failure.Note = "The process has ended between two inputs: one of those before has begun what has " +
		"ended it, so none is saved."
	if t.tally.Knows(failure) {
		d.again = append(d.again, failure)
		return
	}
	d.failures = append(d.failures, failure)
}
