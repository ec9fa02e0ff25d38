package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bench/targets"
)

// needsClang is a measure that needs a clang with libFuzzer.
func needsClang(m measure) measure {
	return func(r run) (o, b figure, err error) {
		if found, err := once("clang", hasClang); err != nil || !found {
			return o, b, cmp.Or[error](err, missing("clang with libFuzzer"))
		}
		return m(r)
	}
}

// hasClang reports whether clang links a program with libFuzzer.
func hasClang() (found bool, err error) {
	err = inScratch(func(dir string) error {
		const program = "int LLVMFuzzerTestOneInput(const char *b, unsigned long n) { return 0; }"
		cmd := exec.Command("clang", "-fsanitize=fuzzer", "-x", "c", "-", "-o",
			filepath.Join(dir, "fuzz"))
		cmd.Stdin = strings.NewReader(program)
		found = cmd.Run() == nil
		return nil
	})
	return found, err
}

// scaleRate measures the values of binaries of corpusgen libfuzzer, with a property that does
// nothing.
func scaleRate(r run) (o, b figure, err error) {
	return beside("scale rate", pick(r, 5, 1), structured, stock,
		func(mutations string, i int) (outcome, error) {
			return scaleRun(mutations, targets.Trivial, i, pick(r, 10*time.Second, 3*time.Second))
		}, func(o outcome) figure { return number(float64(o.values) / o.cpu.Seconds()) })
}

// scaleBinary returns the binary of FuzzValid in package targets.
func scaleBinary() (path string, err error) {
	command, err := corpusgenFuzz()
	if err != nil {
		return "", err
	}
	user, err := userModule()
	if err != nil {
		return "", err
	}
	return built("libfuzzer", filepath.Join(user, "targets"),
		[]string{targets.HuntEnv + "=" + targets.Trivial},
		command[0], "libfuzzer", "-fuzz", "^FuzzValid$", "-o", filepath.Join(scratch, "libfuzzer"), ".")
}

// scaleRun runs the binary in an empty directory until it finds the bug or has used so much CPU
// time.
func scaleRun(mutations, target string, seed int, limit time.Duration) (o outcome, err error) {
	binary, err := scaleBinary()
	if err != nil {
		return o, err
	}
	err = inScratch(func(dir string) error {
		run := []string{binary, "-seed=" + strconv.Itoa(seed+1), "-use_value_profile=1"}
		if mutations == stock {
			run = append(run, "--stock")
		}
		cmd := exec.Command("sh",
			append([]string{"-c", fmt.Sprintf("ulimit -St %d; exec \"$@\"", int(limit.Seconds())),
				"sh"}, run...)...)
		cmd.Dir = dir
		var out []byte
		err := o.tally(dir, target, plantedBug("", target), func(env ...string) (err error) {
			cmd.Env = append(os.Environ(), env...)
			if out, err = cmd.CombinedOutput(); errors.As(err, new(*exec.ExitError)) {
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
		// the kernel counts a little more than it tells
		if o.cpu = cpuOf(cmd); !o.found && o.cpu < limit*9/10 {
			return fmt.Errorf("%s ended without a failure:\n%s", cmd, out)
		}
		return nil
	})
	return o, err
}
