package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/espalier-go/espalier/bigen/tune/internal/exact"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/internal/safefile"
	"golang.org/x/exp/slices"
)

// The file of a model, version 2, is a JSON object of
//
//	format   "espalier model"
//	version  2
//	kind     "samplers", "examples" or "exact"
//	model    an object of that kind
//
// bias.Examples describes a model of examples, and exact.Language an exact one. A model of
// samplers has
//
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
//	"table":     {"given": [{"feature": "depth", "nodes", "promised",
//	             "counted", "counted2" or "counted3", "width": n, "cells": n}, ...],
//	             "n": outcomes, "rest": [weight, ...], "rows": {"cell": [weight, ...], ...}}
//
// Version 1 had only samplers, next to the format, and examples in a format "espalier examples".
// Both are still read.
const (
	modelFormat  = "espalier model"
	modelVersion = 2
	maxModel     = 16 << 20 // bytes of a file
	maxModelled  = 1 << 12  // points
	maxNested    = 8        // samplers of samplers
)

type modelJSON struct {
	Format  string          `json:"format"`
	Version int             `json:"version"`
	Kind    string          `json:"kind"`
	Model   json.RawMessage `json:"model"`
}

// other is a model of another kind than samplers.
type other interface {
	Prior() choices.Prior
	json.Marshaler
	json.Unmarshaler
}

const samplersKind = "samplers"

// newOther returns an empty model of a kind without samplers, or nil. It is not a table,
// which would link all kinds into tests that use none.
func newOther(kind string) other {
	switch kind {
	case "examples":
		return bias.NewExamples()
	case "exact":
		return new(exact.Counts)
	}
	return nil
}

func kindOf(o other) string {
	switch o.(type) {
	case nil:
		return samplersKind
	case *exact.Counts:
		return "exact"
	}
	return "examples"
}

// MarshalJSON returns m as data. Equal models have equal data.
func (m *Model) MarshalJSON() ([]byte, error) {
	var body any = m.other
	if m.other == nil {
		body = m.samplers()
	}
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return json.Marshal(modelJSON{modelFormat, modelVersion, kindOf(m.other), data})
}

// UnmarshalJSON sets m to a model in the format of MarshalJSON. It returns an error, and leaves m
// unchanged, if data is not a model, has a later version, or is not what a model can be. It
// allocates memory in proportion to the length of data.
func (m *Model) UnmarshalJSON(data []byte) error {
	n, err := parseModel(data)
	if err != nil {
		return fmt.Errorf("tune: no model: %w", err)
	}
	*m = *n
	return nil
}

func parseModel(data []byte) (*Model, error) {
	if len(data) > maxModel {
		return nil, fmt.Errorf("%d bytes: want at most %d", len(data), maxModel)
	}
	var in modelJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, err
	}
	switch {
	case in.Format == "espalier examples":
		in.Kind, in.Model = "examples", data
	case in.Format == "espalier exact":
		return nil, fmt.Errorf("its format %q is of an earlier version", in.Format)
	case in.Format != modelFormat:
		return nil, fmt.Errorf("its format is %q, not %q", in.Format, modelFormat)
	case in.Version == 1:
		in.Kind, in.Model = samplersKind, data
	case in.Version != modelVersion:
		return nil, fmt.Errorf("version %d: this program knows versions 1 and %d", in.Version,
			modelVersion)
	default: // there must be nothing besides the model
		if err := decodeStrictly(data, &in); err != nil {
			return nil, err
		}
	}
	if in.Kind == samplersKind {
		var body samplersJSON
		if err := decodeStrictly(in.Model, &body); err != nil {
			return nil, err
		}
		return body.model()
	}
	m := New()
	if m.other = newOther(in.Kind); m.other == nil {
		return nil, fmt.Errorf("its kind %q is unknown", in.Kind)
	}
	return m, m.other.UnmarshalJSON(in.Model)
}

func decodeStrictly(data []byte, in any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(in)
}

type samplersJSON struct {
	Format  string      `json:"format,omitempty"`  // of version 1
	Version int         `json:"version,omitempty"` // 1
	Limit   int         `json:"limit,omitempty"`
	Parts   []parts     `json:"parts,omitempty"`
	Counted [][]string  `json:"counted,omitempty"`
	Points  []pointJSON `json:"points"`
}

type pointJSON struct {
	Kind    string       `json:"kind"`
	Tags    []string     `json:"tags,omitempty"`
	Slot    uint32       `json:"slot"`
	In      string       `json:"in,omitempty"`
	Sampler *samplerJSON `json:"sampler"`
}

type samplerJSON struct {
	Geometric *float64   `json:"geometric,omitempty"`
	Histogram Histogram  `json:"histogram,omitempty"`
	Decay     *decayJSON `json:"decay,omitempty"`
	Table     *Table     `json:"table,omitempty"`
}

type decayJSON struct {
	Sampler *samplerJSON `json:"sampler"`
	Rates   []float64    `json:"rates"`
}

// pointKinds has the kinds of choice points by their names in files.
var pointKinds = map[string]choices.Kind{
	"pick": choices.Pick,
	"int":  choices.Int,
	"uint": choices.Uint,
}

// samplers returns a model of samplers as data.
func (m *Model) samplers() samplersJSON {
	out := samplersJSON{Limit: m.limit, Parts: m.parts, Counted: m.counted, Points: []pointJSON{}}
	for i := range m.points {
		p := &m.points[i]
		j := pointJSON{Tags: p.Tags, Slot: p.Slot, In: p.In, Sampler: samplerData(p.sampler)}
		for name, kind := range pointKinds {
			if kind == p.Kind {
				j.Kind = name
			}
		}
		out.Points = append(out.Points, j)
	}
	return out
}

func samplerData(s Sampler) *samplerJSON {
	if isOwn(s) {
		s = tableOf(s)
	}
	switch s := s.(type) {
	case Geometric:
		return &samplerJSON{Geometric: &s.P}
	case Histogram:
		return &samplerJSON{Histogram: s}
	case Decay:
		return &samplerJSON{Decay: &decayJSON{samplerData(s.Sampler), s.Rates}}
	case *Table:
		return &samplerJSON{Table: s}
	}
	panic(fmt.Sprintf("tune: a sampler of type %T", s))
}

// model returns the model of samplers that the data stand for.
func (in *samplersJSON) model() (*Model, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	m := New()
	if in.Limit > 0 {
		m.limit = in.Limit
	}
	m.parts, m.counted = in.Parts, in.Counted
	for _, p := range in.Points {
		if err := m.add(&p); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// check reports what is out of range, except in choice points.
func (in *samplersJSON) check() error {
	switch {
	case in.Limit < 0 || in.Limit > maxLimit:
		return fmt.Errorf("a limit of %d answers: want 1 to %d", in.Limit, maxLimit)
	case len(in.Points) > maxModelled || len(in.Parts) > maxModelled:
		return fmt.Errorf("%d choice points, %d alternatives with parts: want at most %d",
			len(in.Points), len(in.Parts), maxModelled)
	case len(in.Counted) > len(counted):
		return fmt.Errorf("%d sets of tags to count: want at most %d", len(in.Counted), len(counted))
	}
	for _, p := range in.Parts {
		if p.N < 0 || p.N > 1<<16 || !slices.Contains(p.Tags, p.Tag) {
			return fmt.Errorf("%d parts of %q, one of %q", p.N, p.Tag, p.Tags)
		}
	}
	return nil
}

// add adds a choice point.
func (m *Model) add(p *pointJSON) error {
	kind, ok := pointKinds[p.Kind]
	if !ok {
		return fmt.Errorf("a choice point of kind %q: want pick, int or uint", p.Kind)
	}
	s, err := p.Sampler.sampler(0)
	if err != nil {
		return err
	}
	point := Point{kind, p.Tags, p.Slot, p.In}
	if kind != choices.Pick && len(p.Tags) > 0 {
		return fmt.Errorf("%v has alternatives", &point)
	}
	if _, twice := m.index[point.key()]; twice {
		return fmt.Errorf("%v has two samplers", &point)
	}
	return m.set(point, s)
}

// sampler returns the sampler that the data stand for. It does not check the parameters.
func (in *samplerJSON) sampler(nested int) (s Sampler, err error) {
	if in == nil {
		return nil, errors.New("a sampler is missing")
	}
	if nested > maxNested {
		return nil, fmt.Errorf("samplers nest deeper than %d", maxNested)
	}
	n := 0
	if in.Geometric != nil {
		s, n = Geometric{*in.Geometric}, n+1
	}
	if in.Histogram != nil {
		s, n = in.Histogram, n+1
	}
	if in.Decay != nil {
		var part Sampler
		part, err = in.Decay.Sampler.sampler(nested + 1)
		s, n = Decay{part, in.Decay.Rates}, n+1
	}
	if in.Table != nil {
		s, n = in.Table, n+1
	}
	if n != 1 && err == nil {
		err = fmt.Errorf("a sampler has %d kinds: want one of geometric, histogram, decay and table", n)
	}
	return s, err
}

// Load reads a model from a file that [Model.Save] or corpusgen tune has written.
func Load(file string) (*Model, error) {
	data, err := safefile.Read(file, maxModel)
	if err != nil {
		return nil, fmt.Errorf("tune: %w", err)
	}
	m := New()
	if err := m.UnmarshalJSON(data); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// Save writes m to a file, atomically, a line for each choice point or context. It replaces an
// older model or an empty file, and returns an error if the file is anything else.
func (m *Model) Save(file string) error {
	data, err := m.MarshalJSON()
	if err == nil {
		err = safefile.Replaceable(file, `{"format":"espalier `)
	}
	if err != nil {
		return err
	}
	// no string has them unescaped
	for _, first := range []string{`{"kind":`, `{"seen":`, `{"tags":`} {
		data = bytes.ReplaceAll(data, []byte(first), []byte("\n"+first))
	}
	return safefile.Write(file, append(data, '\n'))
}
