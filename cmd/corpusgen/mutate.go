package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/mutate"
)

var _ = register(&command{
	name:    "mutate",
	summary: "add mutants of a target's corpus, or check the property on them",
	usage: `usage: corpusgen mutate [flags] [packages]

Mutate edits the choices that make the values of a target's corpus, and runs the
generator on the edited choices. So each mutant is close to a value of the
corpus, and valid for the generator. Mutate adds N mutants to the corpus, as
files in testdata/fuzz/FuzzXxx. It writes only values that are new, and that the
property assumes (T.Assume). Those on which the property fails are reported, one
of each place, and written as well. Seed makes a corpus to begin with.

With -check, mutate runs the property on values, writes none of them, and fails
if the property fails. The failing value is minimized, reported and saved in
testdata/fuzz/FuzzXxx, as under go test -fuzz, one of each place. It needs no
engine, no instrumentation and no cache, so it suits each change in CI. Of each
four values, one is a mutant of the corpus, one is a mutant of a random value,
which may get parts of the corpus, and two are random: mutants alone stay near
the corpus. If hardly any random value is new and valid, or with -ops, all are
mutants of the corpus. Tests that call fuzzext.Check take part if values have
failed in them: these are the corpus, in testdata/fuzzext/TestXxx.

The same corpus, S and code give the same values. So a run repeats.

For example:

	corpusgen mutate -n 50 ./...
	corpusgen mutate -check -time 30s ./...

The flags are:

	-n N
		add N mutants per target, or check N values (default 100, with
		-check 10000, with -time no limit)
	-time t
		take at most the time t, such as 30s, per target
	-check
		check the property on mutants and random values
	-ops names
		edit by these operators, separated by commas (default all):
		` + operatorNames() + `
	-same tag|family|FILE
		which parts of a value can replace each other: those made by
		alternatives of the same tag; by the same list of alternatives
		(default); or by tags that stand in the same line of FILE,
		separated by blanks
	-cache
		mutate also the entries in the engine's cache
	-diff
		print the choices of each mutant as a diff against its parent's
	-seed S
		start the random stream at S (default 1)
	-o dir
		write to dir/FuzzXxx instead of testdata/fuzz/FuzzXxx. If there
		are several packages, to dir/IMPORTPATH/FuzzXxx
	-v
		print the name of each new file
` + sarifUsage + sessionUsage + `
A target without a corpus is named and left out. The exit status is 1 if no
target has one, if something went wrong with a target, or if the property failed
on a mutant.
`,
	run: runMutate,
})

func operatorNames() string {
	var names []string
	for _, op := range mutate.Operators() {
		names = append(names, op.Name)
	}
	half := len(names) / 2
	return strings.Join(names[:half], ", ") + ",\n\t\t" + strings.Join(names[half:], ", ")
}

func runMutate(ctx context.Context, args []string) error {
	m := &corpora.Mutator{}
	var ops string
	s, err := session.New(ctx, "mutate", args, func(s *session.Session) {
		s.DefineOutput()
		s.Own.IntVar(&m.N, "n", 0, "")
		s.Own.DurationVar(&m.Limit, "time", 0, "")
		s.Own.BoolVar(&m.Check, "check", false, "")
		s.Own.BoolVar(&m.Cache, "cache", false, "")
		s.Own.BoolVar(&m.Diff, "diff", false, "")
		s.Own.StringVar(&ops, "ops", "", "")
		s.Own.StringVar(&m.Same, "same", "family", "")
		s.Own.StringVar(&m.Sarif, "sarif", "", "")
		m.Session = s
	}, func(s *session.Session) error {
		s.Saved = m.Check // mutants that do not fail are no saved failures
		return parse(m, ops)
	})
	if err != nil {
		return err
	}
	defer s.Close()
	return m.Run(ctx)
}

// parse checks the values of flags.
func parse(m *corpora.Mutator, ops string) (err error) {
	set := m.Given()
	if err := m.Locate(); err != nil {
		return err
	}
	switch {
	case set["n"] && m.N < 1:
		return session.UsageError{Msg: fmt.Sprintf("-n %d: at least one mutant is needed", m.N)}
	case set["time"] && m.Limit <= 0:
		return session.UsageError{Msg: fmt.Sprintf("-time %v: must be positive", m.Limit)}
	case m.Check && m.Dir != "":
		return session.UsageError{Msg: "-o: with -check, failures are saved where go test finds them"}
	case m.Check && m.Diff:
		return session.UsageError{Msg: "-diff: with -check, mutants are not printed"}
	}
	if ops != "" {
		m.Ops = strings.Split(ops, ",")
	}
	for _, op := range m.Ops {
		if !slices.ContainsFunc(mutate.Operators(), func(o mutate.Operator) bool { return o.Name == op }) {
			return session.UsageError{Msg: fmt.Sprintf("-ops: there is no operator %q", op)}
		}
	}
	if m.Same != "tag" && m.Same != "family" {
		m.Alike, err = readClasses(m.Same)
	}
	return err
}

// readClasses reads a file that has tags in its lines, separated by blanks. It returns the
// numbers of their lines.
func readClasses(path string) (map[string]int, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, session.UsageError{Msg: fmt.Sprintf("-same: want tag, family or a file: %v", err)}
	}
	classes := map[string]int{}
	for i, line := range strings.Split(string(b), "\n") {
		for _, tag := range strings.Fields(line) {
			if other, ok := classes[tag]; ok {
				return nil, session.UsageError{Msg: fmt.Sprintf("-same: %s:%d: the tag %s stands in line %d already", path, i+1, tag, other)}
			}
			classes[tag] = i + 1
		}
	}
	if len(classes) == 0 {
		return nil, session.UsageError{Msg: fmt.Sprintf("-same: %s names no tags", path)}
	}
	return classes, nil
}
