// Command grammars converts the grammars of others by corpusgen grammar, and parses their examples.
// Run it in the directory eval:
//
//	go run ./grammars -dir CHECKOUT [-only REGEXP] [-results DIR] [-cpu SECONDS] [-texts N] [-half HALF] [-again]
//	go run ./grammars -dir CHECKOUT -report [-results DIR] [-markdown]
//
// CHECKOUT is a checkout of github.com/antlr/grammars-v4 at the commit that source.go names. Nothing
// of it is in this repository.
//
// A grammar is a directory whose pom.xml names a rule to start with, and that has files *.g4. Its
// files are NAME.g4, or NAMELexer.g4 and NAMEParser.g4, for the name in pom.xml, or those that pom.xml
// includes, or all of them. It has code if a superclass, an action or a
// predicate in one of them is in the language of a target. Its examples are up to 10 files of its
// directory of examples, those whose paths have the smallest hashes, out of those with at most
// 16 KiB that are not said to have errors.
//
// A grammar goes through these stages, each with a limit of CPU time:
//
//  1. corpusgen grammar converts it.
//  2. The file compiles.
//  3. Each example parses.
//  4. Random texts of its generator parse, and are printed as they were.
//
// Half of the grammars, by a hash of their names, may be read while corpusgen grammar is mended. The
// report has a row for each half.
package main

import (
	"context"
	"flag"
	"io"
	"regexp"
	"slices"

	"github.com/espalier-go/espalier/eval/others"
)

func main() {
	var s study
	flag.StringVar(&s.dir, "dir", "", "the `DIR`ectory of the checkout")
	flag.IntVar(&s.texts, "texts", 100, "make `N` texts of each grammar")
	flag.StringVar(&s.half, "half", "", "run only the half that may be `read`, or the one that is held back: held")
	flag.BoolVar(&s.markdown, "markdown", false, "print the table as Markdown")
	others.Main("grammars", &s)
}

type study struct {
	dir      string
	texts    int
	half     string
	markdown bool
}

func (s *study) Subjects() (names []string) {
	for _, g := range s.grammars() {
		if s.half == "" || s.half == "held" == g.held() {
			names = append(names, g.name)
		}
	}
	return names
}

func (*study) File(name string) string { return fileName(name) + ".json" }

func (s *study) Run(ctx context.Context, lab *others.Lab, name, file string) error {
	all := s.grammars()
	g := all[slices.IndexFunc(all, func(g grammar) bool { return g.name == name })]
	r, err := runner{lab, g, s.texts}.result(ctx)
	if err != nil {
		return err
	}
	return others.Keep(file, r)
}

func (s *study) Report(out io.Writer, results string, matching *regexp.Regexp) error {
	return printReport(out, s.grammars(), results, matching, s.markdown)
}
