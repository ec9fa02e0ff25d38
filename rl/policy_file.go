package rl

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/regular"
)

// The file format of a policy, version 1:
//
//	magic       "espalier policy\x00"
//	version     a byte
//	features    uvarint: policyFeatures
//	points      uvarint: how many; then the choice points, see below
//	rows        uvarint: how many; then of each its key, and
//	            uvarint: the set of its slots, from bit 0 on, not empty; of each slot
//	              a byte: its probability; see thetaOf
//	              a byte: its evidence; see countOf
//	checksum    CRC-32 (IEEE) of all before, four bytes, least first
//
// Choice points and keys are distinct, ascend, and are each written as the uvarint of
// the difference from the one before, the first from 0.
const (
	policyMagic   = "espalier policy\x00"
	policyVersion = 1
	checksumBytes = 4

	maxPolicy = 1 << 18 // bytes of a file
	maxPoints = 1 << 13 // choice points in it; generators have some dozens
)

// points returns the structural choice points in ascending order.
func (p *Policy) points() []uint64 {
	points := make([]uint64, 0, len(p.structural))
	for point := range p.structural {
		points = append(points, point)
	}
	slices.Sort(points)
	return points
}

func (p *Policy) marshal(packed []packedRow) []byte {
	b := append([]byte(policyMagic), policyVersion)
	b = binary.AppendUvarint(b, policyFeatures)
	points := p.points()
	b = binary.AppendUvarint(b, uint64(len(points)))
	last := uint64(0)
	for _, point := range points {
		b = binary.AppendUvarint(b, point-last)
		last = point
	}
	b = binary.AppendUvarint(b, uint64(len(packed)))
	last = 0
	for i := range packed {
		r := &packed[i]
		b = binary.AppendUvarint(b, r.key-last)
		last = r.key
		b = binary.AppendUvarint(b, uint64(r.slots))
		for j := range slots {
			if r.slots>>j&1 == 1 {
				b = append(b, r.theta[j], r.n[j])
			}
		}
	}
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

// fit removes the rows with the least evidence until the file keeps its bound; of equals,
// the ones with the greater keys. In policies that large, even half of the rows make no
// measurable difference.
func (p *Policy) fit() {
	if points := p.points(); len(points) > maxPoints {
		for _, point := range points[maxPoints:] {
			delete(p.structural, point)
		}
	}
	if len(p.marshal(p.packed)) <= maxPolicy {
		return
	}
	best := slices.Clone(p.packed)
	slices.SortFunc(best, func(a, b packedRow) int {
		return cmp.Or(cmp.Compare(b.evidence(), a.evidence()), cmp.Compare(a.key, b.key))
	})
	byKey := func(n int) []packedRow {
		some := slices.Clone(best[:n])
		slices.SortFunc(some, func(a, b packedRow) int { return cmp.Compare(a.key, b.key) })
		return some
	}
	n := sort.Search(len(best), func(n int) bool { return len(p.marshal(byKey(n+1))) > maxPolicy })
	p.packed = byKey(n)
}

// parsePolicy reads the format of a file. It returns an error that says what to do if data is no
// policy, is damaged, or has a later version or other features. It allocates at most about
// 15 MB, whatever data is.
func parsePolicy(data []byte) (*Policy, error) {
	if len(data) == 0 {
		return nil, errors.New("no policy, it is empty")
	}
	if magic := data[:min(len(data), len(policyMagic))]; string(magic) != policyMagic[:len(magic)] {
		return nil, errors.New("not a policy: it begins otherwise")
	}
	const head = len(policyMagic)
	if len(data) > head && data[head] > policyVersion {
		return nil, fmt.Errorf("the policy has format version %d, and this version of Espalier reads none after %d: use the version that saved it, or learn and save it again", data[head], policyVersion)
	}
	end := len(data) - checksumBytes
	switch {
	case len(data) > maxPolicy:
		return nil, fmt.Errorf("the policy is damaged, it has more than %d bytes: restore it, or learn and save it again", maxPolicy)
	case end <= head || data[head] == 0 || binary.LittleEndian.Uint32(data[end:]) != crc32.ChecksumIEEE(data[:end]):
		return nil, errors.New("the policy is damaged, its checksum is wrong: restore it, or learn and save it again")
	}
	r := policyReader{rest: data[head+1 : end]}
	if f := r.number(); r.err == nil && f != policyFeatures {
		return nil, fmt.Errorf("the policy has features of version %d, and this version of Espalier learns those of version %d: learn and save it again", f, policyFeatures)
	}
	p := r.policy()
	if r.err == nil && len(r.rest) > 0 {
		r.fail("%d bytes too many", len(r.rest))
	}
	if r.err != nil {
		return nil, fmt.Errorf("the policy is malformed: %w: learn and save it again", r.err)
	}
	return p, nil
}

// policyReader reads the content of a policy up to the first error.
type policyReader struct {
	rest []byte
	err  error
}

func (r *policyReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
	r.rest = nil
}

func (r *policyReader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.fail("a number is cut or too large")
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *policyReader) byte() uint8 {
	if len(r.rest) == 0 {
		r.fail("it is cut")
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// count reads the number of items that follow.
func (r *policyReader) count(what string, most uint64) int {
	n := r.number()
	if n > most {
		r.fail("%d %s", n, what)
		return 0
	}
	return int(n)
}

// ascending reads the i-th of ascending numbers.
func (r *policyReader) ascending(i int, last uint64) uint64 {
	n := r.number()
	if i > 0 && n == 0 || last+n < last {
		r.fail("keys do not ascend")
	}
	return last + n
}

func (r *policyReader) policy() *Policy {
	points := r.count("choice points", min(maxPoints, uint64(len(r.rest))))
	p := &Policy{structural: make(map[uint64]struct{}, points)}
	last := uint64(0)
	for i := 0; i < points && r.err == nil; i++ {
		last = r.ascending(i, last)
		p.structural[last] = struct{}{}
	}
	n := r.count("rows", uint64(len(r.rest))/4)
	p.packed = make([]packedRow, 0, n)
	last = 0
	for i := 0; i < n && r.err == nil; i++ {
		last = r.ascending(i, last)
		p.packed = append(p.packed, r.row(last))
	}
	p.rows = unpackRows(p.packed)
	return p
}

func (r *policyReader) row(key uint64) packedRow {
	row := packedRow{key: key}
	set := r.number()
	if set == 0 || bits.Len64(set) > slots {
		r.fail("slots %#x", set)
	}
	row.slots = uint16(set)
	for f := row.slots; f != 0; f &= f - 1 {
		i := trailing(f)
		row.theta[i], row.n[i] = r.byte(), r.byte()
		if row.n[i] > maxCountCode {
			r.fail("a count of code %d", row.n[i])
		}
	}
	return row
}

// Save writes p to a file that [LoadPolicy] reads. It creates the directory if necessary
// and replaces an older policy, or an empty file, but returns an error if the file is anything else. The
// file appears whole or not at all, even if the process is killed.
func (p *Policy) Save(file string) error {
	if err := savePolicy(file, p.marshal(p.packed)); err != nil {
		return fmt.Errorf("rl: saving a policy: %w", err)
	}
	return nil
}

func savePolicy(file string, data []byte) error {
	if err := atomicfile.Replaceable(file, policyMagic); err != nil {
		return err
	}
	return atomicfile.Write(file, data)
}

// LoadPolicy reads a file that Save has written. Its error says what to do if the file is no
// policy, is damaged, or is one of a later version of Espalier.
func LoadPolicy(file string) (*Policy, error) {
	b, err := regular.Read(file, maxPolicy)
	if err != nil {
		return nil, fmt.Errorf("rl: %w", err)
	}
	p, err := parsePolicy(b)
	if err != nil {
		return nil, fmt.Errorf("rl: %s: %w", file, err)
	}
	return p, nil
}
