package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/atomicfile"
)

// The JSON of a model, version 1, is an object of
//
//	format   "espalier model"
//	version  1
//	limit    the most answers of a run
//	parts    [{"tags": the alternatives, "tag": the one taken, "n": how many parts}, ...]
//	counted  [[tag, ...], ...], for the features of that name
//	points   [{"kind": "pick", "int" or "uint", "tags": of a pick, "slot": a number, "in": a tag,
//	         "sampler": a sampler}, ...]
//
// A sampler is an object with one of
//
//	"geometric": P
//	"histogram": [weight, ...]
//	"decay":     {"sampler": a sampler, "rates": [rate, ...]}
//	"mixture":   {"share": a number, "a": a sampler, "b": a sampler}
//	"truncated": {"sampler": a sampler, "lo": lowest outcome, "hi": highest}
//	"table":     {"given": [{"feature": "depth", "nodes", "promised",
//	             "counted", "counted2" or "counted3", "width": n, "cells": n}, ...],
//	             "n": outcomes, "rest": [weight, ...], "rows": {"cell": [weight, ...], ...}}
const (
	modelFormat  = "espalier model"
	modelVersion = 1
	maxModel     = 16 << 20 // bytes of a file
	maxModelled  = 1 << 12  // points
	maxNested    = 8        // samplers of samplers
)

type modelJSON struct {
	Format  string      `json:"format"`
	Version int         `json:"version"`
	Limit   int         `json:"limit,omitempty"`
	Parts   []partsJSON `json:"parts,omitempty"`
	Counted [][]string  `json:"counted,omitempty"`
	Points  []pointJSON `json:"points"`
}

type partsJSON struct {
	Tags []string `json:"tags"`
	Tag  string   `json:"tag"`
	N    int      `json:"n"`
}

type pointJSON struct {
	Kind    string       `json:"kind"`
	Tags    []string     `json:"tags,omitempty"`
	Slot    uint32       `json:"slot"`
	In      string       `json:"in,omitempty"`
	Sampler *samplerJSON `json:"sampler"`
}

type samplerJSON struct {
	Geometric *float64       `json:"geometric,omitempty"`
	Histogram []float64      `json:"histogram,omitempty"`
	Decay     *decayJSON     `json:"decay,omitempty"`
	Mixture   *mixtureJSON   `json:"mixture,omitempty"`
	Truncated *truncatedJSON `json:"truncated,omitempty"`
	Table     *tableJSON     `json:"table,omitempty"`
}

type decayJSON struct {
	Sampler *samplerJSON `json:"sampler"`
	Rates   []float64    `json:"rates"`
}

type mixtureJSON struct {
	Share float64      `json:"share"`
	A     *samplerJSON `json:"a"`
	B     *samplerJSON `json:"b"`
}

type truncatedJSON struct {
	Sampler *samplerJSON `json:"sampler"`
	Lo      int          `json:"lo"`
	Hi      int          `json:"hi"`
}

type tableJSON struct {
	Given []givenJSON       `json:"given,omitempty"`
	N     int               `json:"n"`
	Rest  []float64         `json:"rest"`
	Rows  map[int][]float64 `json:"rows,omitempty"`
}

type givenJSON struct {
	Feature string `json:"feature"`
	Width   int    `json:"width"`
	Cells   int    `json:"cells"`
}

var kindNames = map[choices.Kind]string{choices.Pick: "pick", choices.Int: "int", choices.Uint: "uint"}

// MarshalJSON returns m as data. Equal models have equal data.
func (m *Model) MarshalJSON() ([]byte, error) {
	out := modelJSON{Format: modelFormat, Version: modelVersion, Limit: m.limit, Counted: m.counted, Points: []pointJSON{}}
	for _, p := range m.parts {
		out.Parts = append(out.Parts, partsJSON(p))
	}
	for i := range m.points {
		p := &m.points[i]
		out.Points = append(out.Points, pointJSON{kindNames[p.Kind], p.Tags, p.Slot, p.In, samplerData(p.sampler)})
	}
	return json.Marshal(out)
}

func samplerData(s Sampler) *samplerJSON {
	switch s := s.(type) {
	case Geometric:
		return &samplerJSON{Geometric: &s.P}
	case Histogram:
		return &samplerJSON{Histogram: s}
	case Decay:
		return &samplerJSON{Decay: &decayJSON{samplerData(s.Sampler), s.Rates}}
	case Mixture:
		return &samplerJSON{Mixture: &mixtureJSON{s.Share, samplerData(s.A), samplerData(s.B)}}
	case Truncated:
		return &samplerJSON{Truncated: &truncatedJSON{samplerData(s.Sampler), s.Lo, s.Hi}}
	case *Table:
		t := &tableJSON{N: s.N, Rest: s.Rest, Rows: s.Rows}
		for _, g := range s.Given {
			t.Given = append(t.Given, givenJSON{g.Feature.String(), g.Width, g.Cells})
		}
		return &samplerJSON{Table: t}
	}
	panic(fmt.Sprintf("tune: a sampler of type %T", s))
}

// UnmarshalJSON sets m to a model in the format of MarshalJSON. It returns an error, and leaves m
// unchanged, if data is no model, has a later version, or is not what a model can be. What it
// allocates is in proportion to the length of data.
func (m *Model) UnmarshalJSON(data []byte) error {
	var in modelJSON
	if err := decodeStrictly(data, &in); err != nil {
		return fmt.Errorf("tune: no model: %w", err)
	}
	n, err := in.model()
	if err != nil {
		return fmt.Errorf("tune: no model: %w", err)
	}
	*m = *n
	return nil
}

func decodeStrictly(data []byte, in *modelJSON) error {
	if len(data) > maxModel {
		return fmt.Errorf("%d bytes: want at most %d", len(data), maxModel)
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	switch {
	case head.Format != modelFormat:
		return fmt.Errorf("its format is %q, not %q", head.Format, modelFormat)
	case head.Version != modelVersion:
		return fmt.Errorf("version %d: this program knows version %d", head.Version, modelVersion)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(in)
}

func (in *modelJSON) model() (*Model, error) {
	m := New()
	if in.Limit < 0 || in.Limit > maxLimit {
		return nil, fmt.Errorf("a limit of %d answers: want 1 to %d", in.Limit, maxLimit)
	}
	if in.Limit > 0 {
		m.limit = in.Limit
	}
	if len(in.Points) > maxModelled || len(in.Parts) > maxModelled {
		return nil, fmt.Errorf("%d choice points, %d alternatives with parts: want at most %d", len(in.Points), len(in.Parts), maxModelled)
	}
	var parts []Parts
	for _, p := range in.Parts {
		if p.N < 0 || p.N > 1<<16 || !slices.Contains(p.Tags, p.Tag) {
			return nil, fmt.Errorf("%d parts of %q, one of %q", p.N, p.Tag, p.Tags)
		}
		parts = append(parts, Parts(p))
	}
	m.SetParts(parts...)
	if len(in.Counted) > MaxCounted {
		return nil, fmt.Errorf("%d sets of tags to count: want at most %d", len(in.Counted), MaxCounted)
	}
	m.SetCounted(in.Counted...)
	for _, p := range in.Points {
		kind, ok := kindOf(p.Kind)
		if !ok {
			return nil, fmt.Errorf("a choice point of kind %q: want pick, int or uint", p.Kind)
		}
		s, err := p.Sampler.sampler(0)
		if err != nil {
			return nil, err
		}
		point := Point{kind, p.Tags, p.Slot, p.In}
		if kind != choices.Pick && len(p.Tags) > 0 {
			return nil, fmt.Errorf("%v has alternatives", &point)
		}
		if m.Sampler(point) != nil {
			return nil, fmt.Errorf("%v has two samplers", &point)
		}
		if err := m.set(point, s); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func kindOf(name string) (choices.Kind, bool) {
	for kind, known := range kindNames {
		if known == name {
			return kind, true
		}
	}
	return 0, false
}

// sampler returns the sampler that the data stand for. Its parameters are yet to be checked.
func (in *samplerJSON) sampler(nested int) (s Sampler, err error) {
	if in == nil {
		return nil, errors.New("a sampler is missing")
	}
	if nested > maxNested {
		return nil, fmt.Errorf("samplers nest deeper than %d", maxNested)
	}
	n := 0
	set := func(t Sampler) { s, n = t, n+1 }
	part := func(in *samplerJSON) Sampler {
		part, partErr := in.sampler(nested + 1)
		if err == nil {
			err = partErr
		}
		return part
	}
	if in.Geometric != nil {
		set(Geometric{*in.Geometric})
	}
	if in.Histogram != nil {
		set(Histogram(in.Histogram))
	}
	if in.Decay != nil {
		set(Decay{part(in.Decay.Sampler), in.Decay.Rates})
	}
	if in.Mixture != nil {
		set(Mixture{in.Mixture.Share, part(in.Mixture.A), part(in.Mixture.B)})
	}
	if in.Truncated != nil {
		set(Truncated{part(in.Truncated.Sampler), in.Truncated.Lo, in.Truncated.Hi})
	}
	if in.Table != nil {
		t := &Table{N: in.Table.N, Rest: in.Table.Rest, Rows: in.Table.Rows}
		for _, g := range in.Table.Given {
			f := Feature(slices.Index(featureNames[:], g.Feature))
			t.Given = append(t.Given, Given{f, g.Width, g.Cells}) // an unknown feature is refused by check
		}
		set(t)
	}
	if n != 1 && err == nil {
		err = fmt.Errorf("a sampler has %d kinds: want one of geometric, histogram, decay, mixture, truncated and table", n)
	}
	return s, err
}

// Load reads a model from a file that [Model.Save] has written.
func Load(file string) (*Model, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("tune: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxModel+1))
	if err != nil {
		return nil, fmt.Errorf("tune: %w", err)
	}
	m := New()
	if err := m.UnmarshalJSON(data); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// Save writes m to a file, atomically, a line for each choice point.
func (m *Model) Save(file string) error {
	data, err := m.MarshalJSON()
	if err != nil {
		return err
	}
	data = bytes.ReplaceAll(data, []byte(`{"kind":`), []byte("\n{\"kind\":")) // no string has it: its quotes would be escaped
	return atomicfile.Write(file, append(data, '\n'))
}
