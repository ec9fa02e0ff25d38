package choices

// Encode returns bytes from which the generator that recorded t records t again; see
// [FromBytes]. They are canonical: if a run on FromBytes(b), for any bytes b, records t, so
// does a run on FromBytes(Encode(t)).
//
// To encode a tree that has been edited, run the generator on [Replay] of it, and encode
// the tree that this run records.
func Encode(t Tree) []byte { return encodeV1(t) }

// FromBytes answers questions from any bytes, without error. It neither changes b nor keeps
// it. codec_v1.go specifies the byte format.
func FromBytes(b []byte) Source { return decodeV1(b, nil) }
