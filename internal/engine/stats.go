package engine

// Stats is what a worker process tells about itself: the JSON value in the file
// worker-PID.json of the directory that the environment variable [RunDir] names.
// The counts are those since the process began.
type Stats struct {
	Protocol   string // see [Protocol]
	PID        int
	Structured bool  // the inputs have a structure that fuzzext knows
	Executions int64 // inputs run
	Valid      int64 // of these, those that are valid: not rejected, not skipped
	Found      int64 // inputs with new coverage
	Flaky      int64 // inputs whose new coverage was not there when they ran again
	Entries    int   // inputs in the worker's pool
	Operators  []OperatorStats
	Known      map[string]int64 // failures that had been found before, by their place
}

// OperatorStats tells what a kind of mutation has been good for.
type OperatorStats struct {
	Name  string
	Tried int64 // inputs made by it
	Found int64 // of these, those with new coverage
}

// RunDir is the environment variable that holds the directory through which corpusgen
// and the processes of one run talk. Without it, they are on their own.
const RunDir = "ESPALIER_RUN"

// Lifeline is the environment variable that holds the number of a file descriptor, a pipe:
// when its other end is closed, corpusgen has ended, and fuzzing is to end, too.
const Lifeline = "ESPALIER_LIFELINE"

// A Failure is one that a worker has found: the JSON value in a file failure-*.json of
// [RunDir], which is complete when it has that name.
type Failure struct {
	Target string // FuzzInsert
	Place  string // where in the code, as far as it can be told: two of one place count as one failure
	Log    string // what the test says
	Value  string // the minimal value as a Go literal; empty where the inputs have no structure
	File   string // of the corpus entry, relative to the package's directory
	Rerun  string // a command
}

// KnownFile is the name, in [RunDir], of a JSON list of places of failures. Fuzzing goes
// on after a failure in one of them, and counts it only.
const KnownFile = "known.json"
