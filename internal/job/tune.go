package job

import (
	"encoding/json"
	"os"

	"github.com/espalier-go/espalier/internal/atomicfile"
)

// Tune asks for a model of the target's generator, by a search for values that meet objectives,
// by examples, or given: what its values are like. The answer is a [Tuned] in a file of its own.
type Tune struct {
	Grammar bool            // give the branching process of the generator, and no more
	Like    []string        // the paths of entries that are examples
	Unlike  bool            // values shall be unlike them
	Keep    []string        // picks that have some of these tags take no others
	Exclude []string        // tags that no pick takes
	Given   json.RawMessage `json:",omitempty"` // a model

	Objectives []Objective
	Maximize   string  // "entropy", "valid-entropy", or "" for nothing; with Objectives, of the values that meet them
	Rounds     int     // of the search, at most; 0 for none
	Values     int     // of a round
	Limit      int     // answers of a value, at most
	Tolerance  float64 // how far from its target a value may be, as a share of it
	Share      float64 // end once so many values are within it; 0 for never
	Seconds    float64 // of the search, at most; 0 for any number
	Judge      bool    // run the property, to see which values are valid
	Measure    int     // values to describe
	Result     string  // the path of the file for the Tuned
}

// AllRounds returns how many rounds there are, at most: those that maximize are shorter, and five
// times as many.
func (t *Tune) AllRounds() (n int) {
	if len(t.Objectives) > 0 {
		n += t.Rounds
	}
	if t.Maximize != "" {
		n += 5 * t.Rounds
	}
	return n
}

// An Objective is a measure of values and the target of its mean.
type Objective struct {
	Kind   string   // "size" or "height"
	Tags   []string // that it counts; none for all but the first alternatives
	Target float64
}

// Tuned is what comes of a [Tune].
type Tuned struct {
	Model    json.RawMessage // see fuzzext.WithModel
	Grammar  json.RawMessage // see package predict
	Stateful string          // why there is none
	Counted  float64         // if they are counted, the binary logarithm of the number of values that meet the objectives
	Examples int             // those of Like that the generator makes
	Rounds   int
	Values   int       // made while searching
	Own      Described // values by the generator's own weights
	By       Described // values by the model
	TimedOut bool
}

// Described is what values are like.
type Described struct {
	Values   int
	Failed   int                // runs that reached the limit of answers, or were rejected
	Invalid  int                // values that the property does not assume
	Within   int                // valid values that meet all objectives
	Bits     float64            // of information in a value's choices, on average: their entropy
	Valid    float64            // the same, with 0 for values that are not valid
	Measures []Moments          // of the objectives
	Tags     map[string]float64 // how often a value takes each alternative, on average
	Lengths  []string           // those taken only where a sequence has another element or ends
	Shown    [][]float64        // the measures of some values
}

// Moments are those of a distribution.
type Moments struct{ Mean, Deviation, Least, Most float64 }

// Write stores the result at path.
func (t *Tuned) Write(path string) error {
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, b)
}

// ReadTuned reads a result. It returns nil if there is no whole one.
func ReadTuned(path string) (*Tuned, error) {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	t := &Tuned{}
	return t, json.Unmarshal(b, t)
}
