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

// A command is one for the reader to type.
type command struct {
	block *block
	line  int      // in the block
	vars  []string // of the environment
	words []string
}

// commands returns the commands of the block, which is a console or of the kind sh.
func (b *block) commands() (list []command, err error) {
	for i, line := range b.lines {
		text := line
		if b.kind() == "console" {
			var ok bool
			if text, ok = strings.CutPrefix(line, "$ "); !ok {
				continue
			}
		}
		words, err := split(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %v", b.at(i), err)
		}
		c := command{block: b, line: i, words: words}
		for len(c.words) > 0 && assignment.MatchString(c.words[0]) {
			c.vars, c.words = append(c.vars, c.words[0]), c.words[1:]
		}
		if len(c.words) == 0 {
			return nil, fmt.Errorf("%s: there is no command", b.at(i))
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: there is no command in the block", b.at(0))
	}
	return list, nil
}

var assignment = regexp.MustCompile(`^[A-Z_]+=`)

// split splits a command line as a shell does, if it has nothing but words and single quotes.
func split(line string) (words []string, err error) {
	word, in, quoted := "", false, false
	for _, r := range line {
		switch {
		case r == '\'':
			quoted, in = !quoted, true
		case quoted:
			word += string(r)
		case r == ' ':
			if in {
				words = append(words, word)
			}
			word, in = "", false
		case strings.ContainsRune("\"\\$&|;<>`#", r):
			return nil, fmt.Errorf("%q is more than this test knows of shells", r)
		default:
			word, in = word+string(r), true
		}
	}
	if quoted {
		return nil, fmt.Errorf("a quote is not closed")
	}
	if in {
		words = append(words, word)
	}
	return words, nil
}

// corpusgen returns the arguments of corpusgen, if that is what the command runs.
func (c *command) corpusgen() (args []string, ok bool) {
	for _, prefix := range []string{"go run ./cmd/corpusgen ", "go tool corpusgen "} {
		if rest, ok := strings.CutPrefix(strings.Join(c.words, "\x00")+"\x00",
			strings.ReplaceAll(prefix, " ", "\x00")); ok {
			return strings.Split(strings.TrimSuffix(rest, "\x00"), "\x00"), true
		}
	}
	return nil, false
}

// What commands name exists: flags, packages of this module, and their tests.
func TestCommandLines(t *testing.T) {
	t.Parallel()
	inTests, inCorpusgen := testFlags(t), subcommands(t)
	for _, p := range guide(t) {
		for _, b := range p.blocks {
			if b.kind() != "console" && b.kind() != "sh" {
				continue
			}
			list, err := b.commands()
			if err != nil {
				t.Error(err)
				continue
			}
			for _, c := range list {
				at := b.at(c.line)
				known := goTestFlags
				args, ok := c.corpusgen()
				if ok {
					flags, ok := inCorpusgen[args[0]]
					if !ok && args[0] != "help" {
						t.Errorf("%s: corpusgen has no command %s", at, args[0])
					}
					known = func(flag string) bool {
						return flags[flag] || (args[0] == "fuzz" || args[0] == "test") && goTestFlags(flag)
					}
				} else if args = c.words[1:]; c.words[0] != "go" || args[0] != "test" {
					continue
				}
				for _, arg := range args {
					flag, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
					if strings.HasPrefix(arg, "-") && !known(flag) && !inTests[flag] {
						t.Errorf("%s: there is no flag %s", at, arg)
					}
				}
				if b.kind() == "console" && !slices.Contains(args, "-C") { // another module has the names
					checkNames(t, at, args)
				}
			}
		}
	}
}

// goTestFlags reports whether go test has a flag: one of those that the guide uses.
func goTestFlags(flag string) bool {
	switch flag {
	case "v", "run", "fuzz", "fuzztime", "fuzzminimizetime", "count", "short", "race", "asan",
		"timeout", "parallel", "tags", "args", "artifacts":
		return true
	}
	return false
}

var flagInText = regexp.MustCompile("`-([a-z][a-z.]*)|-(fuzzext\\.[a-z]+)")

// The flags that the text names exist, somewhere.
func TestFlags(t *testing.T) {
	t.Parallel()
	known := testFlags(t)
	for _, flags := range subcommands(t) {
		for flag := range flags {
			known[flag] = true
		}
	}
	for _, flag := range []string{"only", "quick"} { // of the bench
		known[flag] = true
	}
	// of libFuzzer and clang, up to a _
	for _, flag := range []string{"dict", "fork", "fsanitize", "max", "merge", "rss", "stock", "use"} {
		known[flag] = true
	}
	for _, p := range guide(t) {
		for i, line := range p.lines {
			for _, m := range flagInText.FindAllStringSubmatch(line, -1) {
				if flag := strings.TrimPrefix(m[1]+m[2], "test."); !known[flag] && !goTestFlags(flag) {
					t.Errorf("%s:%d: there is no flag -%s", p.path, i+1, flag)
				}
			}
		}
	}
}

var testName = regexp.MustCompile(`^\^?((?:Test|Fuzz)\w+)\$?$`)

// checkNames checks that the directories exist, and have the tests.
func checkNames(t *testing.T, at string, args []string) {
	t.Helper()
	code := ""
	for _, arg := range args {
		if !strings.HasPrefix(arg, "./") {
			continue
		}
		tests, err := filepath.Glob(filepath.Join(root, arg, "*_test.go"))
		require.NoError(t, err)
		if len(tests) == 0 {
			t.Errorf("%s: %s has no tests", at, arg)
		}
		for _, name := range tests {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			code += string(text)
		}
	}
	for _, arg := range args {
		if m := testName.FindStringSubmatch(arg); m != nil && !strings.Contains(code, "func "+m[1]+"(") {
			t.Errorf("%s: there is no %s", at, m[1])
		}
	}
}

// fuzzes reports whether the command runs an engine, which is random.
func (c *command) fuzzes() bool {
	return slices.Contains(c.words, "-fuzz") &&
		(slices.Contains(c.words, "fuzz") || c.words[0] == "go" && c.words[1] == "test")
}
