package fuzzext

// A home says where the failures of a test are saved, how they run again, and which code
// keeps them. That of a fuzz target differs from that of a Check.
type home struct {
	// dir returns the directory for failures of a test, in that of the package, or "" if
	// they are not saved.
	dir func(test string) string

	// beside saves a failure elsewhere; nil if there is only dir.
	beside func(b []byte) (path string, err error)

	// maxLog bounds what a report has of the property's own log; 0 for no bound.
	maxLog int

	// rerun returns the command that runs a test again on a failure that is saved as a
	// file, unless that is "".
	rerun func(test, file string, hangs bool) string

	// repeat returns the command that makes the random values of a test again; nil if it
	// makes none.
	repeat func(test string, hangs bool) string

	// before returns how many random values have run before the i-th value of the test. It
	// reports false unless that has been made at random itself.
	before func(i int) (ran int, random bool)

	// snippet returns code that makes the test run on a value always, and says where to
	// put it. There is no code for a value that cannot be written down.
	snippet func(v writtenValue) (title, code string)
}

// save saves bytes that stand for a failing value, unless failures are not saved, and returns the
// path of the file.
func (h *home) save(test string, b []byte) (path string, err error) {
	if h.beside != nil {
		return h.beside(b)
	}
	path, _, err = saveEntry(h.dir(test), b)
	return path, err
}

// A writtenValue is a value as code can have it.
type writtenValue struct {
	literal  string // of Go, or a name for it
	exact    bool   // the literal makes the value, and the generator reads it back
	typeArgs string // of a generic function that takes the value
	bytes    []byte // stand for the value
}

// above is the name for the literal of the value that is shown above the code.
const above = "v"

// title returns the title of code, which says what the name means that it has.
func (v *writtenValue) title(s string) string {
	if v.exact && v.literal == above {
		s += " (" + above + " is the value above)"
	}
	return s
}
