package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/internal/job"
)

// An apiOrder makes the tests of a harness generate sequences.
type apiOrder struct {
	Seed       uint64
	Seconds    float64 // of CPU time
	Undirected bool
	Running    string   // a file for the sequence that runs
	Answer     string   // a file for the answer: what is tested may print
	Skip       [][]byte // entries of those that have ended the process
	Without    []string // operations that have ended it three times
}

// An apiAnswer is what they say then.
type apiAnswer struct {
	Stats  api.Stats
	Errors []struct {
		Class, Op string
		Calls     int // of the minimal sequence
	}
	First   int           // sequences up to the first that reveals a planted bug
	Covered float64       `json:"-"` // statements, in percent, if the harness has coverage
	CPU     time.Duration `json:"-"` // of the process
}

// apiRunner is a file beside a harness. It carries out an order.
const apiRunner = `package PACKAGE

import (
	"encoding/json"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/api"
)

// revealed reports whether a planted bug has shown.
var revealed = func() bool { return false }

func TestGenerate(t *testing.T) {
	text := os.Getenv("ESPALIER_BENCH_API")
	if text == "" {
		t.Skip("no order")
	}
	var o struct {
		api.Options
		Seconds         float64
		Running, Answer string
	}
	check(json.Unmarshal([]byte(text), &o))
	running, err := os.Create(o.Running)
	check(err)
	end := used() + o.Seconds
	var answer struct {
		Stats  api.Stats
		Errors []struct {
			Class, Op string
			Calls     int
		}
		First int
	}
	o.Patience, o.MaxRegressions = 5*time.Second, -1
	o.Stop = func() bool { return revealed() || used() >= end }
	o.Hung = func(callseq.Calls) { os.Exit(3) }
	o.Before = func(calls callseq.Calls, entry []byte) {
		if !revealed() {
			answer.First++
		}
		line, err := json.Marshal(map[string]any{"Ops": calls[len(calls)-1][:1], "Entry": entry})
		check(err)
		_, err = running.WriteAt(append(line, '\n'), 0)
		check(err)
	}
	suite := calls.Generate(o.Options)
	answer.Stats = suite.Stats
	for _, e := range suite.Errors {
		answer.Errors = append(answer.Errors, struct {
			Class, Op string
			Calls     int
		}{e.Class, e.Op, len(e.Calls)})
	}
	b, err := json.Marshal(answer)
	check(err)
	check(os.WriteFile(o.Answer, b, 0o666))
}

func used() float64 {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`

// generate carries out an order by the binary of a harness.
func (o apiOrder) generate(binary string) (a apiAnswer, err error) {
	o.Running, o.Answer = binary+".running", binary+".answer"
	deaths := map[string]int{} // by operation
	for range 30 {
		text, err := json.Marshal(o)
		if err != nil {
			return a, err
		}
		cmd := exec.Command(binary, "-test.run=^TestGenerate$", "-test.timeout=0")
		cmd.Env = append(os.Environ(), "ESPALIER_BENCH_API="+string(text))
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			running := job.ReadTold(o.Running)
			if len(running) == 0 {
				return a, fmt.Errorf("%w\n%s", err, exit.Stderr)
			}
			o.Skip = append(o.Skip, running[0].Entry)
			op := running[0].Ops[0]
			if deaths[op]++; deaths[op] == 3 {
				o.Without = append(o.Without, op)
			}
			continue
		}
		if err == nil {
			text, err = os.ReadFile(o.Answer)
		}
		if err == nil {
			err = json.Unmarshal(text, &a)
		}
		a.Covered, a.CPU = coveredIn(out), cpuOf(cmd)
		return a, err
	}
	return a, errors.New("sequences keep ending the process")
}

// coveredIn returns the coverage, in percent, that a test binary has printed last.
func coveredIn(out []byte) (percent float64) {
	if all := regexp.MustCompile(`(?m)^coverage: ([0-9.]+)% of statements`).
		FindAllSubmatch(out, -1); len(all) > 0 {
		percent, _ = strconv.ParseFloat(string(all[len(all)-1][1]), 64)
	}
	return percent
}

// apiModule makes a module that requires others and imports packages.
func apiModule(dir string, require, imports []string) error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	imports = append(imports, "github.com/espalier-go/espalier/bigen/callseq/api",
		"github.com/espalier-go/espalier/fuzzext")
	return errors.Join(
		writeFile(filepath.Join(dir, "go.mod"),
			"module modules\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/espalier-go/espalier v0.0.0\n\t"+
				strings.Join(require, "\n\t")+"\n)\n\nreplace github.com/espalier-go/espalier => "+root+"\n"),
		writeFile(filepath.Join(dir, "modules.go"),
			"package modules\n\nimport (\n\t_ \""+strings.Join(imports, "\"\n\t_ \"")+"\"\n)\n"),
	)
}

// makeHarness has corpusgen api write the harness of a package, in a folder of a module, and builds
// it with a runner.
func makeHarness(dir, folder, pkg string, flags ...string) (binary string, err error) {
	if err := runIn(dir, "go", "mod", "tidy"); err != nil {
		return "", err
	}
	if err := runIn("..", "go", "run", "./cmd/corpusgen", "api", "-harness", "-C", dir, "-o",
		folder, pkg); err != nil {
		return "", err
	}
	at := filepath.Join(dir, folder)
	text, err := os.ReadFile(filepath.Join(at, "callseq_fuzz_test.go"))
	if err != nil {
		return "", err
	}
	name := regexp.MustCompile(`(?m)^package (\w+)`).FindSubmatch(text)[1]
	if err := writeFile(filepath.Join(at, "run_test.go"),
		strings.Replace(apiRunner, "PACKAGE", string(name), 1)); err != nil {
		return "", err
	}
	binary = filepath.Join(at, "harness.test")
	return binary, runIn(at, "go", append([]string{"test", "-c", "-o", binary}, flags...)...)
}

// writeFile writes a file, in a folder that need not exist.
func writeFile(path, text string) error {
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666))
}
