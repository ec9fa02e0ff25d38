package rltrial

import (
	"encoding/json"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bench/branches"
	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bench/targets"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/stretchr/testify/require"
)

var orderFlag = flag.String("order", "", "carry out an order: JSON")

// TestTrial carries out the order of the flag.
func TestTrial(t *testing.T) {
	if *orderFlag == "" {
		t.Skip("no order")
	}
	var o Order
	require.NoError(t, json.Unmarshal([]byte(*orderFlag), &o))
	answer := func(all []Trial) {
		b, err := json.Marshal(all)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(o.Answer, b, 0o666))
	}
	if o.Policy != Check {
		answer(o.Run(branches.New()))
		return
	}
	all := newTrials(o, branches.New())
	rltargets.Named(o.Target).Check(t, "", all.begin, func(in rltargets.Input) {
		if !all.see(in) {
			answer(all.done)
			os.Exit(0)
		}
	}, fuzzext.Seed(o.Seed))
}

// hunted returns the target and the bug that the environment names.
func hunted(t testing.TB) (rltargets.Target, string) {
	name, bug, _ := strings.Cut(os.Getenv(targets.HuntEnv), "/")
	if name == "" {
		t.Skipf("%s names no hunt", targets.HuntEnv)
	}
	return rltargets.Named(name), bug
}

// meeting counts valid values, and fails at one that shows the bug.
func meeting(t testing.TB, bug string) func(rltargets.Input) {
	var n targets.Tally
	n.Open()
	return func(in rltargets.Input) {
		if in.Valid {
			if t := n.Count(t); in.Shows {
				t.Error(bug)
			}
		}
	}
}

// TestHunt ends the process at the bug. It has a subtest for each policy.
func TestHunt(t *testing.T) {
	target, bug := hunted(t)
	t.Run(Check, func(t *testing.T) { target.Check(t, bug, func() {}, meeting(t, bug)) })
	seed, err := strconv.ParseUint(flag.Lookup("fuzzext.seed").Value.String(), 0, 64)
	require.NoError(t, err)
	tracer := branches.New()
	for _, p := range []Policy{Random, RLCheck, Default, Greybox, Named(Zest)} {
		t.Run(p.Name, func(t *testing.T) {
			if tracer == nil && (p.traced || p.Name == Zest) {
				t.Skip("the tests are built without the tag traces")
			}
			meet := meeting(t, bug)
			p.Explore(target, bug, seed, tracer, func(in rltargets.Input) bool { meet(in); return true })
		})
	}
}

func FuzzHunt(f *testing.F) {
	target, bug := hunted(f)
	target.Fuzz(f, bug, meeting(f, bug))
}
