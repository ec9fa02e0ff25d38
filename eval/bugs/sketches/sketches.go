// Package sketches has bugs of github.com/DataDog/sketches-go.
package sketches

import (
	"fmt"

	"github.com/DataDog/sketches-go/ddsketch"
	"github.com/DataDog/sketches-go/ddsketch/store"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/sketches-go"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[query]{
		Name: "sketches/3",
		Title: "quantiles come from the empty store of negative values if the counts add up to " +
			"less than 1",
		Source: source,
		Gen:    genQuery,
		Rapid:  rapidQuery,
		Fails: func(q query) string {
			sketch, err := ddsketch.NewDefaultDDSketch(0.01)
			if err != nil {
				return err.Error()
			}
			for _, e := range q.Entries {
				if err := sketch.AddWithCount(e.Value, e.Count); err != nil {
					return err.Error()
				}
			}
			got, err := sketch.GetValueAtQuantile(q.Quantile)
			if err != nil {
				return err.Error()
			}
			least, err := sketch.GetMinValue()
			most, err2 := sketch.GetMaxValue()
			if err != nil || err2 != nil || got < least || got > most {
				return fmt.Sprintf("the quantile is %g, of values from %g to %g", got, least, most)
			}
			return ""
		},
	}),
	bug.NewSequences(bug.Sequences{
		Name:   "sketches/9",
		Title:  "an empty collapsing store panics that is merged with one of more bins than it may have",
		Source: source,
		Model:  storeCalls,
		Rapid:  rapidStores,
	}),
}

// An entry is a value that is added, with a count.
type entry struct{ Value, Count float64 }

// A query asks a sketch for a quantile.
type query struct {
	Entries  []entry
	Quantile float64
}

const (
	mostEntries = 5
	mostValue   = 1000
	leastCount  = 0.125
	mostCount   = 8
)

var genQuery = bigen.Struct(func(c *bigen.C, q *query) {
	bigen.At(c, &q.Entries, bigen.SliceOf(bigen.Struct(func(c *bigen.C, e *entry) {
		bigen.At(c, &e.Value, bigen.FloatRange[float64](-mostValue, mostValue))
		bigen.At(c, &e.Count, bigen.FloatRange[float64](leastCount, mostCount))
	}), 1, mostEntries))
	bigen.At(c, &q.Quantile, bigen.FloatRange[float64](0, 1))
})

func rapidQuery(t *rapid.T) query {
	return query{
		Entries: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) entry {
			return entry{rapid.Float64Range(-mostValue, mostValue).Draw(t, "value"),
				rapid.Float64Range(leastCount, mostCount).Draw(t, "count")}
		}), 1, mostEntries).Draw(t, "entries"),
		Quantile: rapid.Float64Range(0, 1).Draw(t, "quantile"),
	}
}

const (
	fewBins, manyBins = 4, 16 // of the two stores
	mostIndex         = 20
)

// A content is what a store must hold: stores of the lowest indices collapse these.
type content struct {
	count float64
	most  int // index
}

func (c *content) add(count float64, index int) {
	if count > 0 {
		if c.count == 0 || index > c.most {
			c.most = index
		}
		c.count += count
	}
}

func (c *content) disagree(s store.Store) string {
	most, err := s.MaxIndex()
	if s.TotalCount() != c.count || (err == nil) != (c.count > 0) || err == nil && most != c.most {
		return fmt.Sprintf("the store has count %g and index %d, %v; want %g, %d", s.TotalCount(),
			most, err, c.count, c.most)
	}
	return ""
}

var storeCalls = callseq.New(func(c *callseq.C) {
	var few, many *store.CollapsingLowestDenseStore
	var wantFew, wantMany content
	indices := bigen.IntRange(-mostIndex, mostIndex)
	c.Do(func() {
		few, many = store.NewCollapsingLowestDenseStore(fewBins),
			store.NewCollapsingLowestDenseStore(manyBins)
	})
	c.Op("few.Add", func() {
		i := callseq.Arg(c, "i", indices)
		wantFew.add(1, i)
		c.Do(func() { few.Add(i) })
	})
	c.Op("many.Add", func() {
		i := callseq.Arg(c, "i", indices)
		wantMany.add(1, i)
		c.Do(func() { many.Add(i) })
	})
	c.Op("few.MergeWith", func() {
		c.Code("few.MergeWith(many)")
		wantFew.add(wantMany.count, wantMany.most)
		c.Do(func() { few.MergeWith(many) })
	})
	c.Op("many.MergeWith", func() {
		c.Code("many.MergeWith(few)")
		wantMany.add(wantFew.count, wantFew.most)
		c.Do(func() { many.MergeWith(few) })
	})
	c.Op("few.Clear", func() {
		wantFew = content{}
		c.Do(func() { few.Clear() })
	})
	c.Op("many.Clear", func() {
		wantMany = content{}
		c.Do(func() { many.Clear() })
	})
	c.Invariant(func() {
		if what := wantFew.disagree(few) + wantMany.disagree(many); what != "" {
			c.Errorf("%s", what)
		}
	})
})

func rapidStores(t *rapid.T, calls *int) {
	few, many := store.NewCollapsingLowestDenseStore(fewBins),
		store.NewCollapsingLowestDenseStore(manyBins)
	var wantFew, wantMany content
	indices := rapid.IntRange(-mostIndex, mostIndex)
	t.Repeat(map[string]func(*rapid.T){
		"few.Add": func(t *rapid.T) {
			*calls++
			i := indices.Draw(t, "i")
			wantFew.add(1, i)
			few.Add(i)
		},
		"many.Add": func(t *rapid.T) {
			*calls++
			i := indices.Draw(t, "i")
			wantMany.add(1, i)
			many.Add(i)
		},
		"few.MergeWith": func(t *rapid.T) {
			*calls++
			wantFew.add(wantMany.count, wantMany.most)
			few.MergeWith(many)
		},
		"many.MergeWith": func(t *rapid.T) {
			*calls++
			wantMany.add(wantFew.count, wantFew.most)
			many.MergeWith(few)
		},
		"few.Clear": func(t *rapid.T) {
			*calls++
			wantFew = content{}
			few.Clear()
		},
		"many.Clear": func(t *rapid.T) {
			*calls++
			wantMany = content{}
			many.Clear()
		},
		"": func(t *rapid.T) {
			if what := wantFew.disagree(few) + wantMany.disagree(many); what != "" {
				t.Fatal(what)
			}
		},
	})
}
