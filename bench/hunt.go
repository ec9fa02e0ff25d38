package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/espalier-go/espalier/examples/planted"
)

// huntRows lists the hunts: CPU seconds until `go test -fuzz`, with two workers and an
// empty cache, finds a planted bug.
func huntRows() []row {
	var rows []row
	for _, bug := range []string{"Insert", "Delete", "Union"} {
		for _, baseline := range []struct{ name, suffix string }{{"raw bytes", "Raw"}, {"JSON and a seed", "JSON"}} {
			rows = append(rows, row{
				metric:   fmt.Sprintf("hunt/%s/%s cpu-s", bug, baseline.suffix),
				baseline: baseline.name,
				goal:     ratioAtMost(0.33),
				measure: func(quick bool) (ours, base figure, err error) {
					runs, limit := 5, 30*time.Second
					if quick {
						runs, limit = 1, 8*time.Second
					}
					if ours, err = hunt("../examples/planted", strings.ToLower(bug), "Fuzz"+bug, runs, limit); err != nil {
						return ours, base, err
					}
					base, err = hunt("./targets", strings.ToLower(bug), "Fuzz"+bug+baseline.suffix, runs, limit)
					return ours, base, err
				},
			})
		}
	}
	return rows
}

// hunt returns the median CPU time until a target of the package in dir fails. Each run is
// a process of its own, which gives up after limit.
func hunt(dir, bug, target string, runs int, limit time.Duration) (figure, error) {
	binary, err := testBinary(dir)
	if err != nil {
		return figure{}, err
	}
	var found []figure
	for range runs {
		f, err := huntOnce(binary, bug, target, limit)
		if err != nil {
			return figure{}, err
		}
		found = append(found, f)
	}
	slices.SortFunc(found, func(a, b figure) int {
		switch {
		case a.more != b.more && b.more:
			return -1
		case a.more != b.more:
			return 1
		case a.value < b.value:
			return -1
		}
		return 1
	})
	return found[len(found)/2], nil
}

func huntOnce(binary, bug, target string, limit time.Duration) (figure, error) {
	dir, err := os.MkdirTemp(scratch, "hunt-*")
	if err != nil {
		return figure{}, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command(binary, "-test.run=^$", "-test.fuzz=^"+target+"$", "-test.parallel=2",
		"-test.fuzztime="+limit.String(), "-test.fuzzcachedir="+filepath.Join(dir, "cache"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), planted.Env+"=bst-"+bug)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return figure{}, err
	}
	saved, _ := filepath.Glob(filepath.Join(dir, "testdata", "fuzz", target, "*"))
	if (err != nil) != (len(saved) > 0) {
		return figure{}, fmt.Errorf("%s: %v\n%s", target, err, out)
	}
	s := cmd.ProcessState
	return figure{(s.UserTime() + s.SystemTime()).Seconds(), err == nil}, nil
}

// testBinary builds the tests of the package in dir, instrumented for fuzzing, in
// scratch, and returns the path.
func testBinary(dir string) (string, error) {
	path := filepath.Join(scratch, filepath.Base(dir)+".test")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if out, err := exec.Command("go", "-C", dir, "test", "-c", "-fuzz=.", "-o", path).CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the tests of %s: %w\n%s", dir, err, out)
	}
	return path, nil
}
