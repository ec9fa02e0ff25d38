package explore

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// When a kept input runs alone, it has the coverage for which it was kept, and running
// it again brings nothing new. Encode made the bytes that are kept.
func TestExploredInputs(t *testing.T) {
	t.Parallel()
	gen := bsttest.Gen(0, 1000)
	w := newLab(gen, func(w *lab[*bsttest.Tree], v *bsttest.Tree) Result {
		for v != nil {
			w.link.Counters[v.X%200]++
			w.link.Counters[200]++
			if v.X%2 == 0 {
				v = v.L
			} else {
				v = v.R
			}
		}
		return Valid
	})
	w.explore(long.Count(500, 50_000))
	require.Greater(t, len(w.kept), 10)
	require.Equal(t, w.stats.Executions, w.stats.Valid)
	all := bytes.Clone(w.known)
	clear(w.known)
	for _, b := range w.kept {
		require.True(t, w.execute(b, false, 1), "%x", b)
		require.False(t, w.execute(b, false, 1), "%x", b)
		canonical, err := bigen.Decode(gen, b)
		require.NoError(t, err)
		encoded, err := bigen.Encode(gen, canonical)
		require.NoError(t, err)
		require.Equal(t, encoded, b)
	}
	require.Equal(t, all, w.known)
}

// Counts that are added after a run, by code that counts while it reads counters, are not news.
func TestExplorerCountsRunsOnly(t *testing.T) {
	t.Parallel()
	w := newLab(bsttest.Gen(0, 1000), func(w *lab[*bsttest.Tree], _ *bsttest.Tree) Result {
		w.link.Counters[0] = 1
		return Valid
	})
	w.finished = func() { w.link.Counters[1+w.runs%100] = byte(w.runs) }
	w.explore(1000)
	require.Equal(t, []byte{1}, bytes.Trim(w.known, "\x00"))
	require.EqualValues(t, 1, w.stats.Found)
}

// In any case, no more inputs run than allowed, and all are counted.
func TestExplorationEnds(t *testing.T) {
	t.Parallel()
	w := newLab(bsttest.Gen(0, 1000), func(w *lab[*bsttest.Tree], v *bsttest.Tree) Result {
		w.link.Counters[w.runs%100]++
		if w.runs%3 == 0 {
			return Invalid
		}
		return Valid
	})
	for _, left := range []int64{1, 2, 7, 100} {
		before := w.runs
		w.execute(nil, true, left)
		require.EqualValues(t, w.link.Ran, w.runs-before)
		// A kept input may first be made smaller, and run again twice.
		require.LessOrEqual(t, w.link.Ran, left+2+reductions)
	}
	require.EqualValues(t, w.runs, w.stats.Executions)

	w.link.Exploring, w.link.Left, w.link.Until = true, 1000, time.Now()
	w.Execute(nil)
	require.LessOrEqual(t, w.link.Ran, int64(1+2+reductions), "the time is over")
}

type record struct {
	N    int
	S    string
	List []int
}

var genRecord = bigen.Struct(func(c *bigen.C, v *record) {
	bigen.At(c, &v.N, bigen.IntRange(math.MinInt32, math.MaxInt32))
	bigen.At(c, &v.S, bigen.String(20))
	bigen.At(c, &v.List, bigen.SliceOf(bigen.IntRange(0, 9), 0, 100))
})

// rising returns how many elements are one larger than the previous one.
func rising(list []int) (n int) {
	for i := range list {
		if i > 0 && list[i] == list[i-1]+1 {
			n++
		}
	}
	return n
}

// The explorer finds a number and a text that the code compares with something, and
// meets a condition more and more nearly.
func TestExplorerFinds(t *testing.T) {
	t.Parallel()
	bugs := map[string]func(trace *engine.Trace, v record) bool{
		"number": func(trace *engine.Trace, v record) bool {
			trace.Number(1, 0x1337c0de, uint64(uint32(v.N)), 4, true)
			return v.N == 0x1337c0de
		},
		"text": func(trace *engine.Trace, v record) bool {
			trace.Text(1, v.S, "open sesame")
			return v.S == "open sesame"
		},
		"length": func(trace *engine.Trace, v record) bool {
			trace.Number(1, 77, uint64(len(v.List)), 8, true)
			return len(v.List) == 77
		},
		"variables": func(trace *engine.Trace, v record) bool {
			sum := uint32(len(v.List)*777_777 + 1_000_000)
			trace.Number(1, uint64(sum), uint64(uint32(v.N)), 4, false)
			return uint32(v.N) == sum
		},
		"nearer": func(trace *engine.Trace, v record) bool {
			n := rising(v.List)
			trace.Number(1, 9, uint64(n), 8, true)
			return n >= 9
		},
	}
	for name, fails := range bugs {
		t.Run(name, func(t *testing.T) {
			w := newLab(genRecord, func(w *lab[record], v record) Result {
				w.link.Counters[0] = 1
				if fails(w.link.Trace, v) {
					return Failed
				}
				return Valid
			})
			ran := w.explore(50_000)
			require.Len(t, w.reported, 1, "%d values", ran)
			t.Logf("%d values", ran)
			require.Equal(t, Failed, w.reported[0].Result)
			v, err := bigen.Decode(genRecord, w.offered)
			require.NoError(t, err)
			require.True(t, fails(new(engine.Trace), v), "the engine has been told %v", v)
			v, err = bigen.Value(genRecord, choices.Replay(w.reported[0].Tree, nil))
			require.NoError(t, err)
			require.True(t, fails(new(engine.Trace), v), "%v is reported", v)
		})
	}
}

// If it favors inputs that reach what has changed, the explorer is quicker to find a bug
// that four conditions there guard, among many such conditions elsewhere.
func TestExplorerFavorsChange(t *testing.T) {
	gen := bigen.SliceOf(bigen.IntRange(0, 99), 4, 4)
	depth := func(v []int, function int) (n int) {
		for n < 4 && v[n] == (7*n+3*function)%100 {
			n++
		}
		return n
	}
	total := func(favors bool) (sum int) {
		for seed := range uint64(long.Count(3, 40)) {
			w := newLab(gen, func(w *lab[[]int], v []int) Result {
				for function := range 30 {
					w.link.Counters[5*function+depth(v, function)]++
				}
				changed := depth(v, 0)
				if changed > 0 && favors {
					*w.link.Changed = 1
				}
				if changed == 4 {
					return Failed
				}
				return Valid
			})
			w.r = rand.New(rand.NewPCG(seed, 2))
			w.link.Changed = new(uint32)
			sum += w.explore(60_000)
		}
		return sum
	}
	with, without := total(true), total(false)
	t.Logf("%d runs instead of %d", with, without)
	require.Less(t, with, without) // a third, on average
}

// Scores lead to a value that nothing else leads to. They are compared by site.
func TestExplorerFollowsScores(t *testing.T) {
	t.Parallel()
	explores := func(scores bool, seed uint64) int {
		w := newLab(bigen.SliceOf(bigen.IntRange(-1000, 1000), 0, 30),
			func(w *lab[[]int], v []int) Result {
				sum := 0
				for i, x := range v {
					sum += x * (1 - 2*(i%2))
				}
				w.link.Counters[0] = 1
				if scores {
					w.Score(1, float64(len(v)))
					w.Score(2, float64(sum))
				}
				if sum > 25_000 {
					return Failed
				}
				return Valid
			})
		w.r = rand.New(rand.NewPCG(seed, 2))
		return w.explore(20_000)
	}
	with := 0
	for seed := range uint64(3) {
		with += explores(true, seed)
	}
	require.Less(t, with, 30_000)
	require.Equal(t, 20_000, explores(false, 0))
}

// What the code compares with a part of a value also gets into other parts, which are
// not compared with it.
func TestExplorerDictionary(t *testing.T) {
	t.Parallel()
	type pair struct{ A, B int32 }
	gen := bigen.Struct(func(c *bigen.C, v *pair) {
		bigen.At(c, &v.A, bigen.IntRange[int32](0, 9))                // too small a range for its operand
		bigen.At(c, &v.B, bigen.IntRange[int32](1000, math.MaxInt32)) // and nothing else
	})
	w := newLab(gen, func(w *lab[pair], v pair) Result {
		w.link.Counters[v.A] = 1
		w.link.Trace.Number(1, 0x1337c0de, uint64(v.A), 4, true)
		if v.B == 0x1337c0de {
			return Failed
		}
		return Valid
	})
	w.explore(20_000)
	require.Len(t, w.reported, 1)
}

// A failure in a known place is passed over, and counted.
func TestExplorerPassesOver(t *testing.T) {
	t.Parallel()
	w := newLab(bigen.IntRange(0, 99), func(w *lab[int], v int) Result {
		w.link.Counters[0] = 1
		if v == 50 {
			return Failed
		}
		return Valid
	})
	w.places[w.place] = 0
	w.explore(5000)
	require.Empty(t, w.reported)
	require.Positive(t, w.places[w.place])
	w.place = "y.go:2"
	w.explore(5000)
	require.Len(t, w.reported, 1)
	require.True(t, w.out.over)
}

// An input is not kept for coverage that does not show again.
func TestExplorerFlaky(t *testing.T) {
	t.Parallel()
	w := newLab(bigen.IntRange(0, 99), func(w *lab[int], v int) Result {
		w.link.Counters[0] = 1
		if w.runs%97 == 0 {
			w.link.Counters[1+w.runs/97%3]++
		}
		return Valid
	})
	w.explore(5000)
	require.Len(t, w.kept, 1)
	require.Zero(t, w.report().Flaky, "code that runs once or twice does not flicker")
}

// An input with new code is kept although other code runs more or less often each time, as when the
// keys of a map are sorted. What is kept is as small as the new code allows.
func TestExplorerFlickers(t *testing.T) {
	t.Parallel()
	order := rand.New(rand.NewPCG(3, 4))
	w := newLab(bigen.SliceOf(bigen.IntRange(10, 29), 0, 20), func(w *lab[[]int], v []int) Result {
		w.link.Counters[0] = 1
		for range v {
			w.link.Counters[1] += byte(order.IntN(8))
		}
		for _, x := range v {
			w.link.Counters[x] = 1
		}
		return Valid
	})
	w.began = time.Now().Add(-time.Hour)
	w.explore(5000)
	for x := 10; x < 30; x++ {
		require.EqualValues(t, 1, w.known[x], "code for %d", x)
	}
	require.EqualValues(t, 1, w.report().Flaky)
	require.Less(t, len(w.kept), 30)
}

// Invalid inputs do not belong in the corpus.
func TestExplorerInvalid(t *testing.T) {
	t.Parallel()
	w := newLab(bigen.IntRange(0, 99), func(w *lab[int], v int) Result {
		w.link.Counters[v]++
		w.link.Counters[100+v/2]++ // also reached by an invalid value
		if v%2 == 1 {
			return Invalid
		}
		return Valid
	})
	w.explore(5000)
	require.Len(t, w.kept, 50)
	require.Len(t, w.entries, 100, "values for the pool, though")
	for i := range 50 {
		require.Equal(t, byte(1), w.known[100+i])
	}
	for _, b := range w.kept {
		v, err := bigen.Decode(bigen.IntRange(0, 99), b)
		require.NoError(t, err)
		require.Zero(t, v%2)
	}
	require.Positive(t, w.stats.Executions-w.stats.Valid)
}

// If the generator panics, the engine gets an input with which it does.
func TestExplorerGeneratorPanics(t *testing.T) {
	t.Parallel()
	gen := bigen.Struct(func(c *bigen.C, v *struct{ A, B int }) {
		bigen.At(c, &v.A, bigen.IntRange(0, 9))
		if v.A == 7 {
			panic("seven")
		}
		bigen.At(c, &v.B, bigen.IntRange(0, 9))
	})
	w := newLab(gen, func(*lab[struct{ A, B int }], struct{ A, B int }) Result { return Valid })
	w.explore(10_000)
	require.True(t, w.crashed)
	require.PanicsWithValue(t, "seven", func() { _, _ = bigen.Decode(gen, w.offered) })
}

// Inputs that another worker has found are taken into the pool: the engine knows their
// coverage, but without them, this worker could not build on it.
func TestExplorerLearnsFromOthers(t *testing.T) {
	t.Parallel()
	prop := func(w *lab[int], v int) Result {
		w.link.Counters[v]++
		return Valid
	}
	gen := bigen.IntRange(0, 99)
	first, second := newLab(gen, prop), newLab(gen, prop)
	first.explore(5000)
	require.Len(t, first.kept, 100)
	copy(second.known, first.known)
	for i, b := range first.kept {
		require.False(t, second.execute(b, i%2 == 1, 1))
	}
	require.Len(t, second.entries, 100)
	runs := second.runs
	second.execute(first.kept[0], true, 1)
	require.Equal(t, runs+1, second.runs)
	require.NotEqual(t, first.kept[0], second.offered, "what has run is not run again while exploring")
}

// A run that fails while an input is made smaller, or looked at more closely, ends the
// exploration, unless its place is known.
func TestExplorerFailsOnTheWay(t *testing.T) {
	t.Parallel()
	for _, known := range []bool{false, true} {
		runs := map[int]int{}
		w := newLab(bigen.IntRange(0, 999), func(w *lab[int], v int) Result {
			w.link.Counters[v%200]++
			if runs[v]++; runs[v] > 1 { // a value runs again only when it is looked at
				return Failed
			}
			return Valid
		})
		if known {
			w.places[w.place] = 0
		}
		w.explore(1000)
		if known {
			require.Empty(t, w.reported)
			require.Positive(t, w.places[w.place])
		} else {
			require.Len(t, w.reported, 1)
		}
	}
}

// A run that hangs while its input is looked at is reported as a hang.
func TestExplorerHangs(t *testing.T) {
	t.Parallel()
	w := newLab(bigen.IntRange(0, 999), func(w *lab[int], v int) Result {
		w.link.Counters[v%200]++
		if w.again > 0 {
			return Hung
		}
		return Valid
	})
	w.places[""] = 0
	w.explore(1000)
	require.Len(t, w.reported, 1)
	require.Equal(t, Hung, w.reported[0].Result)
}

// Slow runs are made only once, and looking at inputs takes at most a quarter of the time.
func TestExplorerLooksCloser(t *testing.T) {
	t.Parallel()
	w := newLab(bigen.SliceOf(bigen.IntRange(0, 99), 0, 50), func(w *lab[[]int], v []int) Result {
		for _, x := range v {
			w.link.Counters[x]++
		}
		w.link.Trace.Number(1, 1<<40, uint64(len(v)), 8, true)
		return Valid
	})
	w.slow = 0
	w.explore(4)
	require.Zero(t, w.again, "slow runs")

	w.slow = time.Hour
	w.looking = time.Hour // has been taken
	entries := w.pool.Len()
	w.explore(500)
	require.LessOrEqual(t, w.again, w.pool.Len()-entries, "no time but for a check of what is kept")
	for _, e := range w.entries {
		require.False(t, e.compared)
	}
	w.looking = 0
	w.explore(500)
	w.began = time.Now().Add(-time.Hour) // plenty of time
	again := w.again
	entries = w.pool.Len()
	w.explore(500)
	require.Greater(t, w.again-again, w.pool.Len()-entries)
	require.True(t, slices.ContainsFunc(w.entries, func(p pooled) bool { return p.compared }))
}

// A kept input is as small as its news allows.
func TestExplorerReduces(t *testing.T) {
	t.Parallel()
	w := newLab(bigen.SliceOf(bigen.IntRange(0, 199), 30, 50), func(w *lab[[]int], v []int) Result {
		for _, x := range v {
			w.link.Counters[x] = 1
		}
		return Valid
	})
	w.began = time.Now().Add(-time.Hour)
	w.execute(nil, true, 1000)
	require.Len(t, w.kept, 1)
	require.Greater(t, w.again, 1)
	require.LessOrEqual(t, w.again, reductions+2, "before and after")
}

// Of entries that are kept because they have come near, only the nearest is still chosen.
func TestExplorerRetires(t *testing.T) {
	t.Parallel()
	off := func(v []int) int { return max(rising(v)-30, 30-rising(v)) }
	best := 30
	w := newLab(bigen.SliceOf(bigen.IntRange(0, 9), 0, 100), func(w *lab[[]int], v []int) Result {
		w.link.Counters[0] = 1
		w.link.Trace.Number(1, 30, uint64(rising(v)), 8, true)
		best = min(best, off(v))
		return Valid
	})
	w.began = time.Now().Add(-time.Hour) // there is time to make inputs smaller
	w.explore(5000)
	require.Greater(t, len(w.entries), 6)
	last := 30
	for _, e := range w.entries {
		v, err := bigen.Value(w.gen, choices.Replay(e.tree, nil))
		require.NoError(t, err)
		last = min(last, off(v.([]int)))
	}
	require.Equal(t, best, last, "smaller, but as near")
	picked := make([]int, len(w.entries))
	for range 1000 {
		picked[w.pool.Pick(w.r.Uint64())]++
	}
	slices.Sort(picked)
	// One entry is kept for its coverage, too, and now and then any entry is chosen.
	require.Greater(t, picked[len(picked)-1]+picked[len(picked)-2], 850, "%v", picked)
}

// The operator with finds is chosen more often than operators without.
func TestExplorerRewards(t *testing.T) {
	t.Parallel()
	// A nudge leads from one number that reaches something to the next, and little else.
	const first = 1 << 40
	gen := bigen.IntRange[int64](0, math.MaxInt64)
	w := newLab(gen, func(w *lab[int64], v int64) Result {
		if first <= v && v < first+labCounters {
			w.link.Counters[v-first] = 1
		}
		return Valid
	})
	b, err := bigen.Encode(gen, first)
	require.NoError(t, err)
	w.execute(b, false, 1)
	w.explore(5000)
	at := func(name string) engine.OperatorStats {
		i := slices.IndexFunc(w.stats.Operators, func(o engine.OperatorStats) bool {
			return o.Name == name
		})
		return w.stats.Operators[i]
	}
	require.Greater(t, at("nudge").Found, int64(50))
	require.Greater(t, at("nudge").Tried, 3*at("swap").Tried)
}

// Edits lead to larger trees only when smaller ones have found nothing for long.
func TestExplorerSizes(t *testing.T) {
	t.Parallel()
	w := newLab(bigen.IntRange(0, 9), func(w *lab[int], v int) Result { return Valid })
	w.explore(patienceWithSize - 1)
	require.Equal(t, minChoices, w.most)
	w.explore(2)
	require.Equal(t, minChoices*5/4, w.most)
}

// What an explorer remembers of the inputs that have run does not grow without bound.
func TestKnownInputs(t *testing.T) {
	t.Parallel()
	w := newLab(bigen.IntRange(0, 9), func(w *lab[int], v int) Result { return Valid })
	for i := range maxKnown + 10 {
		w.know(binary.LittleEndian.AppendUint32(nil, uint32(i)))
	}
	require.Len(t, w.Explorer.known, 10)
}

// The same comparison gets the same answer only a few times.
func TestGuesses(t *testing.T) {
	t.Parallel()
	var g Guesses[int]
	edit := func(site uint64, n int64) Substitution {
		return Substitution{Site: site, To: choices.Mark{Kind: choices.Int, N: n}}
	}
	for range 2 * sameGuess {
		g.Push(7, []Substitution{edit(1, 5), edit(1, 6)})
	}
	require.Len(t, g.stack, 2*sameGuess)
	g.Push(8, []Substitution{edit(2, 5)})
	require.Len(t, g.stack, 2*sameGuess+1, "at another place")
	first, ok := g.Pop()
	require.True(t, ok)
	require.Equal(t, Guess[int]{edit(2, 5), 8}, first, "the guesses of the latest entry first")
	second, _ := g.Pop()
	require.Equal(t, Guess[int]{edit(1, 5), 7}, second, "in the order given")

	for i := range 2 * maxGuesses {
		g.Push(9, []Substitution{edit(3, int64(i))})
	}
	require.LessOrEqual(t, len(g.stack), maxGuesses+1)
	last, _ := g.Pop()
	require.Equal(t, int64(2*maxGuesses-1), last.To.N)
	for range 2 * maxGuesses {
		g.Pop()
	}
	_, ok = g.Pop()
	require.False(t, ok)
}

var held []byte

// A small heap may grow before it is collected. The runtime's rules apply to a large
// heap, and to any heap if the user has set GOGC.
func TestHeapGrowth(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usualGrowth))
	percent := func() int {
		now := debug.SetGCPercent(usualGrowth)
		debug.SetGCPercent(now)
		return now
	}
	t.Setenv("GOGC", "")
	c := newCollector()
	runtime.GC()
	c.adjust()
	require.Greater(t, percent(), 4*usualGrowth)
	held = make([]byte, 2*smallHeap)
	runtime.GC()
	c.adjust()
	require.Equal(t, usualGrowth, percent())
	held = nil
	runtime.GC()
	t.Setenv("GOGC", "100")
	newCollector().adjust()
	require.Equal(t, usualGrowth, percent())
}
