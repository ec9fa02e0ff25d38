package fuzzext_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/espalier-go/espalier/internal/scripttest"
)

var update = flag.Bool("update", false, "rewrite the reports that scripts expect")

func TestScripts(t *testing.T) {
	p := scripttest.Params(t)
	p.UpdateScripts = *update
	p.Cmds = map[string]func(*testscript.TestScript, bool, []string){
		"report": report,
		"rerun":  rerun,
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
	text := ts.ReadFile("stdout")
	for _, u := range unsteady {
		text = u.re.ReplaceAllString(text, u.to)
	}
	ts.Check(os.WriteFile(ts.MkAbs("report"), []byte(text), 0o666))
}

// rerun DIR runs the command by which the output of the last command says that a
// failure can be run again, in DIR. It must fail with the same minimal value.
func rerun(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: rerun DIR")
	}
	out := ts.ReadFile("stdout")
	command := regexp.MustCompile(`(?s)to run it again:\n\s*(.*?)\n`).FindStringSubmatch(out)
	value := regexp.MustCompile(`(?s)minimal failing value, .*?:\n(.*?)its choices`).FindStringSubmatch(out)
	if command == nil || value == nil {
		ts.Fatalf("no report in %s", out)
	}
	words := strings.Fields(strings.ReplaceAll(command[1], "'", ""))
	ts.Check(ts.Chdir(args[0]))
	if err := ts.Exec(words[0], words[1:]...); err == nil {
		ts.Fatalf("%s passed", command[1])
	}
	if again := ts.ReadFile("stdout"); !strings.Contains(strings.Join(strings.Fields(again), " "), strings.Join(strings.Fields(value[1]), " ")) {
		ts.Fatalf("%s prints another value: %s", command[1], again)
	}
}
