package job

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/espalier-go/espalier/internal/safefile"
)

// Schedules is the environment variable that names a file for the failures of tests with schedules.
const Schedules = "ESPALIER_SCHEDULES"

// A ScheduleFailure is what a test has reported of a schedule that fails.
type ScheduleFailure struct {
	Package string // import path
	Test    string
	Report  string
}

// TellSchedule appends a failure to the file that [Schedules] names, if it names one.
func TellSchedule(pkg, test, report string) {
	tell(os.Getenv(Schedules), ScheduleFailure{pkg, test, report})
}

// tell appends a line of JSON to a file, unless its name is empty.
func tell(path string, v any) {
	if path == "" {
		return
	}
	line, err := json.Marshal(v)
	if err != nil {
		return
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return
	}
	_, _ = file.Write(append(line, '\n')) // one write: several tests may append at once
	_ = file.Close()
}

// ReadSchedules returns what tests have told, or nil if there is no file.
func ReadSchedules(path string) ([]ScheduleFailure, error) {
	return readTold[ScheduleFailure](path)
}

// FewSchedules is the environment variable that names a file for the tests that had no time for all
// schedules.
const FewSchedules = "ESPALIER_FEW_SCHEDULES"

// Few is what a test tells that has passed with fewer schedules than it should have followed.
type Few struct {
	Package    string // import path
	Test       string
	Made, Most int
}

// TellFew appends a test to the file that [FewSchedules] names, if it names one.
func TellFew(f Few) { tell(os.Getenv(FewSchedules), f) }

// ReadFew returns what tests have told, or nil if there is no file.
func ReadFew(path string) ([]Few, error) { return readTold[Few](path) }

// readTold returns the values in the lines of a file.
func readTold[V any](path string) (all []V, err error) {
	text, err := safefile.Read(path, maxOrder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var f V
		if err := json.Unmarshal(line, &f); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, f)
	}
	return all, nil
}
