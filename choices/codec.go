package choices

// Encode returns the bytes whose decoding, with the generator that recorded t,
// repeats t. They are canonical: for any bytes b, encoding the tree that a run on
// FromBytes(b) records gives e, and a run on FromBytes(e) records the same tree.
//
// A tree that an edit has changed must be run through [Replay] first, and the
// tree recorded by that run encoded.
func Encode(t Tree) []byte { return formats[0].encode(t) }

// FromBytes answers questions from any bytes, without error: see the comment on
// the byte format in codec_v1.go. It does not change b, nor keep it.
func FromBytes(b []byte) Source { return decode(b, nil) }

// decode is [FromBytes]. Unless told is nil, the source says there how it drew what b
// leaves open.
func decode(b []byte, told *drawn) Source {
	i := 0
	for !formats[i].reads(b) {
		i++
	}
	return formats[i].decode(b, told)
}

// A format is one version of the byte format.
type format struct {
	reads  func(b []byte) bool // whether b is of this version
	encode func(t Tree) []byte
	decode func(b []byte, told *drawn) Source
}

// formats lists the versions, the newest first. Encode writes that one; decode reads
// bytes as the first version that claims them. Version 1 claims all that are left.
var formats = [...]format{formatV1}
