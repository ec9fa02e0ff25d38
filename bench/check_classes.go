package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
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

const (
	classesEnv  = "ESPALIER_BENCH_CLASSES"
	classesRuns = 9
)

// classesRows count the bugs behind one oracle that one run of go test tells apart: those of
// which it keeps a minimal value that shows no other.
func classesRows() []row {
	row1 := func(baseline, how string) row {
		return row{"check/classes/bugs of 10 behind one oracle", baseline, ratioAtLeast(5), func(quick bool) (ours, base figure, err error) {
			runs := classesRuns
			if quick {
				runs = 3
			}
			var o, b []float64
			for seed := 1; seed <= runs && err == nil; seed++ {
				var n, m int
				if n, err = toldApart("keepgoing", seed); err == nil {
					m, err = toldApart(how, seed)
				}
				o, b = append(o, float64(n)), append(b, float64(m))
			}
			slices.Sort(o)
			slices.Sort(b)
			fmt.Fprintf(os.Stderr, "bench: classes: told apart, ours %v, %s %v\n", o, baseline, b)
			return figure{value: o[len(o)/2]}, figure{value: b[len(b)/2]}, err
		}}
	}
	return []row{row1("fuzzext.Check", "first"), row1("rapid.Check", "rapid")}
}

// toldApart runs a test in another process.
func toldApart(how string, seed int) (bugs int, err error) {
	dir, err := os.MkdirTemp(scratch, "classes-*")
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(os.Args[0], "-fuzzext.seed="+strconv.Itoa(seed), "-rapid.seed="+strconv.Itoa(seed), "-rapid.checks=1000", "-rapid.nofailfile", "-fuzzext.keepgoing="+strconv.FormatBool(how == "keepgoing"))
	cmd.Env, cmd.Dir = append(os.Environ(), classesEnv+"="+how), dir
	out, _ := cmd.CombinedOutput() // the test fails
	var values []command
	if how == "rapid" {
		data, err := os.ReadFile(filepath.Join(dir, "value.json"))
		if err != nil {
			return 0, fmt.Errorf("%w\n%s", err, out)
		}
		var v command
		if err := json.Unmarshal(data, &v); err != nil {
			return 0, err
		}
		values = append(values, v)
	} else {
		saved, err := corpus.Read(filepath.Join(dir, "testdata", "fuzzext", "T"))
		if err != nil || len(saved) == 0 {
			return 0, fmt.Errorf("nothing saved: %v\n%s", err, out)
		}
		for _, e := range saved {
			v, err := bigen.Decode(genCommand, e.Data)
			if err != nil {
				return 0, err
			}
			values = append(values, v)
		}
	}
	found := map[int]bool{}
	for _, v := range values {
		if shown := bugsOf(&v); len(shown) == 1 {
			found[shown[0]] = true
		}
	}
	return len(found), nil
}

// classesMain is the other process.
func classesMain(how string) {
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "T", F: func(t *testing.T) {
		if how != "rapid" {
			fuzzext.Check(t, genCommand, func(t *fuzzext.T, v command) {
				if len(bugsOf(&v)) > 0 {
					t.Errorf("%+v does not come back", v)
				}
			})
			return
		}
		var last []byte
		defer func() {
			if err := os.WriteFile("value.json", last, 0o666); err != nil {
				panic(err)
			}
		}()
		rapid.Check(t, func(t *rapid.T) {
			if v := rapidCommand(t); len(bugsOf(&v)) > 0 {
				last, _ = json.Marshal(v)
				t.Errorf("%+v does not come back", v)
			}
		})
	}}}, nil, nil)
}
