package fuzzext

import "github.com/espalier-go/espalier/fuzzext/internal/tally"

// checkHome returns the home of a Check. It saves failures itself, in a directory of the
// test, and runs them first the next time.
func checkHome(target target, call call, directory string, n *tally.Tally) home {
	repeat := func(test string, hangs bool) string {
		return target.rerun(test, hangs) + " " + n.RepeatFlags(flags.keep)
	}
	return home{
		dir: func(string) string { return directory },
		rerun: func(test, file string, hangs bool) string {
			if file == "" {
				return repeat(test, hangs)
			}
			return target.rerun(test, hangs)
		},
		repeat: repeat,
		before: n.Ran,
		snippet: func(v writtenValue) (title, code string) {
			if !v.exact {
				return "", ""
			}
			return v.title("or always, by an option of " + call.function), call.read().qualifier + "Examples" + v.typeArgs + "(" + v.literal + ")"
		},
	}
}
