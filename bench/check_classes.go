package main

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/internal/corpus"
)

// A command is what a round trip loses parts of.
type command struct {
	Name    string
	Args    []string
	Mode    string
	Verbose bool
	Depth   int
	Limits  [2]int
}

var commandModes = []string{"text", "json", "quiet"}

var genCommand = bigen.Struct(func(c *bigen.C, v *command) {
	bigen.At(c, &v.Name, bigen.String(10))
	bigen.At(c, &v.Args, bigen.SliceOf(bigen.String(10), 0, 10))
	bigen.At(c, &v.Mode, bigen.OneOf(commandModes...))
	bigen.At(c, &v.Verbose, bigen.Bool())
	bigen.At(c, &v.Depth, bigen.IntRange(-10_000, 10_000))
	bigen.At(c, &v.Limits[0], bigen.IntRange(0, 100))
	bigen.At(c, &v.Limits[1], bigen.IntRange(0, 100))
})

func rapidCommand(t *rapid.T) (v command) {
	text := rapid.StringN(0, 10, -1)
	v.Name = text.Draw(t, "name")
	v.Args = rapid.SliceOfN(text, 0, 10).Draw(t, "args")
	v.Mode = rapid.SampledFrom(commandModes).Draw(t, "mode")
	v.Verbose = rapid.Bool().Draw(t, "verbose")
	v.Depth = rapid.IntRange(-10_000, 10_000).Draw(t, "depth")
	v.Limits = [2]int{rapid.IntRange(0, 100).Draw(t, "low"), rapid.IntRange(0, 100).Draw(t, "high")}
	return v
}

// commandBugs has the bugs behind the oracle: each says whether it loses a part of a command.
var commandBugs = []func(v *command) bool{
	func(v *command) bool { return strings.Contains(v.Name, `"`) },
	func(v *command) bool { return strings.ContainsFunc(v.Name, func(r rune) bool { return r >= 0x80 }) },
	func(v *command) bool { return slices.Contains(v.Args, "") },
	func(v *command) bool {
		return slices.ContainsFunc(v.Args, func(s string) bool { return strings.HasPrefix(s, "-") })
	},
	func(v *command) bool {
		return slices.ContainsFunc(v.Args, func(s string) bool { return strings.Contains(s, " ") })
	},
	func(v *command) bool { return v.Mode == "json" && len(v.Args) > 2 },
	func(v *command) bool { return v.Mode == "quiet" && v.Verbose },
	func(v *command) bool { return v.Depth >= 1000 },
	func(v *command) bool { return v.Depth < 0 },
	func(v *command) bool { return v.Limits[0] > v.Limits[1] },
}

// bugsOf returns the bugs that a value shows.
func bugsOf(v *command) (found []int) {
	for i, bug := range commandBugs {
		if bug(v) {
			found = append(found, i)
		}
	}
	return found
}

// classes counts the bugs behind one oracle that one run of go test tells apart: those of
// which it keeps a minimal value that shows no other.
func classes(base string) measure {
	return func(r run) (_, _ figure, err error) {
		return beside("classes", pick(r, 9, 3), "keepgoing", base, toldApart, func(n int) figure { return number(float64(n)) })
	}
}

// toldApart runs a test in another process.
func toldApart(how string, i int) (bugs int, err error) {
	seed := strconv.Itoa(i + 1)
	values, err := asked[[]command](order{Do: "classes", How: how}, "-fuzzext.seed="+seed, "-rapid.seed="+seed, "-rapid.checks=1000", "-fuzzext.keepgoing="+strconv.FormatBool(how == "keepgoing"))
	found := map[int]bool{}
	for _, v := range values {
		if shown := bugsOf(&v); len(shown) == 1 {
			found[shown[0]] = true
		}
	}
	return len(found), err
}

// classesOrder answers with the values that a failing test keeps.
func classesOrder(o order, t *testing.T) {
	var kept []command
	t.Cleanup(func() {
		saved, err := corpus.Read(filepath.Join("testdata", "fuzzext", t.Name()))
		for _, e := range saved {
			v, decoding := bigen.Decode(genCommand, e.Data)
			kept, err = append(kept, v), errors.Join(err, decoding)
		}
		if o.How != "rapid" && err != nil {
			panic(err)
		}
		o.answer(kept)
	})
	if o.How == "rapid" {
		rapid.Check(t, func(t *rapid.T) {
			if v := rapidCommand(t); len(bugsOf(&v)) > 0 {
				kept = []command{v} // the last is minimal
				t.Errorf("%+v does not come back", v)
			}
		})
		return
	}
	fuzzext.Check(t, genCommand, func(t *fuzzext.T, v command) {
		if len(bugsOf(&v)) > 0 {
			t.Errorf("%+v does not come back", v)
		}
	})
}
