package user

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

// genDigit makes digits, 0 to 4 as often as 5 to 9.
var genDigit = bigen.IntRange(0, 9)

func labels(t *fuzzext.T, n int) {
	if n < 5 {
		t.Label("low")
	} else {
		t.Label("high")
	}
	if n == 0 {
		t.Label("zero")
	}
}

func TestRequire(t *testing.T) {
	fuzzext.Check(t, genDigit, labels, fuzzext.Require("low", 0.4), fuzzext.Require("zero", 0.05))
}

func TestRequireMore(t *testing.T) {
	fuzzext.Check(t, genDigit, labels, fuzzext.Require("high", 0.4), fuzzext.Require("zero", 0.3), fuzzext.Require("low", 0.9))
}

func TestRequireTypo(t *testing.T) {
	fuzzext.Check(t, genDigit, labels, fuzzext.Require("hihg", 0.4))
}

func TestRequireNoLabels(t *testing.T) {
	fuzzext.Check(t, genDigit, func(t *fuzzext.T, n int) {}, fuzzext.Require("low", 0.4))
}

// Of the valid values, 1 in 3 is zero.
func TestRequireAssume(t *testing.T) {
	fuzzext.Check(t, genDigit, func(t *fuzzext.T, n int) {
		t.Assume(n < 3)
		labels(t, n)
	}, fuzzext.Require("zero", 0.3), fuzzext.Require("low", 1))
}

func TestRequireAssumeMore(t *testing.T) {
	fuzzext.Check(t, genDigit, func(t *fuzzext.T, n int) {
		t.Assume(n < 3)
		labels(t, n)
	}, fuzzext.Require("zero", 0.5))
}

func TestRequireDoubt(t *testing.T) {
	fuzzext.Check(t, genDigit, labels, fuzzext.Require("zero", 0.1))
}

// Guidance finds what independent draws do not.
func TestRequireRare(t *testing.T) {
	g := bigen.SliceOf(genDigit, 10, 10)
	fuzzext.Check(t, g, func(t *fuzzext.T, v []int) {
		for i := range v {
			t.Assume(v[i] < 5)
		}
		t.Label("low")
	}, fuzzext.Require("low", 0.5), fuzzext.Examples(make([]int, 10)))
}

// A draw fails, too.
func TestRequireFails(t *testing.T) {
	n := 0
	fuzzext.Check(t, genDigit, func(t *fuzzext.T, digit int) {
		labels(t, digit)
		if n++; n > 60 && digit == 7 {
			t.Error("seven")
		}
	}, fuzzext.Require("low", 0.5))
}

func TestRequireSlow(t *testing.T) {
	fuzzext.Check(t, genDigit, func(t *fuzzext.T, n int) {
		labels(t, n)
		time.Sleep(20 * time.Millisecond)
	}, fuzzext.Require("zero", 0.1))
}
