package docs

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/testing/gocmd"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the output of sessions that has changed")

const module = "github.com/espalier-go/espalier"

// Commands in a clone of the repository print what the guide says.
func TestSessions(t *testing.T) {
	t.Parallel()
	dir, printed := newModule(t, clone, "examples/"), map[string]result{}
	require.NoError(t, os.RemoveAll(fuzzCache(t, clone)))
	for _, p := range guide(t) {
		t.Run(p.path, func(t *testing.T) {
			if long.Enabled() {
				cloneModules(t, dir, p)
			}
			for _, b := range p.blocks {
				if b.kind() == "console" && b.info != bench &&
					(long.Enabled() || b.info == "console") &&
					(gocmd.HasLibFuzzer() || !strings.Contains(b.info, "clang")) {
					runSession(t, dir, &b, printed)
				}
			}
		})
	}
}

// Rows of the bench need nothing that other commands leave.
func TestBench(t *testing.T) {
	t.Parallel()
	if !long.Enabled() {
		t.Logf("these commands run with %s=1", long.Env)
		return
	}
	dir := t.TempDir()
	for _, p := range guide(t) {
		for _, b := range p.blocks {
			if b.info == bench {
				runSession(t, dir, &b, map[string]result{})
			}
		}
	}
}

// bench is the kind of a session that has rows of the bench.
const bench = "console bench"

// result is what a command has printed.
type result struct {
	out string
	err error
}

// Commands for the reader's module succeed there.
func TestReaderCommands(t *testing.T) {
	t.Parallel()
	if !long.Enabled() {
		t.Logf("these commands run with %s=1", long.Env)
		return
	}
	dir := newModule(t, reader, "examples/bst/", "examples/guide/")
	proxy := newProxy(t)
	for _, p := range guide(t) {
		for _, b := range p.blocks {
			if b.kind() != "sh" {
				continue
			}
			list, err := b.commands()
			require.NoError(t, err)
			for _, c := range list {
				if c.words[0] != "go" {
					continue
				}
				args, isOurs := c.corpusgen()
				if isOurs && args[0] == "libfuzzer" && !gocmd.HasLibFuzzer() {
					continue
				}
				c.vars = append(c.vars, proxy...)
				for i, word := range c.words {
					switch word {
					case "-fuzztime":
						c.words[i+1] = "100x"
					case "-time":
						c.words[i+1] = "200ms"
					}
				}
				dir := dir
				if slices.Contains(c.words, ".") { // a package of the reader's
					dir = filepath.Join(dir, "examples", "bst")
				}
				out, err := c.run(t, dir)
				if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && isOurs && args[0] == "strength" &&
					exit.ExitCode() == survivors {
					continue
				}
				if err != nil {
					t.Errorf("%s: %v\n%s", b.at(c.line), err, out)
				}
			}
		}
	}
}

// survivors is the exit status of corpusgen strength that says that there are some: the examples show
// other things than that none is left.
const survivors = 2

// clone and reader are the paths of the modules in which commands run. They have the examples
// of this module and require it, so that nothing is built twice and no fuzzer's cache is
// shared. The examples use internal packages: hence the prefix.
const (
	clone  = module + "/clone"
	reader = module + "/reader"
)

// newModule makes a module with directories of examples that requires this one.
func newModule(t *testing.T, path string, examples ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	top, err := filepath.Abs(root)
	require.NoError(t, err)
	write := func(name string, text []byte) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		return text
	}
	mod := strings.Replace(string(read("go.mod")), "module "+module, "module "+path, 1) +
		"\nreplace " + module + " => " + strconv.Quote(top) + "\n"
	mod = toolForm.ReplaceAllString(mod, "")
	write("go.sum", read("go.sum"))
	for _, name := range append(files(t, ".go"), files(t, ".ebnf")...) {
		if slices.ContainsFunc(examples, func(dir string) bool { return strings.HasPrefix(name, dir) }) {
			write(name,
				bytes.ReplaceAll(read(name), []byte(`"`+module+`/examples/`), []byte(`"`+path+`/examples/`)))
		}
	}
	if path != reader { // whose commands do this themselves
		mod += "\nrequire " + module + " v0.0.0\n"
	}
	write("go.mod", []byte(mod))
	return dir
}

// cloneModules puts the modules into dir that a page clones, as the module proxy has them. A
// module may use this one. It gets the files that testdata has for it.
func cloneModules(t *testing.T, dir string, p *page) {
	t.Helper()
	for _, b := range p.blocks {
		if b.kind() != "sh" {
			continue
		}
		list, err := b.commands()
		require.NoError(t, err)
		for _, c := range list {
			if len(c.words) != 5 || strings.Join(c.words[:3], " ") != "git clone --branch" {
				continue
			}
			version, url := c.words[3], c.words[4]
			path := strings.TrimPrefix(url, "https://")
			if major, _, _ := strings.Cut(version, "."); major > "v1" {
				path += "/" + major
			}
			cloneModule(t, filepath.Join(dir, filepath.Base(url)), path+"@"+version)
		}
	}
}

func cloneModule(t *testing.T, dir, version string) {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", version)
	cmd.Env = append(os.Environ(), goVars(t)...)
	out, err := cmd.Output()
	require.NoError(t, err, "%s: %s", version, out)
	var downloaded struct{ Dir string }
	require.NoError(t, json.Unmarshal(out, &downloaded))
	for _, from := range []string{downloaded.Dir, filepath.Join("testdata", filepath.Base(dir))} {
		if _, err := os.Stat(from); err != nil {
			continue // no files are added
		}
		require.NoError(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(from, path)
			if err != nil || d.IsDir() {
				return errors.Join(err, os.MkdirAll(filepath.Join(dir, rel), 0o777))
			}
			text, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(filepath.Join(dir, rel), text, 0o666))
		}))
	}
	top, err := filepath.Abs(root)
	require.NoError(t, err)
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	mod = fmt.Appendf(mod, "\nrequire %s v0.0.0\nreplace %s => %q\n", module, module, top)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o666))
}

// newProxy returns the variables by which the go command finds a version of this module, and
// what is in the module cache, and asks nobody else.
func newProxy(t *testing.T) (vars []string) {
	t.Helper()
	dir := t.TempDir()
	versions := filepath.Join(dir, filepath.FromSlash(module), "@v")
	require.NoError(t, os.MkdirAll(versions, 0o777))
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"list":        "v0.0.1\n",
		"v0.0.1.info": `{"Version":"v0.0.1","Time":"2026-01-01T00:00:00Z"}`,
		"v0.0.1.mod":  string(mod),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(versions, name), []byte(text), 0o666))
	}
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	cache := filepath.Join(strings.TrimSpace(string(out)), "cache", "download")
	return []string{"GOPROXY=" + fileURL(dir) + "," + fileURL(cache), "GOSUMDB=off"}
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // it has a drive
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// saved returns the files of the examples' corpora.
func saved(t *testing.T, dir string) map[string]bool {
	paths, err := filepath.Glob(filepath.Join(dir, "examples", "*", "testdata", "*", "*", "*"))
	require.NoError(t, err)
	files := map[string]bool{}
	for _, path := range paths {
		files[path] = true
	}
	return files
}

// fuzzCache returns the directory of a module in the cache of the fuzzer.
func fuzzCache(t *testing.T, module string) string {
	t.Helper()
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	return filepath.Join(strings.TrimSpace(string(cache)), "fuzz", filepath.FromSlash(module))
}

// replaceDir makes a directory a copy of another one, which need not be there.
func replaceDir(t *testing.T, dir, by string) {
	t.Helper()
	require.NoError(t, os.RemoveAll(dir))
	if _, err := os.Stat(by); err == nil {
		require.NoError(t, os.CopyFS(dir, os.DirFS(by)))
	}
}

var toolForm = regexp.MustCompile(`(?m)^tool .*$`)

// runSession runs the commands of a session, those that have not run, and compares what
// they print.
func runSession(t *testing.T, dir string, b *block, printed map[string]result) {
	t.Helper()
	list, err := b.commands()
	require.NoError(t, err)
	for i, c := range list {
		end := len(b.lines)
		if i+1 < len(list) {
			end = list[i+1].line
		}
		session := b.lines[c.line:end]
		r, ok := printed[session[0]]
		had, kept := saved(t, dir), t.TempDir()
		if c.fuzzes() {
			replaceDir(t, kept, fuzzCache(t, clone))
		}
		for try := 0; !ok; try++ {
			r.out, r.err = c.run(t, dir)
			if ok = try == 5 || !c.fuzzes(); !ok {
				// Fuzzing is random: one time in ten, minimizing ends at a neighbor of
				// the value that the guide has.
				if _, _, ok = compare(b, session, r.out); !ok {
					for path := range saved(t, dir) {
						if !had[path] { // later sessions need the others
							require.NoError(t, os.Remove(path))
						}
					}
					replaceDir(t, fuzzCache(t, clone), kept) // a try begins as the first one
				}
			}
		}
		printed[session[0]] = r
		n, got, ok := compare(b, session, r.out)
		if ok {
			continue
		}
		if *update {
			rewrite(t, b.page, session, r.out)
			continue
		}
		t.Errorf("%s: the command prints something else (%v). The guide has\n\t%s\n"+
			"where it prints\n\t%s\nAll that it prints:\n%s",
			b.at(c.line+1+n), r.err, append(slices.Clone(session[1:]), atEnd)[n], got, r.out)
	}
}

// compare compares the lines after a command with what it has printed. Of the first line
// that differs, it returns the index and what is printed there.
func compare(b *block, session []string, out string) (n int, got string, ok bool) {
	want, lines := append(slices.Clone(session[1:]), atEnd),
		append(strings.Split(strings.TrimSuffix(out, "\n"), "\n"), atEnd)
	if out == "" {
		lines = lines[1:]
	}
	if b.info == bench {
		want, lines = metrics(want), metrics(lines)
	}
	n, at := match(alike(want), alike(lines))
	if n == len(want) {
		return n, "", true
	}
	return n, append(lines, atEnd)[at], false
}

const atEnd = "(the end of the output)"

// progressForm is a line that a long command prints every few seconds.
var progressForm = regexp.MustCompile(`(?m)^corpusgen: \S+ \S+: \d+ of \d+ entr(y|ies)\n`)

// varying is what may differ between two runs of a command.
var varying = []struct {
	form *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`\b\d+(\.\d+)?s\b`), "N.NNs"},
	{regexp.MustCompile(`\(cached\)`), "N.NNs"},
	{regexp.MustCompile(`\b[0-9a-f]{16}\b`), "HASH"},
	{regexp.MustCompile(`-fuzzext\.(seed|checks)=\d+`), "-fuzzext.$1=N"},
	{regexp.MustCompile(`after \d+ steps? in \d+ runs? \(\d+ choices?, of \d+\)`),
		"after N steps in N runs"},
	{regexp.MustCompile(`\d+ (valid|invalid|distinct)\b`), "N $1"},
	{regexp.MustCompile(`\d+(\.\d+)?%`), "N%"},
	{regexp.MustCompile(`\d+(, \d+)? per( CPU)? second`), "N per$2 second"},
	{regexp.MustCompile(`\d+ (of \d+|in all|new entry|new entries)`), "N"},
	{regexp.MustCompile(`\d+ mutants of \d+ values`), "N mutants of N values"},
	{regexp.MustCompile(`with a corpus of \d+`), "with a corpus of N"},
	{regexp.MustCompile(`\(\d+ tried, \d+ not new, `), "(N tried, N not new, "},
	{regexp.MustCompile(`^(\toperators:   ).*`), "$1..."},
	{regexp.MustCompile(`^(\tfailures:    \d+), seen again .*`), "$1"},
	{regexp.MustCompile(`\d+ entries reach`), "N entries reach"},
	{regexp.MustCompile(`(covers?) the same \d+ statements`), "$1 the same N statements"},
	{regexp.MustCompile(`\d+ (sequences?|kept|refused)\b`), "N $1"},
	{regexp.MustCompile(`^(ok|FAIL)\s+(\S+)\s+.*$`), "$1 $2"},
}

// alike returns the lines with what varies made equal.
func alike(lines []string) []string {
	list := make([]string, len(lines))
	for i, line := range lines {
		for _, v := range varying {
			line = v.form.ReplaceAllString(line, v.as)
		}
		list[i] = strings.TrimRight(line, " \t")
	}
	return list
}

// metrics leaves of the rows of the bench what is measured, and beside what.
func metrics(lines []string) (rows []string) {
	for _, line := range lines {
		if columns := strings.Split(line, "\t"); len(columns) > 2 {
			rows = append(rows, columns[0]+"\t"+columns[2])
		} else if line == atEnd || line == ellipsis {
			rows = append(rows, line)
		}
	}
	return rows
}

// rewrite puts what a command has printed into a page, in the place of the lines from the
// command on.
func rewrite(t *testing.T, p *page, old []string, out string) {
	t.Helper()
	name := filepath.Join(root, filepath.FromSlash(p.path))
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	was := strings.Join(old, "\n") + "\n"
	require.Contains(t, string(text), was)
	require.NoError(t,
		os.WriteFile(name, []byte(strings.Replace(string(text), was, old[0]+"\n"+out, 1)), 0o666))
	t.Logf("%s: rewritten: %s", p.path, old[0])
}

// run runs the command in dir and returns what it prints, as in a clone.
func (c *command) run(t *testing.T, dir string) (out string, err error) {
	t.Helper()
	words := slices.Clone(c.words)
	for i, word := range words {
		switch {
		case word == "./cmd/corpusgen":
			words[i] = module + "/cmd/corpusgen"
		case word == "bench" && i > 0 && words[i-1] == "-C":
			words[i], err = filepath.Abs(filepath.Join(root, "bench"))
			require.NoError(t, err)
		}
	}
	if c.block.info == bench && !slices.Contains(words, "-quick") {
		words = append(words, "-quick") // the figures are not compared
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	cache := filepath.Join(dir, ".cache")
	cmd.Env = append(os.Environ(), goVars(t)...)
	cmd.Env = append(cmd.Env, "HOME="+cache, "XDG_CACHE_HOME="+cache, "LocalAppData="+cache,
		"PWD="+dir, "ESPALIER_LONG=", "GITHUB_STEP_SUMMARY=", "GOGC="+long.GC)
	cmd.Env = append(cmd.Env, c.vars...)
	printed, err := cmd.CombinedOutput()
	if cmd.ProcessState != nil {
		t.Logf("%s: %v of CPU time: %s", c.block.at(c.line),
			(cmd.ProcessState.UserTime() +
				cmd.ProcessState.SystemTime()).Round(10*time.Millisecond), strings.Join(c.words, " "))
	}
	text := progressForm.ReplaceAllString(strings.ReplaceAll(string(printed), "\r\n", "\n"), "")
	return strings.ReplaceAll(text, clone+"/", module+"/"), err
}

// goVars returns the variables by which the go command finds what this one does.
func goVars(t *testing.T) (vars []string) {
	t.Helper()
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY",
		"GOSUMDB", "GOTOOLCHAIN", "GOFLAGS").Output()
	require.NoError(t, err)
	var env map[string]string
	require.NoError(t, json.Unmarshal(out, &env))
	env["GOFLAGS"] = strings.TrimSpace(env["GOFLAGS"] + " -mod=mod -vet=off -ldflags=-s")
	if !long.Enabled() {
		env["GOFLAGS"] += " -trimpath" // for the build cache, which does not know this copy otherwise
	}
	env["GOENV"], env["GOWORK"] = "off", "off"
	for name, value := range env {
		vars = append(vars, name+"="+value)
	}
	return vars
}
