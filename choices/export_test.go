package choices

// TagCode is the code by which the byte format names a tag.
func TagCode(tag string) uint8 { return tagCode(tag) }

// EncodeV1 encodes a tree in version 1 of the byte format.
func EncodeV1(t Tree) []byte { return encodeV1(t) }

// SetRank gives a choice a rank that no run records.
func (c *Choice) SetRank(n int32) { c.rank = n }

// Exact labels a choice by its Mark.
func Exact(c *Choice) string { return c.Mark().String() }
