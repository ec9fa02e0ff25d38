package stats

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/page"
	"github.com/espalier-go/espalier/internal/job"
)

// sides are the two corpora of each chart: the class of the style, and a name.
var sides = [2]struct{ class, who string }{{"corpus", "the corpus"},
	{"random", "the random values"}}

// Sizes is a histogram of the numbers of choices.
func (t *Section) Sizes(id int) *page.Chart {
	s := t.Survey
	if s.Values == 0 {
		return nil
	}
	c := &page.Chart{ID: fmt.Sprintf("sizes%d", id), W: page.Width, H: page.Height,
		Title:   "Sizes of values",
		Caption: "Share of values, by their number of choices."}
	corpus, random := sizesOf(s.corpus), sizesOf(s.random)
	from, to := math.MaxInt, 0
	most := 0.0
	for b := range max(len(corpus), len(random)) {
		if x := max(corpus.at(b), random.at(b)); x > 0 {
			from, to, most = min(from, b), b, max(most, x)
		}
	}
	c.Axis(func(part float64) string { return fmt.Sprintf("%.0f %%", 100*part*most) })
	n := float64(to - from + 1)
	var text []string
	for b := from; b <= to; b++ {
		label := sizeLabel(b)
		x, w := page.X(float64(b-from)/n), (page.X(1)-page.X(0))/n
		for i, sizes := range []sizes{corpus, random} {
			share := sizes.at(b)
			y := page.Y(share / most)
			c.Bar(x+w*(0.12+0.38*float64(i)), y, w*0.36, page.Y(0)-y, sides[i].class,
				fmt.Sprintf("%s choices: %.1f %% of %s", label, 100*share, sides[i].who))
		}
		c.Tick(x+w/2, label)
		text = append(text, fmt.Sprintf("%s choices: corpus %.1f %%, random values %.1f %%",
			label, 100*corpus.at(b), 100*random.at(b)))
	}
	c.Word(page.X(0.5), page.Height-1, "middle", "choices")
	c.Text = strings.Join(text, "; ") + "."
	return c
}

// sizes are the shares of values by the number of bits of their numbers of choices.
type sizes []float64

func sizesOf(entries []*job.Entry) (s sizes) {
	for _, e := range entries {
		b := bits.Len(uint(len(e.Tree)))
		for len(s) <= b {
			s = append(s, 0)
		}
		s[b] += 1 / float64(len(entries))
	}
	return s
}

func (s sizes) at(b int) float64 {
	if b < len(s) {
		return s[b]
	}
	return 0
}

// sizeLabel returns the numbers that have a number of bits.
func sizeLabel(b int) string {
	switch b {
	case 0, 1:
		return fmt.Sprint(b)
	}
	return fmt.Sprintf("%d–%d", 1<<(b-1), 1<<b-1)
}

// Growth shows how the coverage of combinations grows by entry.
func (t *Section) Growth(id int) *page.Chart {
	corpus, random := t.Survey.growth, t.Survey.drawn
	if len(corpus) == 0 {
		return nil
	}
	pairs := t.Pairs()
	c := &page.Chart{ID: fmt.Sprintf("growth%d", id), W: page.Width, H: page.Height,
		Title:   fmt.Sprintf("Growth of %d-way coverage", pairs.Strength),
		Caption: "Combinations covered by the first values, on a scale of powers of two."}
	values := float64(max(len(corpus), len(random), 2))
	most := float64(corpus[len(corpus)-1])
	if len(random) > 0 {
		most = max(most, float64(random[len(random)-1]))
	}
	most = max(most, 1)
	c.Axis(page.Whole(most))
	for n := 1; float64(n) <= values; n *= 4 {
		c.Tick(page.X(math.Log(float64(n))/math.Log(values)), fmt.Sprint(n))
	}
	c.Word(page.X(0.5), page.Height-1, "middle", "values")
	for i, sums := range [][]int{corpus, random} {
		if len(sums) == 0 {
			continue
		}
		var points []string
		shown := -1.0
		for k, sum := range sums {
			x := page.X(math.Log(float64(k+1)) / math.Log(values))
			if x-shown >= 1 || k == len(sums)-1 {
				points = append(points, fmt.Sprintf("%.1f,%.1f", x, page.Y(float64(sum)/most)))
				shown = x
			}
		}
		c.Line(strings.Join(points, " "), sides[i].class)
	}
	c.Text = fmt.Sprintf("The corpus covers %d combinations with %d values", corpus[len(corpus)-1],
		len(corpus))
	if n := len(random); n > 0 {
		c.Text += fmt.Sprintf("; random values cover %d with %d, and %d with as many as the "+
			"corpus has", random[n-1], n, random[min(n, len(corpus))-1])
	}
	c.Text += "."
	return c
}
