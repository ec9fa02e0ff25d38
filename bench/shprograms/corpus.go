package shprograms

// A Corpus tells what has been made. Traces and Buckets are of its first files, for each number
// of files that has been asked for.
type Corpus struct {
	Files   int
	Bytes   int
	Choices int
	Invalid int   // files that do not parse
	Stopped int   // files whose interpretation takes more steps than are allowed
	Panics  int   // files on which the interpreter panics
	Traces  []int // distinct ones
	Buckets []int // of counters, that have been reached
}
