// Command services tests HTTP services that others wrote by their OpenAPI descriptions. Run it in the
// directory eval:
//
//	go run ./services [-only REGEXP] [-results DIR] [-cpu SECONDS] [-again]
//	go run ./services -report [-results DIR] [-markdown]
//
// The services are in services.tsv: a name, the module with its version, and the package that gets
// the file testdata/NAME_test.go. That has a function newHandler, which returns the service in its
// first state, and a function description, which reads the module's own description.
//
// Three arms have so many CPU seconds each, with one worker and what is compiled in the build cache.
// FuzzService is a target of package openapi, which go test -fuzz and corpusgen fuzz run. FuzzBytes
// reads a request from bytes, as package http does; go test -fuzz runs it, with a request of each
// operation as a seed. Failures are the files that an engine has written. Statements are those of
// the module that the entries reach.
//
// A random client has as many CPU seconds: it sends single requests of package openapi, with its
// checks, but takes nothing from responses into later requests, and no coverage guides it. At last, a
// Check of package openapi runs so many random sequences, with all classes of failures.
package main

import (
	"context"
	"flag"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

func main() {
	var s study
	flag.BoolVar(&s.markdown, "markdown", false, "print the table as Markdown")
	others.Main("services", &s)
}

type study struct{ markdown bool }

func (*study) Subjects() (names []string) {
	for _, s := range services() {
		names = append(names, s.name)
	}
	return names
}

func (*study) File(name string) string { return name + ".json" }

func (s *study) Run(ctx context.Context, lab *others.Lab, name, file string) error {
	all := services()
	r := runner{lab, all[slices.IndexFunc(all, func(s service) bool { return s.name == name })]}
	res, err := r.result(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		res.Note = strings.Join(strings.Fields(err.Error()), " ")
	}
	return others.Keep(file, res)
}

func (s *study) Report(out io.Writer, results string, matching *regexp.Regexp) error {
	return printReport(out, results, matching, s.markdown)
}
