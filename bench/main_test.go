package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestGoal(t *testing.T) {
	at := func(x float64) figure { return figure{value: x} }
	more := func(x float64) figure { return figure{value: x, more: true} }
	for _, c := range []struct {
		goal       goal
		text       string
		ours, base figure
		met        bool
	}{
		{ratioAtMost(2), "<= 2", at(4), at(2), true},
		{ratioAtMost(2), "<= 2", at(5), at(2), false},
		{ratioAtMost(2), "<= 2", at(4), more(2), true},
		{ratioAtMost(2), "<= 2", more(4), at(2), false},
		{ratioAtLeast(2), ">= 2", at(4), at(2), true},
		{ratioAtLeast(2), ">= 2", at(4), more(2), false},
		{ratioAbove(1), "> 1", at(3), at(2), true},
		{ratioAbove(1), "> 1", at(2), at(2), false},
		{ratioAbove(1), "> 1", at(3), more(2), false},
		{ratioWithin(0.05), "within 5%", at(96), at(100), true},
		{ratioWithin(0.05), "within 5%", at(104), at(100), true},
		{ratioWithin(0.05), "within 5%", at(94), at(100), false},
		{ratioWithin(0.05), "within 5%", at(106), at(100), false},
		{ratioWithin(0.05), "within 5%", more(100), at(100), false},
		{ratioWithin(0.05), "within 5%", at(0), at(0), false},
		{oursAtMost(2), "ours <= 2", at(2), more(9), true},
		{oursAtMost(2), "ours <= 2", at(3), at(9), false},
		{oursAtLeast(2), "ours >= 2", at(2), more(9), true},
		{oursAtLeast(2), "ours >= 2", at(1), at(9), false},
	} {
		if got := c.goal.met(c.ours, c.base); got != c.met || c.goal.String() != c.text {
			t.Errorf("%s of %v and %v: %t; told as %q", c.text, c.ours, c.base, got, c.goal)
		}
	}
}

func TestRows(t *testing.T) {
	defer func(saved []row) { table = saved }(table)
	table = []row{{metric: "a/{b|c}/{x} in <10~2> s", baseline: "d<[20k]~[1k]>"}}
	for quick, want := range map[bool]string{
		false: "[a/b/x in 10 s d[20k] [b x] a/c/x in 10 s d[20k] [c x]]",
		true:  "[a/b/x in 2 s d[1k] [b x] a/c/x in 2 s d[1k] [c x]]",
	} {
		var got []any
		for _, m := range rows(quick) {
			got = append(got, m.metric, m.baseline, m.run.args)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("quick %t: %v, not %s", quick, got, want)
		}
	}
}

// No two rows compare the same, and each pattern is closed.
func TestTable(t *testing.T) {
	for _, quick := range []bool{false, true} {
		seen := map[string]bool{}
		for _, m := range rows(quick) {
			name := m.metric + "\t" + m.baseline
			if seen[name] || strings.ContainsAny(name, "{}|<~") {
				t.Errorf("%q is there twice, or is a pattern", name)
			}
			seen[name] = true
		}
	}
}
