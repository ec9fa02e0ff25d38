// Package others is for studies on modules that others wrote, in copies that require Espalier.
package others

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// A Study does something with each of some subjects: modules, or bugs.
type Study interface {
	// Subjects returns their names.
	Subjects() []string
	// File returns the base name of the file with the results of a subject.
	File(subject string) string
	// Run writes that file.
	Run(ctx context.Context, lab *Lab, subject, file string) error
	// Report writes what the results in a directory say of the subjects that match.
	Report(out io.Writer, results string, matching *regexp.Regexp) error
}

// Main is the main function of a command with a study. A subject with a file of results does not
// run again, unless -again is given: an interrupted command resumes. The study may add flags of its
// own.
func Main(name string, s Study) {
	only := flag.String("only", "", "run only subjects whose names match `REGEXP`")
	results := flag.String("results", "", "the `DIR`ectory of results (default: in the user's cache)")
	seconds := flag.Int("cpu", 60, "CPU `SECONDS` for what runs at once")
	again := flag.Bool("again", false, "run subjects again that have results")
	report := flag.Bool("report", false, "run nothing: report the results")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, name, s, *only, *results, *seconds, *again, *report)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

func run(
	ctx context.Context, name string, s Study, only, results string, seconds int, again, report bool,
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
		results = filepath.Join(cache, "espalier-"+name)
	}
	if results, err = filepath.Abs(results); err != nil {
		return err
	}
	if err := os.MkdirAll(results, 0o777); err != nil {
		return err
	}
	if report {
		return s.Report(os.Stdout, results, pattern)
	}
	lab, err := newLab(ctx, name, time.Duration(seconds)*time.Second)
	if err != nil {
		return err
	}
	defer os.RemoveAll(lab.Scratch)
	for _, subject := range s.Subjects() {
		file := filepath.Join(results, s.File(subject))
		_, err := os.Stat(file)
		if !pattern.MatchString(subject) || err == nil && !again {
			continue
		}
		fmt.Fprintln(os.Stderr, subject)
		if err := s.Run(ctx, lab, subject, file); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", subject, err)
		}
	}
	return s.Report(os.Stdout, results, pattern)
}

// Keep writes the results of a subject to a file, as JSON.
func Keep(file string, results any) error {
	text, err := json.MarshalIndent(results, "", "\t")
	if err != nil {
		return err
	}
	return Write(file, string(text)+"\n")
}

// Kept returns the results of a subject that Keep has written, if there are any.
func Kept[R any](dir, file string) (results R, ok bool, err error) {
	text, err := os.ReadFile(filepath.Join(dir, file))
	if os.IsNotExist(err) {
		return results, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &results)
	}
	if err != nil {
		return results, false, fmt.Errorf("%s: %w", file, err)
	}
	return results, true, nil
}

// Write writes the results of a subject to a file, whole or not at all.
func Write(file, text string) error {
	if err := os.WriteFile(file+".new", []byte(text), 0o666); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
