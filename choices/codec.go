package choices

// Encode returns bytes from which the generator that recorded t records t again; see
// [FromBytes]. They are canonical: if a run on FromBytes(b), for any bytes b, records t, so
// does a run on FromBytes(Encode(t)).
//
// To encode a tree that has been edited, run the generator on [Replay] of it, and encode
// the tree that this run records.
func Encode(t Tree) []byte { return formats[0].encode(t) }

// FromBytes answers questions from any bytes, without error. It neither changes b nor keeps
// it. codec_v1.go specifies the byte format.
func FromBytes(b []byte) Source { return decode(b, nil) }

// decode is [FromBytes]. Unless told is nil, the source records there how it drew each
// answer that b leaves open.
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

// formats lists the versions, the newest first. Encode writes the newest. decode reads
// bytes with the first version that claims them. Version 1 claims all.
var formats = [...]format{{func([]byte) bool { return true }, encodeV1, decodeV1}}
