package engine

// A Driver connects fuzzext with an engine that makes one input after the other and keeps its
// own corpus, such as libFuzzer. It is part of a [Link].
type Driver struct {
	// Set by the engine:

	// Save writes an input that stands for the minimized value of a failure, and returns
	// the file's path. It returns "" if the engine only runs files again.
	Save func(b []byte) (path string, err error)
	// Rerun returns the command that runs the input in a file again, or the current input
	// if file is "".
	Rerun func(file string) string

	// File returns the path of the copy, next to the binary, of a file that the target reads.
	File func(path string) string
	// Exploring says whether inputs run that the engine does not know about. If one of them
	// ends the process, it is the last one that was offered since the last call of Exploring.
	Exploring func(yes bool)

	// Set by fuzzext, if the inputs have a structure that it knows:

	// Mutate returns another input, of at most max bytes, made of b.
	Mutate func(b []byte, max int) []byte
}

// SeedsFile is the name of an environment variable. If it is set, a binary does not fuzz,
// but writes its [Seeds] to the file that the variable names.
const SeedsFile = "ESPALIER_SEEDS"

// Seeds are what a fuzz target begins with.
type Seeds struct {
	Types      []string // of the arguments
	Structured bool     // fuzzext mutates the inputs
	Inputs     [][]byte // the inputs of F.Add and of testdata/fuzz
	Files      []string // that fuzzext reads: policies, models
}
