// Command races runs corpusgen test on concurrency bugs of modules that others wrote: on the
// version before the bug was fixed, where the test must fail, and on the version after it, where it
// must pass. Run it in the directory eval:
//
//	go run ./races [-only REGEXP] [-results DIR] [-cpu SECONDS] [-again]
//	go run ./races -report [-results DIR] [-markdown]
//
// The bugs are in races.tsv: a name, the versions, the package, the mode (-race for bugs that show
// only as a data race), the kind, the issue or commit that fixes it, and what goes wrong. The test
// of each is testdata/NAME_test.go. It says what the code is for, and has no sleeps or loops by
// which it would find the bug more often. Modules come from the Go module proxy at full size. That
// one test replaces the tests of the package.
//
// For comparison, the test also runs without corpusgen: a thousand times, with -race, on schedules
// that chance makes.
//
// A file in the directory of results tells of each bug that has been run, and no such bug runs
// again, unless -again is given. In the end, and with -report at once, it prints a table of all
// results.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

func main() {
	only := flag.String("only", "", "run only bugs whose names match `REGEXP`")
	results := flag.String("results", "", "the `DIR`ectory of results (default: in the user's cache)")
	seconds := flag.Int("cpu", 60, "CPU `SECONDS` for the runs of a test")
	again := flag.Bool("again", false, "run bugs again that have results")
	report := flag.Bool("report", false, "run nothing: report the results")
	markdown := flag.Bool("markdown", false, "print the table as Markdown")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *only, *results, *seconds, *again, *report, *markdown); err != nil {
		fmt.Fprintln(os.Stderr, "races:", err)
		os.Exit(1)
	}
}

func run(
	ctx context.Context, only, results string, seconds int, again, report, markdown bool,
) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if results == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		results = filepath.Join(cache, "espalier-races")
	}
	if results, err = filepath.Abs(results); err != nil {
		return err
	}
	if err := os.MkdirAll(results, 0o777); err != nil {
		return err
	}
	if !report {
		r := runner{limit: time.Duration(seconds) * time.Second}
		if err := r.prepare(ctx); err != nil {
			return err
		}
		defer os.RemoveAll(r.scratch)
		for _, b := range bugs() {
			_, err := os.Stat(b.file(results))
			if !pattern.MatchString(b.name) || err == nil && !again {
				continue
			}
			fmt.Fprintln(os.Stderr, b.name)
			res := r.bug(ctx, b)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := res.write(b.file(results)); err != nil {
				return err
			}
		}
	}
	return printReport(os.Stdout, results, pattern, markdown)
}
