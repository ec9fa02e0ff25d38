package user

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

// A doc is a document: one struct for all kinds.
type doc struct {
	Kind string
	Num  int
	Text string
	List []*doc
}

var genDoc = bigen.Recursive(
	bigen.Pick(
		bigen.Tag("num", docOf("num", func(c *bigen.C, d *doc) { bigen.At(c, &d.Num, bigen.IntRange(-1000, 1000)) })),
		bigen.Tag("text", docOf("text", func(c *bigen.C, d *doc) { bigen.At(c, &d.Text, bigen.String(10)) }))),
	func(self bigen.Gen[*doc]) bigen.Gen[*doc] {
		parts := func(kind string, least, most int) bigen.Alt[*doc] {
			return bigen.Tag(kind, docOf(kind, func(c *bigen.C, d *doc) { bigen.At(c, &d.List, bigen.SliceOf(self, least, most)) }))
		}
		return bigen.Pick(parts("list", 0, 5), parts("neg", 1, 1), parts("sum", 2, 2), parts("product", 2, 2))
	}, 10)

func docOf(kind string, parts func(c *bigen.C, d *doc)) bigen.Gen[*doc] {
	return bigen.New(func(c *bigen.C, d *doc) {
		bigen.At(c, &d.Kind, bigen.Just(kind))
		parts(c, d)
	})
}

// trip writes a document and reads it back. It has eleven bugs.
func trip(d *doc) *doc {
	back := &doc{Kind: d.Kind, Num: d.Num, Text: d.Text}
	for _, part := range d.List {
		back.List = append(back.List, trip(part))
	}
	is := func(i int, kind string) bool { return i < len(d.List) && d.List[i].Kind == kind }
	switch d.Kind {
	case "num":
		if d.Num < 0 {
			back.Num = -d.Num // 1: the sign
		}
		if d.Num >= 256 {
			back.Num = d.Num & 0xFF // 2: bytes
		}
	case "text":
		back.Text = strings.ReplaceAll(back.Text, `"`, "")  // 3: a quote
		back.Text = strings.ReplaceAll(back.Text, `\`, "/") // 4: a backslash
		if strings.ToValidUTF8(back.Text, "") == back.Text && len([]rune(back.Text)) != len(back.Text) {
			back.Text = "?" // 5: what is not ASCII
		}
	case "list":
		if len(d.List) == 0 {
			back.Kind = "num" // 6: an empty list
		}
		if len(d.List) >= 4 {
			back.List = back.List[:3] // 7: a long list
		}
	case "neg":
		if is(0, "neg") {
			if back = d.List[0].List[0]; back.Kind == "neg" {
				panic("three signs") // 8
			} // 9: two signs
		}
	case "sum":
		if is(1, "sum") {
			back.Kind = "list" // 10: parentheses
		}
	case "product":
		if is(0, "sum") || is(1, "sum") {
			back.Kind = "sum" // 11: precedence
		}
	}
	return back
}

func TestTrip(t *testing.T) {
	fuzzext.Check(t, genDoc, func(t *fuzzext.T, d *doc) {
		if back := trip(d); !reflect.DeepEqual(d, back) {
			t.Errorf("it comes back as a %s", back.Kind)
		}
	})
}

// Failures in one place that say something else are of several classes, and so are panics that
// come from elsewhere.
func TestMessages(t *testing.T) {
	fuzzext.Check(t, bigen.SliceOf(bigen.Bool(), 0, 6), func(t *fuzzext.T, v []bool) {
		var err error
		switch t.Logf("values: %v\n1\n2\n3", v); len(v) { // what precedes the failure is not its message
		case 1:
			err = errors.New("one is odd")
		case 2, 3:
			err = fmt.Errorf("%d are too many", len(v))
		case 4:
			last(v[:0])
		case 5:
			lastOf(v[:0])
		}
		if err != nil {
			t.Errorf("%v is bad: %v", v, err)
		}
	})
}

func last(v []bool) bool   { return v[len(v)-1] }
func lastOf(v []bool) bool { return last(v) }

// The property may name the classes itself.
func TestNamed(t *testing.T) {
	fuzzext.Check(t, genNumbers, func(t *fuzzext.T, v []int) {
		for _, n := range v {
			if n >= 913 {
				t.Class("unlucky")
				t.Errorf("%d is unlucky", n)
			}
		}
		if len(v) > 5 {
			t.Class("long")
			t.Error("long")
		}
	})
}

// An error that quotes its input is one class, and so is a part that fails at any depth.
func TestEchoes(t *testing.T) {
	fuzzext.Check(t, bigen.For[nested](), func(t *fuzzext.T, n nested) {
		if err := n.check(); err != nil {
			t.Errorf("refused: %v", err)
		}
	})
}

type nested struct {
	Name string
	Rate float64
	Kids []nested
}

func (n nested) check() error {
	for _, kid := range n.Kids {
		if err := kid.check(); err != nil {
			return err
		}
	}
	switch {
	case n.Rate != n.Rate:
		return errors.New("no rate")
	case n.Name != "" && n.Name != "a":
		return fmt.Errorf("unknown name %s: see help", n.Name)
	case len(n.Kids) > 3:
		return errors.New("too many of them")
	}
	return nil
}

// So are more than a few messages that quote what is not in the value.
func TestShapes(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(-1000, 1000), func(t *fuzzext.T, n int) {
		name := strings.Map(func(r rune) rune { return 'a' + r - '0' }, fmt.Sprint(n))
		switch {
		case n > 10:
			t.Error(errors.New("the sum of " + name + " is wrong"))
		case n < -10:
			t.Error(errors.New("minus"))
		}
	})
}

//go:noinline
func spin() {
	for n := 0; ; n++ {
		n &= 1
	}
}

//go:noinline
func waitForever() { select {} }

// TestSpins hangs on many values.
func TestSpins(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(-300, 300), func(t *fuzzext.T, n int) {
		switch {
		case n > 0:
			spin()
		case n < -20:
			t.Error("negative")
		}
	})
}

// TestHangs hangs on two values, in different functions, and fails on the last one.
func TestHangs(t *testing.T) {
	prop := func(t *fuzzext.T, n int) {
		switch n {
		case 7:
			spin()
		case 70:
			waitForever()
		case 30_000:
			t.Error("the last")
		}
	}
	fuzzext.Check(t, bigen.IntRange(-30_000, 30_000), prop, fuzzext.Examples(7, 70, 30_000))
}

// TestTurns fails in one class at a time, of two: the minimal value is the same.
func TestTurns(t *testing.T) {
	failures := 0
	fuzzext.Check(t, bigen.IntRange(0, 100), func(t *fuzzext.T, n int) {
		if n > 3 {
			t.Class([]string{"odd", "even"}[failures/40%2])
			failures++
			t.Error("more than 3")
		}
	})
}

// TestSavedHangs hangs on three values, in three functions.
func TestSavedHangs(t *testing.T) {
	calls := []func(){func() { select {} }, func() { waitForever() }, func() { spin() }}
	prop := func(t *fuzzext.T, n int) {
		if n < len(calls) {
			calls[n]()
		}
	}
	fuzzext.Check(t, bigen.IntRange(0, 1000), prop, fuzzext.Examples(0, 1, 2),
		fuzzext.Timeout(20e6))
}

// TestHangsAside hangs three times when a value that fails runs again, to be minimized.
func TestHangsAside(t *testing.T) {
	last, hangs := -1, 0
	fuzzext.Check(t, bigen.IntRange(0, 1_000_000), func(t *fuzzext.T, n int) {
		if n == last && hangs < 3 {
			hangs++
			waitForever()
		}
		if last = n; n > 500 {
			t.Class(fmt.Sprint(n % 7))
			t.Error("large")
		}
	}, fuzzext.Timeout(20e6))
}
