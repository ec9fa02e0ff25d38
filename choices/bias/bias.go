package choices

import (
	"fmt"
	"reflect"
)

// A Bias makes the source of [Random] prefer some answers to others. If there are several,
// those of picks change the weights in the order given, and the first that has an answer to
// an integer or text gives it.
//
// Values are finite with any bias. But if the weights make a part lead to more than one
// such part on average, values become as large as a generator may make them.
type Bias struct {
	weigh  func(alts []Alt) // changes the weights, unless nil
	leaves *Examples        // answer integers and texts, unless nil:
	every  uint64           // one in so many questions
}

// biased is the source of [Random] with biases.
type biased struct {
	random
	biases []Bias
	alts   []Alt      // buffer of Pick
	run    exampleRun // buffer of Int and Text
}

func (s *biased) Pick(q *Question) int {
	if len(q.Alts) == 1 {
		return 0
	}
	s.alts = append(s.alts[:0], q.Alts...)
	for _, b := range s.biases {
		if b.weigh != nil {
			b.weigh(s.alts)
		}
	}
	return drawPick(s.alts, -1, s.r.Uint64())
}

func (s *biased) Int(q *Question) int64 {
	for _, b := range s.biases {
		if s.asks(b) {
			if n, ok := s.run.integer(q, s.r.Uint64()); ok {
				return n
			}
		}
	}
	return s.random.Int(q)
}

func (s *biased) Text(q *Question) string {
	for _, b := range s.biases {
		if s.asks(b) {
			if text, ok := s.run.string(q, s.r.Uint64()); ok {
				return text
			}
		}
	}
	return s.random.Text(q)
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
	return Bias{weigh: func(alts []Alt) {
		for i := range alts {
			alts[i].Weight = limitWeight(w(alts[i].Tag, alts[i].Weight))
		}
	}}
}

// limitWeight returns a weight that sums of many cannot make infinite.
func limitWeight(w float64) float64 {
	if w > 0 {
		return min(w, 1e100)
	}
	return 0 // also NaN
}

// Constants answers one in eight questions for integers and texts with one of the constants
// that fit it, each as likely as it is repeated in the list. So magic numbers of the code
// under test come into its inputs. It panics if the type of a constant is neither an
// integer nor a string type.
func Constants(constants ...any) Bias {
	f := Frequencies{}
	for _, m := range Marks(constants...) {
		f[m]++
	}
	return Bias{leaves: f.leaves(), every: 8}
}

// Marks returns the marks of constants of integer and string types, for the dictionary of a
// mutator. An integer of 0 or more has two marks, of kinds Int and Uint. It panics if the
// type of a constant is neither an integer nor a string type.
func Marks(constants ...any) []Mark {
	var marks []Mark
	for _, c := range constants {
		switch v := reflect.ValueOf(c); {
		case v.CanInt() || v.CanUint() && int64(v.Uint()) >= 0:
			n := v.Convert(reflect.TypeFor[int64]()).Int()
			marks = append(marks, Mark{Kind: Int, N: n})
			if n >= 0 {
				marks = append(marks, Mark{Kind: Uint, N: n})
			}
		case v.CanUint():
			marks = append(marks, Mark{Kind: Uint, N: int64(v.Uint())})
		case v.Kind() == reflect.String:
			marks = append(marks, Mark{Kind: Text, Tag: v.String()})
		default:
			panic(fmt.Sprintf("choices: constant %v: type %T is neither an integer nor a string type", c, c))
		}
	}
	return marks
}
