package fuzzext_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/espalier-go/espalier/internal/testing/scripttest"
)

var update = flag.Bool("update", false, "rewrite the reports that scripts expect")

func TestScripts(t *testing.T) {
	p := scripttest.Params(t)
	p.UpdateScripts = *update
	p.Cmds = map[string]func(*testscript.TestScript, bool, []string){
		"report": report,
		"rerun":  rerun,
		"steady": steady,
		"keep":   keep,
		"kept":   kept,
		"short":  short,
		"rest":   rest,
	}
	testscript.Run(t, p)
}

// unsteady is what differs between two runs in the report of a failure.
var unsteady = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`\d+\.\d+s`), "N.NNs"},
	{regexp.MustCompile(`/\S*/(\w+\.\w+):\d+`), ".../$1:N"},
	{regexp.MustCompile(`-fuzzext\.(seed|checks)=\d+`), "-fuzzext.$1=N"},
	{regexp.MustCompile(`\b[0-9a-f]{16}\b`), "HASH"},
	{regexp.MustCompile(`asm_\w+`), "asm_ARCH"},
	{regexp.MustCompile(`(?s)goroutine \d+ \[running\].*?\n\s*\n`), "goroutine N [running]: ...\n\n"},
}

// report ARG... runs `go test ARG...`, which must fail, and writes what it prints,
// less what differs between two runs, to the file report.
func report(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: report ARG...")
	}
	if ts.Exec("go", append([]string{"test", "-count=1"}, args...)...) == nil {
		ts.Fatalf("go test passed")
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

// rerun DIR runs the command by which the output of the last command says that a
// failure can be run again, in DIR. It must fail with the same minimal value.
func rerun(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: rerun DIR")
	}
	out := ts.ReadFile("stdout")
	words := strings.Fields(strings.ReplaceAll(part(ts, out, "to run it again"), "'", ""))
	ts.Check(ts.Chdir(args[0]))
	failsAlike(ts, out, words)
}

// failsAlike runs a command, which must fail with the minimal value that is reported
// in out.
func failsAlike(ts *testscript.TestScript, out string, words []string) {
	fails(ts, part(ts, out, minimal), words)
}

const minimal = "minimal failing value, .*?"

func fails(ts *testscript.TestScript, value string, words []string) {
	if err := ts.Exec(words[0], words[1:]...); err == nil {
		ts.Fatalf("%s passed", words)
	}
	if again := ts.ReadFile("stdout"); part(ts, again, minimal) != value {
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

// keep FILE TEST does what the output of the last command says would make a failure
// of TEST, in FILE, permanent.
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep FILE TEST")
	}
	out := ts.ReadFile("stdout")
	src := ts.ReadFile(args[0])
	before, body, ok := strings.Cut(src, "func "+args[1]+"(")
	if !ok {
		ts.Fatalf("no %s", args[1])
	}
	if strings.Contains(out, "by an option") {
		body = strings.Replace(body, "\n\t})\n", "\n\t}, "+part(ts, out, "or always, by an option of Check")+")\n", 1)
	} else {
		body = strings.Replace(body, "\tf.Fuzz(", "\t"+part(ts, out, "or always, by a line before the call of Fuzz")+"\n\tf.Fuzz(", 1)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(before+"func "+args[1]+"("+body), 0o666))
	ts.Check(os.MkdirAll(ts.MkAbs("kept"), 0o777))
	ts.Check(os.WriteFile(ts.MkAbs("kept/"+args[1]), []byte(part(ts, out, minimal)), 0o666))
}

// kept runs the tests that keep has edited: they must fail with the values that
// they had.
func kept(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.RemoveAll(ts.MkAbs("testdata")))
	ts.Check(ts.Exec("go", "test", "-c", "-o", "kept.test"))
	tests, err := os.ReadDir(ts.MkAbs("kept"))
	ts.Check(err)
	for _, t := range tests {
		fails(ts, ts.ReadFile("kept/"+t.Name()), []string{"./kept.test", "-test.run", "^" + t.Name() + "$"})
	}
}

// short checks that the last command has printed less than 20 kB.
func short(ts *testscript.TestScript, neg bool, args []string) {
	if n := len(ts.ReadFile("stdout")); n > 20_000 {
		ts.Fatalf("%d bytes", n)
	}
}

// rest FILE TEXT checks that the last command has printed what is in FILE, without a text
// and the time.
func rest(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: rest FILE TEXT")
	}
	want := steadied(strings.Replace(ts.ReadFile(args[0]), args[1], "", 1))
	if got := steadied(ts.ReadFile("stdout")); got != want {
		ts.Fatalf("got %s\nwant %s", got, want)
	}
}
