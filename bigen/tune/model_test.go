package tune_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// leaf|node, with a key in each node.
type tree struct {
	Left, Right *tree
	Key         int
}

func (t *tree) size() int {
	if t == nil {
		return 0
	}
	return 1 + t.Left.size() + t.Right.size()
}

var genTree bigen.Gen[*tree]

func init() {
	self := bigen.Lazy(func() bigen.Gen[*tree] { return genTree })
	genTree = bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *tree) {
			bigen.At(c, &t.Left, self)
			bigen.At(c, &t.Key, bigen.IntRange(0, 9))
			bigen.At(c, &t.Right, self)
		})))
}

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// point returns the choice point of a generator that has this description.
func point[A any](t *testing.T, g bigen.Gen[A], name string) tune.Point {
	t.Helper()
	var known []string
	for _, p := range tune.Points(g) {
		if p.String() == name {
			return p
		}
		known = append(known, p.String())
	}
	require.Fail(t, "no point", "%s: there are %q", name, known)
	return tune.Point{}
}

// Each sampler has the probabilities of its definition.
func TestSamplers(t *testing.T) {
	t.Parallel()
	geometric := func(p float64, n int) (all []float64) {
		for k := range n {
			if k == n-1 {
				all = append(all, math.Pow(p, float64(k)))
			} else {
				all = append(all, (1-p)*math.Pow(p, float64(k)))
			}
		}
		return all
	}
	five := bigen.IntRange(10, 14)
	for _, test := range []struct {
		sampler tune.Sampler
		want    []float64
	}{
		{tune.Geometric{.25}, geometric(.25, 5)},
		{tune.Geometric{0}, []float64{1, 0, 0, 0, 0}},
		{tune.Geometric{1}, []float64{0, 0, 0, 0, 1}},
		{tune.Histogram{.1, .2, 0, .4, .3}, []float64{.1, .2, 0, .4, .3}},
		{tune.Histogram{1, 1, 1, 1, 1}, []float64{.2, .2, .2, .2, .2}},
		{tune.Histogram{0, 0, 0, 0, 0}, []float64{1, 0, 0, 0, 0}},
		{tune.Histogram{1, 2, 0, 3, 4}, []float64{.1, .2, 0, .3, .4}},
		{tune.Own(byDepth{.5}), []float64{.5, 0, 0, 0, .5}}, // at depth 0
		// halves: 10 to 12, 13 and 14
		{tune.Histogram{0, .5}, []float64{0, 0, 0, .5, .5}},
		{tune.Decay{tune.Geometric{.25}, []float64{.5}}, geometric(.25, 5)}, // at depth 0
		{&tune.Table{N: 5, Rest: []float64{0, 0, 1, 0, 1}}, []float64{0, 0, .5, 0, .5}},
	} {
		t.Run(fmt.Sprintf("%T%v", test.sampler, test.sampler), func(t *testing.T) {
			m := tune.New()
			m.Set(point(t, five, "an integer"), test.sampler)
			n := long.Count(2_000, 80_000)
			seen, r := make([]int, 5), rng(7)
			for range n {
				v, err := tune.Sample(m, five, r)
				require.NoError(t, err)
				seen[v-10]++
			}
			for k, want := range test.want {
				if h, ok := test.sampler.(tune.Histogram); ok && len(h) == 2 && k < 3 {
					want = 0
				}
				sd := math.Sqrt(want * (1 - want) / float64(n))
				require.InDelta(t, want, float64(seen[k])/float64(n), 5*sd+1e-9, "outcome %d of %v", k, seen)
			}
		})
	}
}

// A search looks for parameters up to 1, whatever the weights of a histogram are.
func TestWeights(t *testing.T) {
	t.Parallel()
	m := tune.New()
	m.Set(point(t, bigen.IntRange(0, 2), "an integer"), tune.Histogram{1, 0, 4})
	require.Equal(t, []float64{.25, 0, 1}, tune.Params(m))
	require.Panics(t, func() {
		m.Set(point(t, bigen.IntRange(0, 2), "an integer"), tune.Histogram{1, -1, 4})
	})
}

// byDepth has the last outcome with the probability P, or always within a pick, and else the first.
type byDepth struct{ P float64 }

func (s byDepth) Params() []float64             { return []float64{s.P} }
func (s byDepth) With(p []float64) tune.Weigher { return byDepth{p[0]} }
func (s byDepth) Outcomes() int                 { return 5 }
func (s byDepth) Given() []tune.Given {
	return []tune.Given{{Feature: tune.Nodes, Width: 1, Cells: 2}, {Feature: tune.Depth, Width: 1, Cells: 2}}
}

func (s byDepth) Weights(cells []int, w []float64) {
	w[0], w[1], w[2], w[len(w)-1] = 1-s.P, math.NaN(), -1, s.P
	if cells[1] == 1 {
		w[0] = 0
	}
}

// A sampler of the user's kind is saved as a table with the same weights, also if it decays.
func TestOwn(t *testing.T) {
	t.Parallel()
	type pair struct{ X, Y int }
	gen := bigen.New(func(c *bigen.C, p *pair) {
		bigen.At(c, &p.X, bigen.IntRange(0, 4))
		bigen.At(c, &p.Y, bigen.Pick(bigen.Tag("a", bigen.IntRange(10, 14)), bigen.Tag("b", bigen.Just(9))))
	})
	for _, s := range []tune.Sampler{
		tune.Own(byDepth{.25}),
		tune.Decay{Sampler: tune.Own(byDepth{.75}), Rates: []float64{.5}},
	} {
		m := tune.New()
		for _, p := range tune.Points(gen) {
			m.Set(p, s)
		}
		file := filepath.Join(t.TempDir(), "model")
		require.NoError(t, m.Save(file))
		loaded, err := tune.Load(file)
		require.NoError(t, err)
		for seed := range uint64(100) {
			want, err := tune.Sample(m, gen, rng(seed))
			require.NoError(t, err)
			got, err := tune.Sample(loaded, gen, rng(seed))
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, 14, got.Y) // within a pick
		}
	}
	for _, wrong := range []struct {
		byDepth
		outcomes int
		given    []tune.Given
		want     string
	}{
		{byDepth{2}, 5, nil, "has a parameter 2: want 0 to 1"},
		{byDepth{1}, 257, nil, "of 257 outcomes: want 1 to 256"},
		{byDepth{1}, 5, []tune.Given{{Feature: "x", Width: 1, Cells: 1}}, `by "x", which is not a feature`},
	} {
		require.ErrorContains(t, recovered(func() {
			tune.New().Set(tune.Points(gen)[0], tune.Own(wrongly{wrong.byDepth, wrong.outcomes, wrong.given}))
		}), wrong.want)
	}
}

type wrongly struct {
	byDepth
	outcomes int
	given    []tune.Given
}

func (s wrongly) Outcomes() int       { return s.outcomes }
func (s wrongly) Given() []tune.Given { return s.given }

func recovered(f func()) (err error) {
	defer func() { err = fmt.Errorf("%v", recover()) }()
	f()
	return nil
}

// A decaying geometric has p r^d at depth d.
func TestDecay(t *testing.T) {
	t.Parallel()
	m := tune.New()
	p := tune.Point{Kind: choices.Pick, Tags: []string{"leaf", "node"}}
	decay := tune.Decay{tune.Geometric{.9}, []float64{.5}}
	m.Set(p, decay)
	for _, q := range tune.Points(genTree) {
		if q.Kind == choices.Pick {
			m.Set(q, decay)
		}
	}
	r := rng(3)
	nodes, asked := make([]float64, 40), make([]float64, 40)
	var count func(v *tree, depth int)
	count = func(v *tree, depth int) {
		asked[depth]++
		if v != nil {
			nodes[depth]++
			count(v.Left, depth+1)
			count(v.Right, depth+1)
		}
	}
	for range long.Count(500, 20_000) {
		v, err := tune.Sample(m, genTree, r)
		require.NoError(t, err)
		count(v, 0)
	}
	for d, want := range []float64{.9, .45, .225, .1125} {
		require.InDelta(t, want, nodes[d]/asked[d], 5*math.Sqrt(want*(1-want)/asked[d]), "depth %d", d)
	}
}

// Depth and nodes, and promised parts and counted tags of a file, match the comment of Feature.
func TestContexts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		feature string
		cells   []float64 // the probability of a node in each cell
		want    int       // nodes of all trees
	}{
		{"depth", []float64{1, 1, 1, 0}, 7}, // complete to three levels
		{"nodes", []float64{1, 1, 1, 1, 1, 0}, 5},
		{"promised", []float64{1, 1, 1, 1, 1, 0}, 4}, // before each pick: 0 3 5 4 6 5 4 6 5
		{"counted", []float64{1, 1, 1, 0}, 3},
		{"counted3", []float64{1, 1, 0}, 2},
	} {
		m := tune.New()
		require.NoError(t, m.UnmarshalJSON([]byte(`{"format":"espalier model","version":1,"points":[],
			"parts":[{"tags":["leaf","node"],"tag":"node","n":2}],"counted":[["node"],[],["leaf","node"]]}`)))
		var given tune.Given
		require.NoError(t,
			json.Unmarshal(fmt.Appendf(nil, `{"feature":%q,"width":1,"cells":%d}`, test.feature,
				len(test.cells)), &given))
		table := &tune.Table{
			Given: []tune.Given{given},
			N:     2,
			Rest:  []float64{1, 0},
			Rows:  map[int][]float64{},
		}
		for cell, p := range test.cells {
			table.Rows[cell] = []float64{1 - p, p}
		}
		for _, p := range tune.Points(genTree) {
			if p.Kind == choices.Pick {
				m.Set(p, table)
			}
		}
		for i := range 20 {
			v, err := tune.Sample(m, genTree, rng(uint64(i)))
			require.NoError(t, err)
			require.Equal(t, test.want, v.size(), test.feature)
		}
	}
}

// A point that is anywhere answers the questions that have no point of their own.
func TestAnywhere(t *testing.T) {
	t.Parallel()
	g := bigen.SliceOf(bigen.SliceOf(bigen.Bool(), 0, 9), 0, 9)
	m := tune.New()
	p := point(t, g, "stop|more in more")
	p.In = tune.Anywhere
	m.Set(p, tune.Geometric{1})
	v, err := tune.Sample(m, g, rng(1))
	require.NoError(t, err)
	require.Len(t, v, 9)
	for _, part := range v {
		require.Len(t, part, 9)
	}
	m.Set(point(t, g, "stop|more in more"), tune.Geometric{0})
	v, err = tune.Sample(m, g, rng(1))
	require.NoError(t, err)
	require.Equal(t, make([][]bool, 9), v)
	require.Equal(t, "stop|more anywhere", m.Points()[0].String())
}

// Questions that a filter asks again are answered by the generator's own weights.
func TestAfterFilter(t *testing.T) {
	t.Parallel()
	g := bigen.SuchThat(bigen.IntRange(0, 9), func(n int) bool { return n != 3 })
	m := tune.New()
	m.Set(point(t, g, "an integer"), tune.Histogram{0, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	seen := map[int]bool{}
	tune.Of(g).Sample(m, 1, 200, func(r *tune.Run) {
		require.False(t, r.Failed)
		seen[r.Value.(int)] = true
	})
	require.Len(t, seen, 9)
}

// A run that asks too many questions ends, by first alternatives, and has failed.
func TestLimit(t *testing.T) {
	t.Parallel()
	m := tune.New()
	m.SetLimit(50)
	for _, p := range tune.Points(genTree) {
		if p.Kind == choices.Pick {
			m.Set(p, tune.Geometric{1})
		}
	}
	v, err := tune.Sample(m, genTree, rng(1))
	require.ErrorIs(t, err, tune.ErrLimit)
	require.Less(t, v.size(), 60)
}

// The information of the answers has the entropy of the model as its mean.
func TestBits(t *testing.T) {
	t.Parallel()
	g := bigen.IntRange(0, 7)
	m := tune.New()
	m.Set(point(t, g, "an integer"), tune.Histogram{.5, .25, .25}) // of thirds: 3, 3 and 2
	const n = 5000
	sum := 0.0
	tune.Of(g).Sample(m, 4, n, func(r *tune.Run) { sum += r.Bits })
	want := .5*(1+math.Log2(3)) + .25*(2+math.Log2(3)) + .25*(2+1)
	require.InDelta(t, want, sum/n, .02)
}

// A model is the same after a file, and answers the same.
func TestFile(t *testing.T) {
	t.Parallel()
	m := allSamplers(t)
	file := filepath.Join(t.TempDir(), "model.json")
	require.NoError(t, m.Save(file))
	require.NoError(t, m.Save(file))
	other := filepath.Join(filepath.Dir(file), "other.json")
	require.NoError(t, os.WriteFile(other, []byte(`{"name":"other"}`), 0o666))
	require.ErrorContains(t, m.Save(other), "exists and is not of this kind")
	again, err := tune.Load(file)
	require.NoError(t, err)
	require.Equal(t, m, again)
	require.NoError(t, os.Truncate(other, 1<<24+1))
	_, err = tune.Load(other)
	require.ErrorContains(t, err, "at most 16777216 are read")
	for i := range 50 {
		a, _ := tune.Sample(m, genTree, rng(uint64(i)))
		b, _ := tune.Sample(again, genTree, rng(uint64(i)))
		require.Equal(t, a, b)
	}
	old, err := tune.Load(filepath.Join("..", "..", "examples", "trees", "testdata",
		"FuzzLong.model.json"))
	require.NoError(t, err)
	require.Len(t, old.Points(), 2) // of version 1
	_, err = tune.Load(filepath.Join("..", "..", "choices", "bias", "testdata", "model_v1.json"))
	require.NoError(t, err)
	require.Equal(t, m, tune.WithParams(m, tune.Params(m)))
	zeros := make([]float64, len(tune.Params(m)))
	require.Equal(t, zeros, tune.Params(tune.WithParams(m, zeros)))

	_, err = tune.Load(file + "x")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// allSamplers returns a model that has each sampler.
func allSamplers(t *testing.T) *tune.Model {
	t.Helper()
	m := tune.New()
	require.NoError(t, m.UnmarshalJSON([]byte(`{"format":"espalier model","version":1,"limit":500,"points":[],
		"parts":[{"tags":["leaf","node"],"tag":"node","n":2}],"counted":[[],["leaf"]]}`)))
	var given []tune.Given
	require.NoError(t,
		json.Unmarshal(
			[]byte(
				`[{"feature":"depth","width":2,"cells":5},{"feature":"promised","width":1,"cells":3},{"feature":"counted2","width":1,"cells":1}]`), &given))
	samplers := []tune.Sampler{
		tune.Decay{tune.Geometric{.9}, []float64{.75}},
		&tune.Table{
			Given: given,
			N:     2,
			Rest:  []float64{.5, .5},
			Rows:  map[int][]float64{3: {1, 0}, 14: {.25, .75}},
		},
		tune.Histogram{1, 0, .5},
	}
	points := tune.Points(genTree)
	require.LessOrEqual(t, len(points), 4)
	for i, p := range points {
		m.Set(p, samplers[i%len(samplers)])
	}
	return m
}

// The answers of a model are the same on every machine. If this test fails, saved models have
// changed their meaning: increment the version of the format. -update writes the golden file.
func TestPortable(t *testing.T) {
	t.Parallel()
	m := allSamplers(t)
	var got []byte
	for i := range 40 {
		v, err := tune.Sample(m, genTree, rng(uint64(i)))
		if errors.Is(err, tune.ErrLimit) {
			got = append(got, "limit\n"...)
			continue
		}
		require.NoError(t, err)
		got = fmt.Appendf(got, "%s\n", v.text())
	}
	file := filepath.Join("testdata", "values.golden")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(file, got, 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

var update = flag.Bool("update", false, "write golden files")

func (t *tree) text() string {
	if t == nil {
		return "."
	}
	return fmt.Sprintf("(%s%d%s)", t.Left.text(), t.Key, t.Right.text())
}

// Files that are not models are refused with an error that says why.
func TestHostile(t *testing.T) {
	t.Parallel()
	of := func(sampler string) string {
		return `{"format":"espalier model","version":1,"points":[{"kind":"pick","tags":["a","b"],"slot":1,"sampler":` + sampler + `}]}`
	}
	nested := `{"geometric":1}`
	for range 20 {
		nested = `{"decay":{"sampler":` + nested + `,"rates":[1]}}`
	}
	for text, want := range map[string]string{
		``:   "unexpected end",
		`[]`: "cannot unmarshal array",
		`{}`: `its format is "", not "espalier model"`,
		`{"format":"espalier model","version":3}`:                                                     "version 3: this program knows versions 1 and 2",
		`{"format":"espalier model","version":2,"kind":"odd"}`:                                        `kind "odd" is unknown`,
		`{"format":"espalier model","version":2,"kind":"samplers","model":{"points":[]},"more":1}`:    `unknown field "more"`,
		`{"format":"espalier model","version":2,"kind":"examples","model":{"pick":{"seen":{"a":0}}}}`: `the answer "a" occurs 0 times`,
		`{"format":"espalier exact","version":1}`:                                                     `"espalier exact" is of an earlier version`,
		`{"format":"espalier model","version":1,"more":1}`:                                            `unknown field "more"`,
		`{"format":"espalier model","version":1,"limit":-1,"points":[]}`:                              "a limit of -1 answers",
		of(`{}`):                              "a sampler has 0 kinds",
		of(`null`):                            "a sampler is missing",
		of(`{"geometric":2}`):                 "a|b: geometric has a parameter 2: want 0 to 1",
		of(`{"geometric":1,"histogram":[1]}`): "a sampler has 2 kinds",
		of(`{"histogram":[-1]}`):              "weight -1",
		of(`{"decay":{"sampler":{"geometric":1},"rates":[]}}`): "0 rates for 1 parameters",
		of(
			`{"decay":{"sampler":null,"rates":[]}}`): "a sampler is missing",
		of(`{"truncated":{"sampler":{"geometric":1},"lo":1,"hi":2}}`): `unknown field "truncated"`,
		of(
			`{"table":{"n":0,"rest":[]}}`): "0 outcomes",
		of(
			`{"table":{"n":2,"rest":[1]}}`): "has a row of 1",
		of(`{"table":{"n":1,"rest":[1],"rows":{"7":[1]}}}`):                                        "table of 1 cells has a cell 7",
		of(`{"table":{"n":1,"rest":[1],"given":[{"feature":"x","width":1,"cells":1}]}}`):           `table by "x", which is not a feature`,
		of(`{"table":{"n":1,"rest":[1],"given":[{"feature":"depth","width":0,"cells":1}]}}`):       "a width of 0",
		of(`{"table":{"n":1,"rest":[1],"given":[{"feature":"depth","width":1,"cells":9000000}]}}`): "9000000 cells",
		of(nested): "nest deeper than 8",
		`{"format":"espalier model","version":1,"points":[{"kind":"text","slot":1,"sampler":{"geometric":1}}]}`:              `kind "text"`,
		`{"format":"espalier model","version":1,"points":[{"kind":"pick","tags":["a"],"slot":1,"sampler":{"geometric":1}}]}`: "a pick of 1 alternatives",
		`{"format":"espalier model","version":1,"points":[],"parts":[{"tags":["a"],"tag":"b","n":1}]}`:                       `1 parts of "b"`,
		`{"format":"espalier model","version":1,"points":[],"counted":[[],[],[],[]]}`:                                        "4 sets of tags to count: want at most 3",
	} {
		m := tune.New()
		err := m.UnmarshalJSON([]byte(text))
		require.ErrorContains(t, err, want, text)
		require.Empty(t, m.Points())
	}
}

// FuzzModel checks that a model from any data answers every generator within bounds, and stays
// the same when it is written again.
func FuzzModel(f *testing.F) {
	f.Add([]byte(`{"format":"espalier model","version":1,"points":[]}`))
	for _, text := range hostileModels {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := tune.New()
		if m.UnmarshalJSON(data) != nil {
			return
		}
		out, err := m.MarshalJSON()
		require.NoError(t, err)
		again := tune.New()
		require.NoError(t, again.UnmarshalJSON(out))
		require.Equal(t, m, again)
		m.SetLimit(1000)
		for seed := range 3 {
			if _, err := tune.Sample(m, genTree, rng(uint64(seed))); err != nil {
				require.ErrorIs(t, err, tune.ErrLimit)
			}
		}
	})
}
