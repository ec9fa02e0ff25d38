package main

import "testing"

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
