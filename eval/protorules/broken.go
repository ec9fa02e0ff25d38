package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	buf "buf.build/go/protovalidate"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigenpb"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/contrib/protovalidate"
)

// brokenHeader names the cells of a row about messages that break rules.
const brokenHeader = "tests\tmessages with invalid instances\twith violations\tviolations\t" +
	"values\tvalues valid\tvalues that break one rule"

// A brokenTally counts violations, and what the validator says of their values.
type brokenTally struct {
	messages, with, violations, values, valid, one int
	lines                                          []string
}

// add makes values of each violation of a message, which all must be invalid.
func (t *brokenTally) add(m *message, o options) {
	has := func(want verdict) bool {
		return slices.ContainsFunc(m.instances, func(i instance) bool { return i.want == want })
	}
	if m.broken() || !has(valid) || !has(invalid) {
		return
	}
	t.messages++
	all, err := m.violations(o.cel)
	if err == nil && len(all) > 0 {
		t.with++
	}
	t.violations += len(all)
	if len(all) == 0 {
		t.lines = append(t.lines, fmt.Sprintf("note\t%s\t\tit has no violation: %v", m.name(), err))
	}
	for _, v := range all {
		for n := range o.values {
			value, _, err := bigen.Run(v.Gen, choices.Random(rand.New(rand.NewPCG(uint64(o.seed+n), 0))))
			if err != nil {
				continue // rejected
			}
			t.values++
			err = m.validator.Validate(value)
			var invalid *buf.ValidationError
			switch {
			case err == nil:
				if t.valid++; len(t.lines) == 0 || !strings.Contains(t.lines[len(t.lines)-1], v.Name) {
					t.lines = append(t.lines, fmt.Sprintf("FAIL\t%s\t%s\tseed %d is valid: %.200s", m.name(),
						v.Name, o.seed+n, show(value)))
				}
			case errors.As(err, &invalid) && len(invalid.Violations) == 1:
				t.one++
			}
		}
	}
}

// violations returns those of a message, with the rules in CEL or without them.
func (m *message) violations(cel bool) (all []bigenpb.Violation, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	if cel {
		return bigenpb.Violations(m.desc, protovalidate.Rules(m.validator)), nil
	}
	return bigenpb.Violations(m.desc), nil
}

func (t *brokenTally) result() (messages int, lines []string, failed bool) {
	return t.messages, t.lines, t.valid > 0
}

func (t *brokenTally) row(part string) string {
	var cells []string
	for _, cell := range []any{part, t.messages, t.with, t.violations, t.values, t.valid, t.one} {
		cells = append(cells, fmt.Sprint(cell))
	}
	return strings.Join(cells, "\t")
}
