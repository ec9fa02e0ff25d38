// Package observe writes what happened when a property ran on values, in the format of
// Hypothesis's observations, which tools such as Tyche show: one JSON object for each value,
// in a line of its own.
package observe

import (
	"bytes"
	"encoding/json"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/job"
)

// An Observation is a run of a property on a value. Its fields are those of the schema.
type Observation struct {
	Type           string             `json:"type"`
	Status         string             `json:"status"` // passed, failed or gave_up
	StatusReason   string             `json:"status_reason"`
	Representation string             `json:"representation"`
	Arguments      map[string]any     `json:"arguments"`
	HowGenerated   string             `json:"how_generated"`
	Features       map[string]any     `json:"features"`
	Coverage       *struct{}          `json:"coverage"`
	Timing         map[string]float64 `json:"timing"`
	Metadata       map[string]any     `json:"metadata"`
	Property       string             `json:"property"`
	RunStart       float64            `json:"run_start"` // in Unix seconds
}

// gaveUp is the status of values that are rejected, or that the property does not assume.
const gaveUp = "gave_up"

// Features are numbers or texts: Tyche shows no others. A label is a feature with one of these
// values.
const yes, no = "yes", "no"

// writer is the metadata that marks the observations of this module.
const writer = "espalier"

// Of returns the observation of a value. Why says why the property failed or gave up.
func Of(property string, start float64, status job.Status, why, value string, t choices.Tree, bytes int, labels []string) Observation {
	o := Observation{
		Type:           "test_case",
		Status:         "failed",
		StatusReason:   why,
		Representation: value,
		Arguments:      map[string]any{},
		Features:       map[string]any{"choices": len(t), "bytes": bytes},
		Timing:         map[string]float64{},
		Metadata:       map[string]any{"writer": writer, "status": status, "choices": t.String()},
		Property:       property,
		RunStart:       start,
	}
	switch status {
	case job.Valid:
		o.Status = "passed"
	case job.Invalid, job.Rejected:
		o.Status = gaveUp
		if why == "" {
			o.StatusReason = "the property does not assume the value"
		}
	}
	if value != "" {
		o.Arguments["value"] = value
	}
	for _, l := range labels {
		o.Features["label:"+l] = yes
	}
	for i := range t {
		if t[i].Kind == choices.Pick {
			name := "tag:" + t[i].Tag
			n, _ := o.Features[name].(int)
			o.Features[name] = n + 1
		}
	}
	return o
}

// Replaceable returns an error if there is a file at path that Write does not replace.
func Replaceable(path string) error {
	return atomicfile.Replaceable(path, `{"type":"test_case",`, `"writer":"`+writer+`"`)
}

// Write writes observations to the file at path. It replaces a file of observations that this
// module has written, and no other.
func Write(path string, list []Observation) error {
	if err := Replaceable(path); err != nil {
		return err
	}
	complete(list)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, o := range list {
		if err := e.Encode(o); err != nil {
			return err
		}
	}
	return atomicfile.Write(path, b.Bytes())
}

// complete gives the observations of a property the same features: a label that a value does not
// have is "no", and a tag 0. Those of values that gave up stay incomplete.
func complete(list []Observation) {
	missing := map[string]map[string]any{} // by property
	for _, o := range list {
		if missing[o.Property] == nil {
			missing[o.Property] = map[string]any{}
		}
		for name, v := range o.Features {
			missing[o.Property][name] = 0
			if _, isLabel := v.(string); isLabel {
				missing[o.Property][name] = no
			}
		}
	}
	for _, o := range list {
		if o.Status == gaveUp {
			continue
		}
		for name, v := range missing[o.Property] {
			if _, ok := o.Features[name]; !ok {
				o.Features[name] = v
			}
		}
	}
}
