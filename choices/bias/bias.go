package bias

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/chance"
)

// Random is [choices.Random] with biases. If there are several, biases of picks change the weights
// in the order given, and the first that has an answer to an integer or text gives it.
//
// Values are finite with any bias. But if the weights make a part lead to more than one
// such part on average, values become as large as a generator may make them.
func Random(r *rand.Rand, biases ...Bias) choices.Source {
	if len(biases) == 0 {
		return choices.Random(r)
	}
	return &biased{r: r, biases: biases}
}

// A Bias makes the source of [Random] prefer some answers to others.
type Bias struct {
	weigh  func(alts []choices.Alt) // changes the weights, unless nil
	leaves *Examples                // answer integers and texts, unless nil:
	every  uint64                   // one in so many questions
}

// biased is the source of [Random].
type biased struct {
	r      *rand.Rand
	biases []Bias
	alts   []choices.Alt // buffer of Pick
	run    exampleRun    // buffer of Int and Text
}

func (s *biased) Pick(q *choices.Question) int {
	if len(q.Alts) == 1 {
		return 0
	}
	s.alts = append(s.alts[:0], q.Alts...)
	for _, b := range s.biases {
		if b.weigh != nil {
			b.weigh(s.alts)
		}
	}
	weighed := choices.Question{Alts: s.alts}
	return weighed.DrawPick(s.r.Uint64())
}

func (s *biased) Leave() {}

func (s *biased) Int(q *choices.Question) int64 {
	for _, b := range s.biases {
		if s.asks(b) {
			if n, ok := s.run.integer(q, s.r.Uint64()); ok {
				return n
			}
		}
	}
	return q.DrawInt(s.r.Uint64())
}

func (s *biased) Text(q *choices.Question) string {
	for _, b := range s.biases {
		if s.asks(b) {
			if text, ok := s.run.string(q, s.r.Uint64()); ok {
				return text
			}
		}
	}
	return q.DrawText(s.r.Uint64())
}

// asks reports whether s.run, now of the examples of b, is asked for an integer or text.
func (s *biased) asks(b Bias) bool {
	s.run.of = b.leaves
	return b.leaves != nil && (b.every == 1 || s.r.Uint64()%b.every == 0)
}

// Weighted picks alternatives by the weights that w returns for their tags and the
// generator's own weights (WeightedGen of "Bigenerators, Exposed!", section 6.1.1). Each of
// several alternatives with one tag has that weight. A negative weight or NaN counts as 0.
// If all alternatives have weight 0, the source takes the first. A nil w changes nothing.
func Weighted(w func(tag string, weight float64) float64) Bias {
	if w == nil {
		return Bias{}
	}
	return Bias{weigh: func(alts []choices.Alt) {
		for i := range alts {
			alts[i].Weight = chance.LimitWeight(w(alts[i].Tag, alts[i].Weight))
		}
	}}
}

// Constants answers one in eight questions for integers and texts with one of the constants
// that fit it, each as likely as it is repeated in the list. So magic numbers of the code
// under test come into its inputs. It panics if the type of a constant is neither an
// integer nor a string type.
func Constants(constants ...any) Bias {
	f := Frequencies{}
	for _, m := range choices.Marks(constants...) {
		f[m]++
	}
	return Bias{leaves: f.leaves(), every: 8}
}
