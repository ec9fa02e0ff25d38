package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/mutate"
)

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
	return session.Run(ctx, "mutate", args, func(s *session.Session) {
		s.DefineOutput()
		s.Own.IntVar(&m.N, "n", 0, "")
		s.Own.DurationVar(&m.Limit, "time", 0, "")
		s.Own.BoolVar(&m.Check, "check", false, "")
		s.DefineCache()
		s.Own.BoolVar(&m.Diff, "diff", false, "")
		s.Own.StringVar(&ops, "ops", "", "")
		s.Own.StringVar(&m.Same, "same", "family", "")
		s.Own.StringVar(&m.Found.Sarif, "sarif", "", "")
		session.DefineForce(s.Own)
		m.Session = s
	}, func(s *session.Session) error {
		s.Saved = m.Check // mutants that do not fail are no saved failures
		return parse(m, ops)
	}, func(s *session.Session) error {
		return m.Run(ctx)
	})
}

// parse checks the values of flags.
func parse(m *corpora.Mutator, ops string) error {
	set := m.Given()
	if m.Check {
		m.Found.Command = "mutate -check"
	}
	if err := m.Found.Locate(); err != nil {
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
		return session.UsageError{Msg: fmt.Sprintf("-same %q: want tag or family", m.Same)}
	}
	return nil
}
