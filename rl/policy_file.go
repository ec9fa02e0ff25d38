package rl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/espalier-go/espalier/internal/safefile"
)

// policyJSON is the file of a policy, version 2. Choice points and the keys of rows are distinct,
// and ascend. Version 1 was binary.
type policyJSON struct {
	Format   string     `json:"format"` // policyFormat
	Version  int        `json:"version"`
	Features int        `json:"features"` // policyFeatures
	Points   []uint64   `json:"points,omitempty"`
	Rows     []savedRow `json:"rows,omitempty"`
}

const (
	policyFormat  = "espalier policy"
	policyMark    = `{"format":"` + policyFormat + `"` // a file begins with it
	policyVersion = 2

	maxPolicy = 1 << 22 // bytes of a file
	maxRows   = 1 << 13
	maxPoints = 1 << 13 // choice points; generators have a few dozen
)

func (p *Policy) marshal() []byte {
	b, err := json.Marshal(policyJSON{policyFormat, policyVersion, policyFeatures, p.points, p.saved})
	if err != nil {
		panic(err) // rows have numbers only
	}
	return append(bytes.ReplaceAll(b, []byte(`{"key":`), []byte("\n"+`{"key":`)), '\n')
}

// parsePolicy reads the format of a file. If data is not a policy, is damaged, or has another
// version or other features, the error says what to do. It allocates memory in proportion to the
// length of data.
func parsePolicy(data []byte) (*Policy, error) {
	var in policyJSON
	err := json.Unmarshal(data, &in)
	switch {
	case len(data) == 0:
		return nil, errors.New("no policy, it is empty")
	case bytes.HasPrefix(data, []byte(policyFormat)):
		return nil, errors.New("the policy is of an earlier version of Espalier: remove it, " +
			"then learn and save it again")
	case in.Format != policyFormat && !bytes.HasPrefix(data, []byte(policyMark)):
		return nil, errors.New(`not a policy, whose format is "` + policyFormat + `"`)
	case err != nil:
		return nil, fmt.Errorf("the policy is damaged, %w: restore it, or learn and save it again", err)
	case in.Version < policyVersion:
		return nil, fmt.Errorf("the policy has format version %d, which is none: restore it, or "+
			"learn and save it again", in.Version)
	case in.Version > policyVersion:
		return nil, fmt.Errorf("the policy has format version %d, and this version of Espalier "+
			"reads none after %d: use the version that saved it, or learn and save it again",
			in.Version, policyVersion)
	case in.Features != policyFeatures:
		return nil, fmt.Errorf("the policy has features of version %d, and this version of "+
			"Espalier learns version %d: learn and save it again", in.Features, policyFeatures)
	}
	if err := in.check(); err != nil {
		return nil, fmt.Errorf("the policy is malformed: %w: learn and save it again", err)
	}
	return newPolicy(in.Points, in.Rows), nil
}

// check returns an error if the data cannot be a policy.
func (in *policyJSON) check() error {
	if len(in.Points) > maxPoints || len(in.Rows) > maxRows {
		return fmt.Errorf("%d choice points, %d rows", len(in.Points), len(in.Rows))
	}
	for i := range in.Points {
		if i > 0 && in.Points[i] <= in.Points[i-1] {
			return errors.New("choice points do not ascend")
		}
	}
	for i := range in.Rows {
		if i > 0 && in.Rows[i].Key <= in.Rows[i-1].Key {
			return errors.New("keys do not ascend")
		}
		if err := in.Rows[i].check(); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error if the data cannot be a row.
func (r *savedRow) check() error {
	if len(r.Slots) == 0 || len(r.Theta) != len(r.Slots) || len(r.N) != len(r.Slots) {
		return fmt.Errorf("a row of %d slots, %d probabilities, %d counts", len(r.Slots),
			len(r.Theta), len(r.N))
	}
	for j, slot := range r.Slots {
		p, n := r.Theta[j], r.N[j]
		if slot < 0 || slot >= slots || !(p >= 0 && p <= 1) || !(n >= priorN && n <= forget) {
			return fmt.Errorf("slot %d with probability %v, count %v", slot, p, n)
		}
	}
	return nil
}

// Save writes p to a file that [LoadPolicy] reads. It creates the directory if necessary. It
// replaces an older policy or an empty file, but returns an error if the file is anything else. The
// file appears whole or not at all, even if the process is killed.
func (p *Policy) Save(file string) error {
	err := safefile.Replaceable(file, policyMark)
	if err == nil {
		err = safefile.Write(file, p.marshal())
	}
	if err != nil {
		return fmt.Errorf("rl: saving a policy: %w", err)
	}
	return nil
}

// LoadPolicy reads a file that Save has written. If the file is not a policy, is damaged, or
// belongs to another version of Espalier, the error says what to do.
func LoadPolicy(file string) (*Policy, error) {
	b, err := safefile.Read(file, maxPolicy)
	if err != nil {
		return nil, fmt.Errorf("rl: %w", err)
	}
	p, err := parsePolicy(b)
	if err != nil {
		return nil, fmt.Errorf("rl: %s: %w", file, err)
	}
	return p, nil
}
