package fuzzext

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// selectsSubtests reports whether a pattern selects some subtests of a test, by their names,
// instead of all of the test. Of several patterns, divided by |, the first that matches the test
// counts, as in package testing.
func selectsSubtests(pattern, test string) bool {
	return selectsPart(pattern, test, strings.Count(test, "/")+1)
}

// selectsEntry reports whether a pattern selects an entry of the corpus of a fuzz target, by the
// name that its test has. A seed is not one: it need not be minimal. Nor is a subtest that calls
// the fuzz function itself.
func selectsEntry(pattern, test string) bool {
	target, entry, _ := strings.Cut(test, "/")
	return strings.HasPrefix(target, "Fuzz") && !strings.HasPrefix(entry, seedPrefix) &&
		selectsPart(pattern, test, 1)
}

// selectsSeeds reports whether a pattern selects some of the first n seeds of a fuzz target.
func selectsSeeds(pattern, target string, n int) bool {
	if !selectsSubtests(pattern, target) {
		return true
	}
	for i := range n {
		if selectsPart(pattern, fmt.Sprint(target, "/", seedPrefix, i), 1) {
			return true
		}
	}
	return false
}

// missingEntry returns an error if -run selects an entry of a target by its name, and there is no
// such entry: package testing would say that all is well.
func missingEntry(target string) error {
	pattern, dir := flagValue("test.run"), path.Join("testdata/fuzz", target)
	name := savedName().FindString(pattern)
	if name == "" || !selectsEntry(pattern, target+"/"+name) {
		return nil
	}
	if _, err := os.Stat(inPackage(filepath.FromSlash(path.Join(dir, name)))); !errors.Is(err,
		fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("-run selects %s, but %s has no such file: it has been removed, or "+
		"minimized to another one", name, dir)
}

// seedPrefix begins the names of seeds that a target adds.
const seedPrefix = "seed#"

// selectsPart reports whether a pattern that matches a test has an element for the names at a
// level, where the names of whole tests have level 0.
func selectsPart(pattern, test string, level int) bool {
	if !strings.Contains(pattern, "/") { // usual, and cheaper than to compile it
		return false
	}
	names := strings.Split(test, "/")
	for _, pattern := range patterns(pattern) {
		if matchesAll(pattern, names) {
			return len(pattern) > level && pattern[level] != ""
		}
	}
	return false
}

// patterns returns the alternatives of a pattern of -run, each by its elements. A slash or | within
// brackets or parentheses, or after a backslash, divides nothing.
func patterns(pattern string) (all [][]string) {
	all = [][]string{nil}
	last, class, group, start := 0, 0, 0, 0
	cut := func(end int) {
		all[last] = append(all[last], pattern[start:end])
		start = end + 1
	}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			class++
		case c == ']':
			class = max(0, class-1)
		case class > 0:
		case c == '(':
			group++
		case c == ')':
			group--
		case group == 0 && c == '/':
			cut(i)
		case group == 0 && c == '|':
			cut(i)
			all, last = append(all, nil), last+1
		}
	}
	cut(len(pattern))
	return all
}

// matchesAll reports whether the elements of a pattern match the names that they are for.
func matchesAll(pattern, names []string) bool {
	for i := range min(len(pattern), len(names)) {
		if ok, err := regexp.MatchString(strings.ReplaceAll(pattern[i], " ", "_"),
			names[i]); err != nil || !ok {
			return false
		}
	}
	return true
}
