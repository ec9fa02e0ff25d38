package seqbugs

import "github.com/bits-and-blooms/bitset"

// A Bits is a bitset, which marshals itself. Planted by "bits marshal": of three bits or more,
// those from 128 on are lost. Planted by "bits count": after the bits have been counted, a bit
// that is flipped off still counts.
type Bits struct {
	set     *bitset.BitSet
	counted bool
	more    uint
}

// NewBits returns an empty set.
func NewBits() *Bits { return &Bits{set: bitset.New(0)} }

// Set sets bit i.
func (b *Bits) Set(i uint) {
	called("")
	b.set.Set(i)
}

// Clear clears bit i.
func (b *Bits) Clear(i uint) {
	called("")
	b.set.Clear(i)
}

// Flip changes bit i.
func (b *Bits) Flip(i uint) {
	if called("bits count") && b.counted && b.set.Test(i) {
		b.more++
	}
	b.set.Flip(i)
}

// Test returns bit i.
func (b *Bits) Test(i uint) bool {
	called("")
	return b.set.Test(i)
}

// Count returns how many bits are set.
func (b *Bits) Count() uint {
	called("")
	b.counted = true
	return b.set.Count() + b.more
}

// Reload marshals the set and unmarshals it.
func (b *Bits) Reload() error {
	if called("bits marshal") && b.set.Count() >= 3 {
		for i := uint(128); i < b.set.Len(); i++ {
			b.set.Clear(i)
		}
	}
	data, err := b.set.MarshalBinary()
	if err != nil {
		return err
	}
	b.set = &bitset.BitSet{}
	return b.set.UnmarshalBinary(data)
}
