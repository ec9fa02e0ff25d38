package fuzzext_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/espalier-go/espalier/internal/testing/gocmd"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the reports that scripts expect")

// TestScripts runs the scripts on two test binaries of testdata/user: user.test, and
// fuzz.test, which has the instrumentation of Go's fuzzer if ESPALIER_LONG=1.
func TestScripts(t *testing.T) {
	p := gocmd.ScriptParams(t)
	p.UpdateScripts = *update
	if !long.Enabled() { // otherwise, they build large files there
		p.WorkdirRoot = gocmd.TempDir(t)
	}
	p.Cmds = map[string]func(*testscript.TestScript, bool, []string){
		"report": report,
		"rerun":  rerun,
		"steady": steady,
		"keep":   keep,
		"kept":   kept,
		"short":  short,
		"rest":   rest,
		"files":  files,
	}
	p.Condition = func(condition string) (bool, error) {
		if condition == "long" {
			return long.Enabled(), nil
		}
		return false, fmt.Errorf("unknown condition %q", condition)
	}
	binaries := buildUser(t)
	testLinks(t, filepath.Join(binaries, "user.test"))
	user, err := filepath.Abs("testdata/user")
	require.NoError(t, err)
	setup := p.Setup
	p.Setup = func(e *testscript.Env) error {
		e.Setenv("USER_PACKAGE", user)
		e.Setenv("PATH", binaries+string(filepath.ListSeparator)+e.Getenv("PATH"))
		return setup(e)
	}
	testscript.Run(t, p)
}

// userPackage is the import path of the tests in testdata/user, which the reports in
// scripts show as example.com/user.
const userPackage = "github.com/espalier-go/espalier/fuzzext/testdata/user"

// buildUser builds the binaries and returns their directory.
func buildUser(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	build := func(name string, flags ...string) {
		args := append([]string{"test", "-c", "-ldflags=-w", "-o", filepath.Join(dir, name)}, flags...)
		if !long.Enabled() {
			args = append(args, "-vet=off")
		}
		out, err := exec.Command("go", append(args, "./testdata/user")...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	build("user.test")
	if !long.Enabled() {
		require.NoError(t, os.Link(filepath.Join(dir, "user.test"), filepath.Join(dir, "fuzz.test")))
	} else {
		build("fuzz.test", "-fuzz=.")
	}
	return dir
}

// unsteady is what differs between two runs in the report of a failure.
var unsteady = []struct {
	re *regexp.Regexp
	to string
}{
	// every 10 seconds
	{regexp.MustCompile(`(?m)^Test\w+: fuzzext.Check: \d+ valid values so far, .*\n`), ""},
	{regexp.MustCompile(`\d+\.\d+s`), "N.NNs"},
	{regexp.MustCompile(`/\S*/(\w+\.\w+):\d+`), ".../$1:N"},
	{regexp.MustCompile(userPackage), "example.com/user"},
	{regexp.MustCompile(`-fuzzext\.(seed|checks)=\d+`), "-fuzzext.$1=N"},
	{regexp.MustCompile(`\b[0-9a-f]{16}\b`), "HASH"},
	{regexp.MustCompile(`\n +\d+ values failed so`), ""},
	{regexp.MustCompile(`; \d+ values failed(, \d+ of them not looked at)?`), "; N values failed"},
	{regexp.MustCompile(`asm_\w+`), "asm_ARCH"},
	{regexp.MustCompile(`(?s)goroutine \d+ \[running\].*?\n\s*\n`), "goroutine N [running]: ...\n\n"},
}

// report ARG... runs user.test ARG..., which must fail, and writes what it prints, less
// what differs between two runs, to the file report.
func report(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: report ARG...")
	}
	if ts.Exec("user.test", args...) == nil {
		ts.Fatalf("the test passed")
	}
	steady(ts, false, []string{"report"})
}

// steady FILE writes what the last command has printed, less what differs between two
// runs, to a file.
func steady(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: steady FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(steadied(ts.ReadFile("stdout"))), 0o666))
}

func steadied(text string) string {
	for _, u := range unsteady {
		text = u.re.ReplaceAllString(text, u.to)
	}
	return text
}

// rerun runs the command by which the output of the last command says that a failure can
// be run again. It must fail with the same minimal value, which it need not minimize again.
func rerun(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: rerun")
	}
	out := ts.ReadFile("stdout")
	fails(ts, part(ts, out, failing), byUser(ts, part(ts, out, "to run it again")))
}

// byUser returns the command by which user.test does what a command of go test for its
// package does.
func byUser(ts *testscript.TestScript, command string) []string {
	m :=
		regexp.MustCompile(
			`^go test (-timeout 30s )?-run '([^']+)' (\S+)((?: -fuzzext\.\w+=\S+)*)$`).
			FindStringSubmatch(command)
	if m == nil || m[3] != userPackage {
		ts.Fatalf("not a command of go test for %s: %s", userPackage, command)
	}
	words := []string{"user.test", "-test.run", m[2]}
	if m[1] != "" {
		words = append(words, "-test.timeout=30s")
	}
	return append(words, strings.Fields(m[4])...)
}

const (
	minimal = "minimal failing value, .*?"
	failing = "(?:minimal )?failing value, .*?"
)

func fails(ts *testscript.TestScript, value string, words []string) {
	if err := ts.Exec(words[0], words[1:]...); err == nil {
		ts.Fatalf("%s passed", words)
	}
	if again := ts.ReadFile("stdout"); unmarked(part(ts, again, failing)) != unmarked(value) {
		ts.Fatalf("%s prints another value: %s", words, again)
	}
}

// part returns a part of a report, without its indentation.
func part(ts *testscript.TestScript, report, title string) string {
	m := regexp.MustCompile(`(?m)^( *)` + title + `:\n((?: .*\n)+)`).FindStringSubmatch(report)
	if m == nil {
		ts.Fatalf("no part %q in %s", title, report)
	}
	var lines []string
	for _, line := range strings.Split(m[2], "\n") {
		line, ok := strings.CutPrefix(line, m[1]+"    ")
		if !ok {
			break
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// uncommented returns an expression without the comment that may follow it.
func uncommented(s string) string {
	return regexp.MustCompile(` // .* tried\)$`).ReplaceAllString(s, "")
}

// unmarked returns an expression without comments and layout.
func unmarked(s string) string {
	s = regexp.MustCompile(` *// .*|\s`).ReplaceAllString(s, "")
	return strings.ReplaceAll(s, ",}", "}")
}

// above ends the title of code that has the value v.
const above = ` \(v is the value above\)`

// keep TEST does what the output of the last command says would make a failure of TEST
// permanent, in a copy of testdata/user/fail_test.go.
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: keep TEST")
	}
	out := ts.ReadFile("stdout")
	const file = "fail_test.go"
	if _, err := os.Stat(ts.MkAbs(file)); err != nil {
		src, err := os.ReadFile(filepath.Join("testdata", "user", file))
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(file), src, 0o666))
	}
	before, body, ok := strings.Cut(ts.ReadFile(file), "func "+args[0]+"(")
	if !ok {
		ts.Fatalf("no %s", args[0])
	}
	code := func(title string) string {
		if !strings.Contains(out, title+" (v ") {
			return part(ts, out, title)
		}
		return strings.Replace(part(ts, out, title+above), "v)",
			uncommented(part(ts, out, minimal))+")", 1)
	}
	if strings.Contains(out, "by an option") {
		body = strings.Replace(body, "\n\t})\n",
			"\n\t}, "+code("or always, by an option of Check")+")\n", 1)
	} else {
		body = strings.Replace(body, "\tf.Fuzz(",
			"\t"+code("or always, by a line before the call of Fuzz")+"\n\tf.Fuzz(", 1)
	}
	ts.Check(os.WriteFile(ts.MkAbs(file), []byte(before+"func "+args[0]+"("+body), 0o666))
	ts.Check(os.MkdirAll(ts.MkAbs("kept"), 0o777))
	ts.Check(os.WriteFile(ts.MkAbs("kept/"+args[0]), []byte(part(ts, out, minimal)), 0o666))
}

// kept runs the tests that keep has edited: they must fail with the values that
// they had.
func kept(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.RemoveAll(ts.MkAbs("testdata")))
	ts.Check(ts.Exec("go", "test", "-c", "-ldflags=-w", "-o", "kept.test"))
	tests, err := os.ReadDir(ts.MkAbs("kept"))
	ts.Check(err)
	for _, t := range tests {
		fails(ts, ts.ReadFile("kept/"+t.Name()),
			[]string{"./kept.test", "-test.run", "^" + t.Name() + "$"})
	}
}

// short checks that the last command has printed less than 20 kB.
func short(ts *testscript.TestScript, neg bool, args []string) {
	if n := len(ts.ReadFile("stdout")); n > 20_000 {
		ts.Fatalf("%d bytes", n)
	}
}

// rest FILE TEXT checks that the last command has printed what is in FILE, without a text,
// the time, and which tests ran.
func rest(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: rest FILE TEXT")
	}
	tests := regexp.MustCompile(`(?m)^ *(=== RUN|=== NAME|--- PASS:).*\n`)
	want := tests.ReplaceAllString(steadied(strings.Replace(ts.ReadFile(args[0]), args[1], "", 1)), "")
	if got := tests.ReplaceAllString(steadied(ts.ReadFile("stdout")), ""); got != want {
		ts.Fatalf("got %s\nwant %s", got, want)
	}
}

// files DIR prints the files in a directory and below, each with its text.
func files(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: files DIR")
	}
	ts.Check(fs.WalkDir(os.DirFS(ts.MkAbs(args[0])), ".",
		func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				fmt.Fprintf(ts.Stdout(), "%s: %s\n", path, ts.ReadFile(args[0]+"/"+path))
			}
			return err
		}))
}
