package predict

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The JSON of an Exact, version 1, is an object of
//
//	format   "espalier exact"
//	version  1
//	sizes    [the least, the greatest]
//	heights  [the least, the greatest], absent for any
//	tags     those that count, absent for all picks that count without
//	grammar  a Grammar
//
// What is counted is counted again when it is read.
const (
	exactFormat  = "espalier exact"
	exactVersion = 1
)

type exactJSON struct {
	Format  string   `json:"format"`
	Version int      `json:"version"`
	Sizes   [2]int   `json:"sizes"`
	Heights *[2]int  `json:"heights,omitempty"`
	Tags    []string `json:"tags,omitempty"`
	Grammar *Grammar `json:"grammar"`
}

// MarshalJSON returns e as data, for the file of fuzzext.WithModel.
func (e *Exact) MarshalJSON() ([]byte, error) {
	out := exactJSON{exactFormat, exactVersion, e.sizes, &e.heights, e.tags, e.grammar}
	if e.heights == AnyHeight {
		out.Heights = nil
	}
	return json.Marshal(out)
}

// UnmarshalJSON sets e to what data in the format of MarshalJSON stand for. It returns an error,
// and leaves e unchanged, if data are of another format or a later version, or [Grammar.Exact]
// returns one.
func (e *Exact) UnmarshalJSON(data []byte) error {
	in := exactJSON{Heights: &[2]int{}}
	*in.Heights = AnyHeight
	if err := in.read(data); err != nil {
		return fmt.Errorf("predict: no exact model: %w", err)
	}
	exact, err := in.Grammar.Exact(in.Sizes, *in.Heights, in.Tags...)
	if err != nil {
		return err
	}
	*e = *exact
	return nil
}

func (in *exactJSON) read(data []byte) error {
	var head struct{ Format string }
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	if head.Format != exactFormat {
		return fmt.Errorf("its format is %q, not %q", head.Format, exactFormat)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(in)
	switch {
	case in.Version != exactVersion:
		return fmt.Errorf("version %d: this program knows version %d", in.Version, exactVersion)
	case err != nil:
		return err
	case in.Grammar == nil || in.Heights == nil:
		return fmt.Errorf("it has no grammar, or no heights")
	}
	return nil
}
