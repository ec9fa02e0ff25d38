package job

// Titles of parts of fuzzext's reports. Corpusgen finds these parts in the output of a test. The
// recorded outputs in cmd/corpusgen/testdata/answers hold the titles, too.
const (
	MinimalValue = "minimal failing value"
	PassesWith   = "it passes with"
	SavedAs      = "saved as"
)
