// Command unchanged runs the tests of modules that others wrote, as they are and with the points of
// corpusgen test, and compares what becomes of each test. Run it in the directory eval:
//
//	go run ./unchanged [-only REGEXP] [-results DIR] [-cpu SECONDS] [-schedule] [-again]
//	go run ./unchanged -report [-results DIR]
//
// The modules and their versions are in modules.tsv. A file in the directory of results tells of
// each module that has been run, and no such module runs again, unless -again is given. So an
// interrupted command resumes. In the end, and with -report at once, it prints a row for each module
// and each test that differs. reasons.tsv says why, where that is known.
//
// A test differs if no outcome of three runs with points is one of three runs without. Tests without
// a difference run once each way.
//
// With -schedule, each test that has passed also runs alone in a bubble of testing/synctest, as it
// is, and if it passes there, with points and one schedule, the one without delays. Tests of
// packages with a TestMain of their own, and tests with subtests, do not.
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
	only := flag.String("only", "", "run only modules whose paths match `REGEXP`")
	results := flag.String("results", "", "the `DIR`ectory of results (default: in the user's cache)")
	seconds := flag.Int("cpu", 60, "CPU `SECONDS` for the tests of a package")
	schedule := flag.Bool("schedule", false, "also run each test alone, under one schedule")
	again := flag.Bool("again", false, "run modules again that have results")
	report := flag.Bool("report", false, "run nothing: report the results")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *only, *results, *seconds, *schedule, *again, *report); err != nil {
		fmt.Fprintln(os.Stderr, "unchanged:", err)
		os.Exit(1)
	}
}

func run(
	ctx context.Context, only, results string, seconds int, schedule, again, report bool,
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
		results = filepath.Join(cache, "espalier-unchanged")
	}
	if results, err = filepath.Abs(results); err != nil {
		return err
	}
	if err := os.MkdirAll(results, 0o777); err != nil {
		return err
	}
	if !report {
		adopt()
		r := runner{results: results, limit: time.Duration(seconds) * time.Second, schedule: schedule}
		if err := r.prepare(ctx); err != nil {
			return err
		}
		defer os.RemoveAll(r.scratch)
		for _, m := range modules() {
			_, err := os.Stat(m.file(results))
			if !pattern.MatchString(m.path) || err == nil && !again {
				continue
			}
			if err := r.module(ctx, m); ctx.Err() != nil {
				return ctx.Err()
			} else if err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n", m.path, err)
			}
		}
	}
	return printReport(os.Stdout, results, pattern)
}
