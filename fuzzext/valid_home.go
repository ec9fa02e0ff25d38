package fuzzext

import (
	"fmt"
	"path/filepath"
)

// targetHome returns the home of a fuzz target. Go's fuzzer runs what is saved as a corpus
// entry.
func targetHome(target target, call call) home {
	h := home{
		dir: func(test string) string {
			if !fuzzing() {
				return ""
			}
			return filepath.Join("testdata", "fuzz", test)
		},
		rerun: func(test, file string, hangs bool) string {
			if file != "" {
				test += "/" + filepath.Base(file)
			}
			return target.rerun(test, hangs)
		},
		snippet: func(v writtenValue) (title, code string) {
			before := "Fuzz"
			if call.function == sequence {
				before = sequence
			}
			title = "or always, by a line before the call of " + before
			if c := call.read(); c.gen != "" {
				title = v.title(title)
			}
			return title, seedLine(call.read(), v)
		},
	}
	if engineLink != nil && engineLink.Driver != nil {
		h.beside = engineLink.Driver.Save
		h.maxLog = maxValue // a log of libFuzzer has the reports of many failures
		h.rerun = func(_, file string, _ bool) string { return engineLink.Driver.Rerun(file) }
	}
	return h
}

// maxSeed is how many bytes a line of code has at most that adds them as a seed.
const maxSeed = 2 << 10

// seedLine returns a line that makes a value a seed of the target that has the call.
func seedLine(c call, v writtenValue) string {
	switch {
	case v.exact && c.gen != "":
		return c.qualifier + "Add" + v.typeArgs + "(" + c.f + ", " + c.gen + ", " + v.literal + ")"
	case len(v.bytes) <= maxSeed:
		return fmt.Sprintf("%s.Add([]byte(%q))", c.f, v.bytes)
	}
	return ""
}
