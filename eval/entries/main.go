// Command entries checks public Go modules, each by one oracle that fails for several reasons, and
// says how the failures are told apart. Run it in the directory above:
//
//	go run ./entries [-only REGEXP] [-seed N] [-v]
//
// A line for each module has its name, the classes of failures, the minimal values that the report
// shows of them, and the files that are saved. With -v, the report follows. Each module has a
// process and a directory of its own.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

func main() {
	testing.Init()
	only := flag.String("only", "", "take only the modules whose paths match `REGEXP`")
	seed := flag.Uint64("seed", 1, "the seed of the values")
	verbose := flag.Bool("v", false, "print the reports")
	one := flag.String("module", "", "check the module of this `PATH`, in this process")
	flag.Parse()
	if *one != "" {
		check(*one)
		return
	}
	if err := run(*only, *seed, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "entries:", err)
		os.Exit(1)
	}
}

// check checks a module, and ends the process.
func check(path string) {
	i := slices.IndexFunc(modules, func(m module) bool { return m.path == path })
	if i < 0 {
		fmt.Fprintf(os.Stderr, "entries: no module is named %q\n", path)
		os.Exit(2)
	}
	every := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(every, []testing.InternalTest{{Name: "TestModule", F: modules[i].check}}, nil, nil)
}

func run(only string, seed uint64, verbose bool) (err error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	fmt.Println("module\tclasses\tminimal values\tfiles")
	for _, m := range modules {
		if pattern.MatchString(m.path) {
			if failed := apart(m.path, seed, verbose); failed != nil {
				err = errors.Join(err, fmt.Errorf("%s: %w", m.path, failed))
			}
		}
	}
	return err
}

var (
	class   = regexp.MustCompile(`(?m)^ *\d+\. .*$`)
	minimal = regexp.MustCompile(`(?m)^ *(another )?(minimal )?failing value.*:$`)
)

// apart checks a module in a process of its own, and prints what is to be counted in its report.
func apart(path string, seed uint64, verbose bool) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "entries-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command(self, "-module", path, "-fuzzext.keepgoing", "-fuzzext.seed", fmt.Sprint(seed))
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return err
	}
	if !bytes.Contains(out, []byte("values failed")) {
		return fmt.Errorf("it reports no failures: %.300s", out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "testdata", "fuzzext", "*", "*"))
	if err != nil {
		return err
	}
	classes, values := count(out)
	fmt.Printf("%s\t%d\t%d\t%d\n", path, classes, values, len(files))
	if verbose {
		os.Stdout.Write(out)
	}
	return nil
}

// count returns how many classes and minimal values a report has.
func count(report []byte) (classes, values int) {
	return len(class.FindAll(report, -1)), len(minimal.FindAll(report, -1))
}
