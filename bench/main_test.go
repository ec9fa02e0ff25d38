package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bench/issta2006"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
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
		assert.Equal(t, c.met, c.goal.met(c.ours, c.base), "%s of %v and %v", c.text, c.ours, c.base)
		assert.Equal(t, c.text, c.goal.String())
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
		assert.Equal(t, want, fmt.Sprint(got), "quick %t", quick)
	}
}

// No two rows compare the same, and each pattern is closed.
func TestTable(t *testing.T) {
	for _, quick := range []bool{false, true} {
		seen := map[string]bool{}
		for _, m := range rows(quick) {
			name := m.metric + "\t" + m.baseline
			assert.False(t, seen[name], "%q is there twice", name)
			assert.False(t, strings.ContainsAny(name, "{}|<~"), "%q is a pattern", name)
			seen[name] = true
		}
	}
}

// onlyForm matches rows that a page names: in a command, or by the flag alone.
var onlyForm = regexp.MustCompile(`(?:-C bench run \. (?:-quick )?|\x60)-only '([^'\n]+)'`)

// Each `-only REGEXP` that a page names matches a row.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob("../docs/*.md")
	require.NoError(t, err)
	all, seen := append(rows(false), rows(true)...), 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range onlyForm.FindAllSubmatch(text, -1) {
			only, err := regexp.Compile(string(m[1]))
			require.NoError(t, err, page)
			assert.True(t, slices.ContainsFunc(all, func(r measurement) bool {
				return only.MatchString(r.metric)
			}), "%s: no row matches %s", page, m[0])
			seen++
		}
	}
	require.Greater(t, seen, 20)
}

// Sequences that are made anew reach something, and the same each time.
func TestEachAnew(t *testing.T) {
	for name, define := range figure5Calls {
		var reached [2][2]int
		for i := range reached {
			issta2006.Reset()
			n := 0
			eachAnew(define, 1, func() bool { n++; return n > 300 })
			reached[i] = [2]int{issta2006.Blocks, issta2006.Predicates}
		}
		assert.Greater(t, reached[0][0], 5, name)
		assert.GreaterOrEqual(t, reached[0][1], reached[0][0], name)
		assert.Equal(t, reached[0], reached[1], name)
	}
}

var orderFlag = flag.String("order", "", "carry out an order of the bench: JSON")

// TestMain carries out the order of the flag, in a test whose name, and thus whose seeds, remain.
func TestMain(m *testing.M) {
	flag.Parse()
	if *orderFlag == "" {
		os.Exit(m.Run())
	}
	var o order
	if err := json.Unmarshal([]byte(*orderFlag), &o); err != nil {
		panic(err)
	}
	testing.Main(func(_, _ string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "T", F: func(t *testing.T) { orders[o.Do](o, t) }}}, nil, nil)
}

// Without a bug, the tree does what the models want.
func TestSeqModels(t *testing.T) {
	model := callseq.New(ourSeqRadix)
	sound(t, 200, model.Gen(), func(tb *seqTB, v callseq.Calls) { model.Run(tb, v) })
	rapid.Check(t, rapidSeqRadix)
}

// Without a bug, the structures do what the models want.
func TestLinearModels(t *testing.T) {
	for _, define := range linearModels {
		model := linear.New(define)
		sound(t, long.Count(20, 1000), model.Gen(), func(tb *seqTB, v linear.Calls) { model.Run(tb, v) })
	}
}

// sound checks that no value fails.
func sound[V any](t *testing.T, n int, gen bigen.Gen[V], run func(tb *seqTB, v V)) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range n {
		v, err := bigen.Value(gen, varied.Source(r, n))
		tb := &seqTB{}
		require.NoError(t, err)
		run(tb, v)
		require.False(t, tb.failed, "%s", &tb.log)
	}
}
