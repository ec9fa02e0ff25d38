package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	testDeclared  = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz)\w*)\(`)
	quotedStrings = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|`[^`]*`")
	notInTestName = regexp.MustCompile(`\s`)
)

// Each row of docs/papers.md has a command that checks it, whose tests exist, or says that nothing
// checks it, and why. The bench tests that its rows exist.
func TestPapers(t *testing.T) {
	t.Parallel()
	p, rows := readPage(t, "docs/papers.md"), 0
	for i, line := range p.prose() {
		cells := cellsOf(line)
		if cells == nil || cells[0] == "paper" || strings.HasPrefix(cells[0], "---") {
			continue
		}
		at := fmt.Sprintf("%s:%d", p.path, i+1)
		rows++
		require.Len(t, cells, 4, at)
		require.NotEmpty(t, cells[0], at)
		commands := inlineCode.FindAllString(cells[2], -1)
		switch {
		case len(commands) == 0 && (cells[2] != "–" || cells[3] == ""):
			t.Errorf("%s: without a command, the third column is – and the fourth says why", at)
		case cells[1] == "–" && !strings.HasPrefix(cells[3], "Not built: "):
			t.Errorf("%s: what is nowhere is not built: say why", at)
		}
		for _, c := range commands {
			if problem := checkCheck(t, strings.Trim(c, "`")); problem != "" {
				t.Errorf("%s: %s: %s", at, c, problem)
			}
		}
	}
	require.GreaterOrEqual(t, rows, 72)
}

// cellsOf returns the cells of a row of a table, or nil.
func cellsOf(line string) (cells []string) {
	if !strings.HasPrefix(line, "| ") {
		return nil
	}
	for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
		cells = append(cells, strings.TrimSpace(cell))
	}
	return cells
}

const wantCheck = "want go test PACKAGE -run PATTERN, or go -C bench run . -only PATTERN"

// checkCheck says what is wrong with a command that runs tests by -run, or rows of the bench by
// -only.
func checkCheck(t *testing.T, line string) (problem string) {
	words, err := split(line)
	if err != nil {
		return err.Error()
	}
	dir, long := root, false
	if len(words) > 0 && words[0] == "ESPALIER_LONG=1" {
		long, words = true, words[1:]
	}
	if len(words) > 2 && words[1] == "-C" {
		dir = filepath.Join(root, words[2])
		words = slices.Delete(words, 1, 3)
	}
	switch {
	case len(words) == 5 && words[0] == "go" && words[1] == "test" && words[3] == "-run":
		return checkRun(t, filepath.Join(dir, words[2]), words[4], long)
	case len(words) == 5 && strings.Join(words[:4], " ") == "go run . -only" &&
		filepath.Base(dir) == "bench":
		return ""
	}
	return wantCheck
}

// checkRun says what is wrong with a pattern of go test -run: each of its parts must match a name.
// long says that tests run with large counts.
func checkRun(t *testing.T, dir, pattern string, long bool) (problem string) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	require.NoError(t, err)
	var tests, below []string // names of tests; of subtests: strings and scripts
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range testDeclared.FindAllSubmatch(text, -1) {
			tests = append(tests, string(m[1]))
		}
		for _, s := range quotedStrings.FindAllString(string(text), -1) {
			below = append(below, notInTestName.ReplaceAllString(s[1:len(s)-1], "_"))
		}
	}
	scripts := "answers/*.jsonl" // scripts that always run
	if long {
		scripts = "script/*.txtar"
	}
	files, err = filepath.Glob(filepath.Join(dir, "testdata", scripts))
	require.NoError(t, err)
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		below = append(below, name)
	}
	for i, part := range strings.Split(pattern, "/") {
		r, err := regexp.Compile(part)
		if err != nil {
			return err.Error()
		}
		names := below
		if i == 0 {
			names = tests
		}
		if !strings.HasPrefix(part, "^") || !strings.HasSuffix(part, "$") {
			return "not a whole name, between ^ and $: " + part
		}
		if !slices.ContainsFunc(names, r.MatchString) {
			return "no test has the name " + part
		}
	}
	return ""
}

// A command whose test does not exist, or which is not one, is noticed.
func TestPapersNotices(t *testing.T) {
	t.Parallel()
	const inBigen, inTool = "go test ./bigen -run ", "go test ./cmd/corpusgen -run "
	for _, c := range [][2]string{
		{inBigen + "'^TestPaper$'", ""},
		{inBigen + "'^TestPaper$/^3_unGenCheck$'", ""},
		{inBigen + "'^TestPaper$/^3_unGen$'", "no test has the name ^3_unGen$"},
		{inBigen + "'^TestPap$'", "no test has the name ^TestPap$"},
		{inBigen + "TestPaper", "not a whole name, between ^ and $: TestPaper"},
		{inBigen + "'^TestPaper", "a quote is not closed"},
		{"go test ./nowhere -run '^TestPaper$'", "no test has the name ^TestPaper$"},
		{"go test ./bigen -v -run '^TestPaper$'", wantCheck},
		{"go run . -only '^rl'", wantCheck},
		{"go -C bench run . -only '^rl'", ""},
		{"go -C bench test ./issta2006 -run '^TestContainers$'", ""},
		{inTool + "'^TestScripts$/^tune$'", ""},
		{inTool + "'^TestScripts$/^api_diff$'", "no test has the name ^api_diff$"},
		{"ESPALIER_LONG=1 " + inTool + "'^TestEndToEnd$/^api_diff$'", ""},
	} {
		require.Equal(t, c[1], checkCheck(t, c[0]), c[0])
	}
}
