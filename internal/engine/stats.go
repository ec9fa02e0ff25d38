package engine

// A Report is the JSON value in the file worker-PID.json of the directory that the environment
// variable [RunDir] names.
type Report struct {
	Stats
	Covered int // blocks of code that inputs known to the worker or the coordinator reach
	Blocks  int // of the code that is followed
}

// Stats are the statistics of a worker process since it began.
type Stats struct {
	Protocol   string // see [Protocol]
	PID        int
	Structured bool  // the inputs have a structure that fuzzext knows
	Executions int64 // inputs run
	Valid      int64 // of these, valid ones: not rejected, not skipped
	Found      int64 // inputs with new coverage
	Flaky      int64 // blocks of code that one input reaches at times, or more or less often
	Entries    int   // inputs in the worker's pool
	Changed    int   // of these, entries that reach functions that a change touches
	Operators  []OperatorStats
	Known      map[string]int64 // by class: how many failures were passed over
}

// OperatorStats are the finds of one kind of mutation.
type OperatorStats struct {
	Name  string
	Tried int64 // inputs made by it
	Found int64 // of these, those with new coverage
}

// WorkerSaid is the line before what a worker has printed that has ended before it fuzzed.
const WorkerSaid = "the worker process, in which TestMain runs, too, has printed:"

// RunDir is the environment variable that holds the directory through which corpusgen and
// the processes of one run exchange files. Without it, they exchange none.
const RunDir = "ESPALIER_RUN"

// A Failure is the record of a failure that a worker has found: the JSON value in a file
// failure-*.json of [RunDir]. A file with that name is complete.
type Failure struct {
	Target  string // FuzzInsert
	Class   string // two failures of one class count as one; "" if it is the place
	Words   string `json:"-"`          // Class, with words that may be of the input; or ""
	Larger  string `json:"-"`          // the class of the input before it was minimized, if another
	Varies  bool   `json:"-"`          // Class is the place, whose message varies
	Variant string `json:",omitempty"` // of the class, by a name that no other has
	Data    []byte `json:",omitempty"` // see [KnownClass]
	Place   string // where in the code, if known
	Log     string // what the test says, from the failure on
	Value   string // the minimal value as a Go literal; empty if the inputs have no structure
	Input   string `json:",omitempty"` // without structure: the arguments of the target, a line each
	File    string // of the corpus entry, relative to the package's directory
	Rerun   string // a command
	Always  string `json:",omitempty"` // a title, and below it code that makes the value a seed
	Hangs   bool   `json:",omitempty"` // the run has not returned
	Note    string `json:",omitempty"` // a sentence that qualifies all that
	// Variants are other minimal values of the class, as far as corpusgen has put them here.
	Variants []Failure `json:",omitempty"`
}

// UnfinishedPrefix begins the names, in [RunDir], of entries that a worker still ran when it was
// killed at the end of a turn.
const UnfinishedPrefix = "unfinished-"

// FailedSeedFile is the name, in [RunDir], of the entry that has failed before fuzzing began. If the
// target adds it, no other file has it.
const FailedSeedFile = "failed-seed"

// SaidPrefix begins the names, in [RunDir], of the files with what each worker prints.
const SaidPrefix = "said-"

// OverrunPrefix begins the names, in [RunDir], of the failure of each input that has exceeded a
// limit: a [Failure] as JSON, whose file is the name of the entry.
const OverrunPrefix = "overrun-"

// Environment variables of the processes of one run.
const (
	// CorpusDir holds the directory whose entries a target runs as a test, instead of those in
	// testdata/fuzz. Then a process also tells where it calls os.Exit.
	CorpusDir = "ESPALIER_CORPUS"
	// CorpusTime holds how much time such a process may take, as [time.ParseDuration] has it and a
	// [Clock] counts it. Then it ends with [TimedOut] and the stacks of all goroutines.
	CorpusTime = "ESPALIER_CORPUS_TIME"
	// CorpusMinimize is set in such a process if it is to minimize what fails, and to save the smaller
	// entry in CorpusDir. That is for targets whose inputs have structure.
	CorpusMinimize = "ESPALIER_CORPUS_MINIMIZE"
	// RunBegan holds when the run began, in microseconds since 1970, for observations of values.
	RunBegan = "ESPALIER_BEGAN"
	// LimitTime holds how much CPU time an input may take, as [time.ParseDuration] has it.
	LimitTime = "ESPALIER_LIMIT_TIME"
	// LimitMemory holds how many bytes of memory an input may use.
	LimitMemory = "ESPALIER_LIMIT_MEMORY"
)

// KnownFile is the name, in [RunDir], of a JSON list of each [KnownClass]. A failure of one of them
// is counted, and fuzzing continues.
const KnownFile = "known.json"

// BaselineFile is the name, in [RunDir], of the file that a turn leaves for the next: the
// coverage of the corpus, and the hashes of its entries.
const BaselineFile = "baseline.json"
