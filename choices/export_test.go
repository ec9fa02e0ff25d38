package choices

// EncodeV1 encodes a tree in version 1 of the byte format.
func EncodeV1(t Tree) []byte { return encodeV1(t) }

// SetRank gives a choice a rank that no run records.
func (c *Choice) SetRank(n int32) { c.rank = n }
