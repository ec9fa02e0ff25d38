package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/espalier-go/espalier/internal/testing/sandbox"
)

// fuzzing is a run of a command that fuzzes a target within a user's module, with empty corpora
// and one worker.
type fuzzing struct {
	pkg     string   // its directory; "" for ./targets
	command []string // corpusgen fuzz, or go test
	test    string   // FuzzValid, FuzzRaw
	target  string   // see targets.HuntEnv
	flags   []string
	limit   time.Duration // of CPU time

	// then reads what is in the package's directory after the run, or is nil.
	then func(pkg, output string) error
}

// came is the outcome of a fuzzing.
type came struct {
	outcome            // without the CPU time of building
	executions float64 // as the engine counts them
	entries    float64 // inputs that the engine found interesting
	output     string
}

// corpusgenFuzz returns the command to compare with go test, built from the working tree.
func corpusgenFuzz() ([]string, error) {
	path, err := built("corpusgen", "..", nil, "go", "build", "-o",
		filepath.Join(scratch, "corpusgen"), "./cmd/corpusgen")
	return []string{path, "fuzz"}, err
}

// userModule creates the module of a user in scratch, unless it exists. It contains
// ./targets, ./rltrial with what it imports, the examples and package classbugs, which are then not part of the library.
func userModule() (string, error) {
	return once("user", func() (string, error) {
		return makeUserModule(filepath.Join(scratch, "user"))
	})
}

func makeUserModule(dir string) (string, error) {
	root, err := filepath.Abs("..")
	if err != nil {
		return "", err
	}
	const user = "example.com/user"
	rename := strings.NewReplacer(
		"github.com/espalier-go/espalier/bench/", user+"/",
		"github.com/espalier-go/espalier/examples/", user+"/",
		"module github.com/espalier-go/espalier/bench", "module "+user,
		"=> ..", "=> "+strconv.Quote(root),
	)
	for from, to := range map[string]string{
		"go.mod": "", "go.sum": "", "targets/*.go": "targets",
		"../examples/planted/*.go": "planted", "../examples/plain/*.go": "plain",
		"rltrial/*.go": "rltrial", "rltargets/*.go": "rltargets", "guidebugs/*.go": "guidebugs",
		"branches/*.go": "branches", "classbugs/*.go": "classbugs",
	} {
		files, err := filepath.Glob(from)
		if err != nil || len(files) == 0 {
			return "", fmt.Errorf("no files %s: %w", from, err)
		}
		for _, f := range files {
			if to != "targets" && to != "rltrial" && to != "classbugs" && strings.HasSuffix(f, "_test.go") {
				continue
			}
			text, err := os.ReadFile(f)
			if err == nil {
				err = writeFile(filepath.Join(dir, to, filepath.Base(f)), rename.Replace(string(text)))
			}
			if err != nil {
				return "", err
			}
		}
	}
	return dir, nil
}

// run runs the command. No other run may use the module at the same time.
func (f fuzzing) run() (c came, err error) {
	user, err := userModule()
	if err != nil {
		return c, err
	}
	pkg := filepath.Join(user, cmp.Or(f.pkg, "targets"))
	err = inScratch(func(dir string) error {
		if c, err = f.runIn(dir, pkg); err == nil && f.then != nil {
			err = f.then(pkg, c.output)
		}
		return err
	})
	// Failures are saved in the module.
	return c, errors.Join(err, os.RemoveAll(filepath.Join(pkg, "testdata")))
}

func (f fuzzing) runIn(dir, pkg string) (c came, err error) {
	box, err := sandbox.New(filepath.Join(dir, "box"), false)
	if err != nil {
		return c, err
	}
	args := append(f.command[1:len(f.command):len(f.command)], "-run=^$", "-fuzz=^"+f.test+"$",
		"-parallel=1")
	cmd := exec.Command(f.command[0], append(append(args, f.flags...), ".")...)
	cmd.Dir = pkg
	stopped := false
	err = c.tally(dir, f.target, plantedBug(f.pkg, f.target), func(env ...string) (err error) {
		// generated inputs
		cmd.Env = append(append(box.Environ(), env...), "XDG_CACHE_HOME="+filepath.Join(scratch, "cache"))
		stopped, err = f.measure(cmd, box, &c)
		return err
	})
	if err != nil {
		return c, err
	}
	c.executions, c.entries = counts(c.output)
	if c.found && stopped && c.cpu < f.limit+time.Second {
		c.found = false // between the limit and the end
	}
	if c.found && stopped || !c.found && !stopped && len(f.flags) == 0 {
		return c, fmt.Errorf("%s of %s %s ended without a failure, or did not end at the "+
			"failure:\n%s", f.command, f.test, f.target, c.output)
	}
	return c, nil
}

// measure runs cmd and stores in c what its processes took and printed. It interrupts cmd
// when their CPU time exceeds the limit. The time that other processes have taken when a
// poll first finds the test binary running is the time of building.
func (f fuzzing) measure(cmd *exec.Cmd, box *sandbox.Sandbox, c *came) (stopped bool, err error) {
	const grace = 20 * time.Second // between the interruption and the end
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	defer box.Kill()
	var build time.Duration
	var interrupted time.Time
	built, hung := false, false
	err = polled(cmd, func() error {
		if stopped && time.Since(interrupted) > grace {
			hung = true
			box.Kill()
			return nil
		}
		all, err := box.Processes()
		if err != nil {
			return err
		}
		var cpu, fuzzes time.Duration
		fuzzing := false
		for _, p := range all {
			cpu += p.CPU
			if p.Fuzzes() {
				fuzzing = true
				fuzzes += p.CPU
			}
		}
		if !built {
			built, build = fuzzing, cpu-fuzzes
		}
		if cpu-build > f.limit && !stopped {
			stopped, interrupted = true, time.Now()
			syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) // as a terminal does
		}
		return nil
	})
	switch {
	case err != nil:
		return stopped, err
	case hung:
		return stopped, fmt.Errorf("%s still ran %v after its interruption:\n%s", cmd, grace,
			out.String())
	}
	c.cpu, c.output = cpuOf(cmd)-build, out.String()
	return stopped, nil
}

var engineLine = regexp.MustCompile(`fuzz: elapsed: .*, execs: (\d+) .*, new interesting: (\d+) `)

// counts returns the numbers in the engine's last line of progress.
func counts(output string) (executions, newEntries float64) {
	all := engineLine.FindAllStringSubmatch(output, -1)
	if len(all) == 0 {
		return 0, 0
	}
	last := all[len(all)-1]
	executions, _ = strconv.ParseFloat(last[1], 64)
	newEntries, _ = strconv.ParseFloat(last[2], 64)
	return executions, newEntries
}

// warm builds what the runs of a command in the package need.
func (f fuzzing) warm() error {
	_, err := once("warm "+strings.Join(f.command, " ")+" "+f.pkg, func() (came, error) {
		f.flags, f.limit = []string{"-fuzztime=1x"}, time.Hour
		return f.run()
	})
	return err
}
