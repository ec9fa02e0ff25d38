package job

import (
	"encoding/json"

	"github.com/espalier-go/espalier/choices"
)

// A Tree is a [choices.Tree] in an answer. It keeps what measures of trees read: all but what
// only the byte format needs.
type Tree choices.Tree

// A choice is a choice in an answer. Names are short: a corpus has millions.
type choice struct {
	Kind   choices.Kind `json:"k,omitempty"`
	Family uint16       `json:"f,omitempty"`
	Slot   uint32       `json:"s,omitempty"`
	Index  int32        `json:"i,omitempty"`
	Size   int32        `json:"z,omitempty"`
	Tag    string       `json:"t,omitempty"`
	N      int64        `json:"n,omitempty"`
	Lo     int64        `json:"l,omitempty"`
	Hi     int64        `json:"h,omitempty"`

	Element bool `json:"e,omitempty"`
}

// MarshalJSON implements [json.Marshaler].
func (t Tree) MarshalJSON() ([]byte, error) {
	rows := make([]choice, len(t))
	for i, c := range t {
		rows[i] = choice{c.Kind, c.Family, c.Slot, c.Index, c.Size, c.Tag, c.N, c.Lo, c.Hi, c.Element}
	}
	return json.Marshal(rows)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (t *Tree) UnmarshalJSON(b []byte) error {
	var rows []choice
	if err := json.Unmarshal(b, &rows); err != nil {
		return err
	}
	*t = make(Tree, len(rows))
	for i, r := range rows {
		(*t)[i] = choices.Choice{
			Kind:    r.Kind,
			Family:  r.Family,
			Slot:    r.Slot,
			Index:   r.Index,
			Size:    r.Size,
			Tag:     r.Tag,
			N:       r.N,
			Lo:      r.Lo,
			Hi:      r.Hi,
			Element: r.Element,
		}
	}
	return nil
}
