package predict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/espalier-go/espalier/choices"
)

// The JSON of a grammar has its types as they are in memory. A change of it is a change of the
// version of what keeps it, which is [Exact].

type grammarJSON struct {
	Types        []typeJSON        `json:"types"`
	Constructors []constructorJSON `json:"constructors"`
	FamilyOf     []int             `json:"familyOf"`
	Families     []familyJSON      `json:"families"`
}

type typeJSON struct {
	Name   string    `json:"name"`
	Family int       `json:"family"`
	Alts   []altJSON `json:"alts"`
	Self   int       `json:"self"`
}

type altJSON struct {
	Constructor int     `json:"constructor"`
	Absent      bool    `json:"absent,omitempty"`
	Weight      float64 `json:"weight"`
	Kids        []int   `json:"kids,omitempty"`
	Next        int     `json:"next"`
}

type constructorJSON struct {
	Family uint16 `json:"family"`
	Tag    string `json:"tag"`
	Place  uint64 `json:"place,string"`
}

type familyJSON struct {
	Tags   []string    `json:"tags"`
	Common bool        `json:"common,omitempty"`
	Place  uint64      `json:"place,string"`
	Points []pointJSON `json:"points"`
}

type pointJSON struct {
	Slot uint32 `json:"slot"`
	In   string `json:"in"`
}

// MarshalJSON returns g as data.
func (g *Grammar) MarshalJSON() ([]byte, error) {
	out := grammarJSON{FamilyOf: g.familyOf}
	for _, t := range g.types {
		j := typeJSON{Name: t.name, Family: t.family, Self: t.self}
		for _, a := range t.alts {
			j.Alts = append(j.Alts, altJSON{a.constructor, a.absent, a.weight, a.kids, a.next})
		}
		out.Types = append(out.Types, j)
	}
	for _, c := range g.constructors {
		out.Constructors = append(out.Constructors, constructorJSON(c))
	}
	for _, f := range g.families {
		j := familyJSON{Tags: f.tags, Common: f.common, Place: f.place}
		for _, p := range f.points {
			j.Points = append(j.Points, pointJSON{p.slot, p.in})
		}
		out.Families = append(out.Families, j)
	}
	return json.Marshal(out)
}

// UnmarshalJSON sets g to a grammar in the format of MarshalJSON. It returns an error, and leaves
// g unchanged, if data is none.
func (g *Grammar) UnmarshalJSON(data []byte) error {
	var in grammarJSON
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(&in)
	if err == nil {
		err = in.check()
	}
	if err != nil {
		return fmt.Errorf("predict: no grammar: %w", err)
	}
	n := Grammar{familyOf: in.FamilyOf}
	for _, c := range in.Constructors {
		n.constructors = append(n.constructors, Constructor(c))
	}
	for i, j := range in.Families {
		f := family{tags: j.Tags, common: j.Common, place: j.Place}
		if i > 0 { // the first is that of the root
			f.hash = familyOf(j.Tags)
		}
		for _, p := range j.Points {
			f.points = append(f.points, point{p.Slot, p.In})
		}
		n.families = append(n.families, f)
	}
	for _, j := range in.Types {
		t := typ{name: j.Name, family: j.Family, self: j.Self}
		for _, a := range j.Alts {
			t.alts = append(t.alts, alternative{constructor: a.Constructor, absent: a.Absent, weight: a.Weight, kids: a.Kids, next: a.Next})
		}
		t.normalize()
		n.types = append(n.types, t)
	}
	n.findLast()
	*g = n
	return nil
}

// check reports an index that is out of range, or a weight that is none.
func (in *grammarJSON) check() error {
	if len(in.Types) == 0 || len(in.Types[0].Alts) != 1 {
		return errors.New("it has no root")
	}
	if len(in.FamilyOf) != len(in.Constructors) {
		return errors.New("it lacks families of constructors")
	}
	for _, f := range in.FamilyOf {
		if f < 0 || f >= len(in.Families) {
			return fmt.Errorf("it has no family %d", f)
		}
	}
	for i, t := range in.Types {
		if t.Family < 0 || t.Family >= len(in.Families) || len(t.Alts) == 0 || len(t.Alts) != len(in.Families[t.Family].Tags) && i > 0 {
			return fmt.Errorf("type %d does not fit its family", i)
		}
		if t.Self < -1 || t.Self >= len(t.Alts) {
			return fmt.Errorf("type %d has no alternative %d", i, t.Self)
		}
		for _, a := range t.Alts {
			if (a.Constructor == -1) != (i == 0) || a.Constructor < -1 || a.Constructor >= len(in.Constructors) {
				return fmt.Errorf("type %d has a constructor %d", i, a.Constructor)
			}
			if !(a.Weight >= 0) || math.IsInf(a.Weight, 1) {
				return fmt.Errorf("type %d has a weight %v", i, a.Weight)
			}
			follow := a.Kids
			if a.Next != -1 {
				follow = append([]int{a.Next}, follow...)
			}
			for _, k := range follow {
				if k < 1 || k >= len(in.Types) {
					return fmt.Errorf("type %d leads to a type %d", i, k)
				}
			}
		}
	}
	return nil
}

// familyOf returns the [choices.Family] of alternatives.
func familyOf(tags []string) uint16 {
	alts := make([]choices.Alt, len(tags))
	for i, tag := range tags {
		alts[i] = choices.MakeAlt(tag, 0)
	}
	return choices.Family(alts)
}
