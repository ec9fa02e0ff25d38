package job

import (
	"encoding/json"
)

// Tune asks for a model of the target's generator by which values meet a goal.
type Tune struct {
	Goal string   // see package goal
	Like []string // the paths of entries that are the examples of the goal

	Rounds    int     // of a search, at most
	Values    int     // of a round
	Limit     int     // answers of a value, at most
	Tolerance float64 // how far from its target a value may be, as a share of it
	Seconds   float64 // of a search, at most; 0 for any number
	Measure   int     // values to describe

	Front bool `json:",omitempty"` // find compromises between the objectives of the goal
	Pick  int  `json:",omitempty"` // the compromise to describe, from 1; 0 for none
}

// Tuned is what comes of a [Tune].
type Tuned struct {
	Model      json.RawMessage    `json:",omitempty"` // see fuzzext.WithModel; none if none is picked
	Front      [][]float64        `json:",omitempty"` // of compromises: see tune.Compromise.Means
	From       string             // what the model is from, in a phrase; "" for a search
	Stateful   string             // why the tags of the goal were not weighed
	Predicted  map[string]float64 // if they were: how often each tag occurs
	Cost       float64            // and how far that is from the goal
	Objectives []Objective
	Rounds     int       // of the search
	Values     int       // made while searching
	TimedOut   bool      // the search
	Own        Described // values by the generator's own weights
	By         Described // values by the model
}

// An Objective is a measure of values and the target of its mean.
type Objective struct {
	Name   string
	Target float64
	Whole  bool // the objective has no target: as much as can be had
}

// Described is what values are like.
type Described struct {
	Values   int
	Failed   int                // runs that reached the limit of answers, or were rejected
	Invalid  int                // values that the property does not assume
	Within   int                // valid values that meet all objectives
	Bits     float64            // of information in a value's choices, on average: their entropy
	Measures []Moments          // of the objectives
	Covered  int                // branches that valid values reach together, if the goal has coverage
	Tags     map[string]float64 // how often a value takes each alternative, on average
}

// Moments are the moments of a distribution.
type Moments struct{ Mean, Deviation float64 }
