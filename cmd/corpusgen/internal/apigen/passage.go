package apigen

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	maxPassages    = 30 // strings of testdata and of comments
	maxTestFiles   = 200
	maxTestFile    = 64 << 10
	maxPassageTold = 3000 // from which these are chosen
)

// quoted matches a string in a line of any file.
var quoted = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")

// passages returns texts of the files below testdata and of comments, as literals: lines, and what
// is quoted in them. Of comments they are what is indented or quoted.
func (e *enum) passages() []string {
	found := map[string]bool{}
	add := func(text string) {
		if text != "" && len(text) <= maxTestedLen {
			found[strconv.Quote(text)] = true
		}
	}
	addLine := func(line string, whole bool) {
		if line = strings.TrimRight(line, "\r\n"); whole {
			add(line)
		}
		for _, literal := range quoted.FindAllString(line, -1) {
			if text, err := strconv.Unquote(literal); err == nil {
				add(text)
			}
		}
	}
	for _, text := range e.pkg.testFiles() {
		for line := range strings.Lines(text) {
			addLine(line, true)
		}
	}
	for _, f := range e.pkg.files {
		for _, c := range f.Comments {
			for line := range strings.Lines(c.Text()) {
				text := strings.TrimLeft(line, " \t")
				addLine(text, text != line)
			}
		}
	}
	all := slices.SortedFunc(maps.Keys(found), byHash)
	return wordiest(all[:min(len(all), maxPassageTold)])
}
