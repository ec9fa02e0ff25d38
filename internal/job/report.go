package job

// Titles of parts of reports. Fuzzext writes them, and corpusgen finds the parts by them in the
// output of a test, and writes them in its own reports. The recorded outputs in
// cmd/corpusgen/testdata/answers hold them, too.
const (
	MinimalValue = "minimal failing value"
	PassesWith   = "it passes with"
	SavedAs      = "saved as"
)
