package rltrial

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bench/targets"
)

// hunted returns the hunt and the bug that the environment names.
func hunted(t testing.TB) (rltargets.Hunt, string) {
	name, bug, _ := strings.Cut(os.Getenv(targets.HuntEnv), "/")
	for _, h := range rltargets.Hunts() {
		if h.Name == name {
			return h, bug
		}
	}
	t.Skipf("%s names no hunt", targets.HuntEnv)
	panic("unreachable")
}

// meeting counts valid values, and fails at one that shows the bug.
func meeting(t testing.TB, bug string) func(shows bool) {
	var n targets.Tally
	n.Open()
	return func(shows bool) {
		if t := n.Count(t); shows {
			t.Error(bug)
		}
	}
}

// TestHunt ends the process at the bug. It has a subtest for each policy.
func TestHunt(t *testing.T) {
	h, bug := hunted(t)
	t.Run(CheckMixture.Name, func(t *testing.T) { h.Check(t, bug, meeting(t, bug)) })
	seed, err := strconv.ParseUint(flag.Lookup("fuzzext.seed").Value.String(), 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []Policy{Random, RLCheck, Default} {
		t.Run(p.Name, func(t *testing.T) { Hunt(h, bug, p, seed, meeting(t, bug)) })
	}
}

func FuzzHunt(f *testing.F) {
	h, bug := hunted(f)
	h.Fuzz(f, bug, meeting(f, bug))
}
