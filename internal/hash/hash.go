// Package hash holds the hash functions of this repository.
//
// Their values are part of the byte format, of slots and of the order in which things
// are tried: they must never change.
package hash

// Mix returns a hash of h and x.
func Mix(h, x uint64) uint64 {
	h = (h ^ x) * 0xBF58476D1CE4E5B9
	h = (h ^ h>>30) * 0x94D049BB133111EB
	return h ^ h>>31
}

// FNV64 returns the 64-bit FNV-1a hash of s.
func FNV64[T string | []byte](s T) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// FNV32 returns the 32-bit FNV-1a hash of s.
func FNV32(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// TagCode returns the code of a tag, a hash of 7 bits by which the byte format names it.
func TagCode(tag string) uint8 {
	h := FNV32(tag)
	return uint8((h ^ h>>15) * 0x2C1B3C6D >> (32 - 7))
}

// SubSlot returns the slot of a part, known by its name or the hash of one, of what is in
// slot. The slot of the branch of a pick is 0. If two slots are equal by accident, an edit or
// a corpus of a changed generator is less accurate, nothing else.
func SubSlot(slot, name uint32) uint32 { return slot*0x9E3779B1 + name + 1 }
