package choices

import (
	"encoding/binary"

	"github.com/espalier-go/espalier/internal/hash"
)

func encodeV1(t Tree) []byte {
	e := encoder{out: make([]byte, 0, 4*len(t))}
	for i := range t {
		e.add(i, &t[i])
	}
	return e.out
}

type encoder struct {
	out    []byte
	branch uint64 // path of the pick whose branch is being written
	end    int    // where that branch ends
	outer  []openPick
	join   int // up to this index, the next answer goes into the last record
}

type openPick struct {
	branch uint64
	end    int
}

func (e *encoder) add(i int, c *Choice) {
	for i >= e.end && len(e.outer) > 0 {
		last := len(e.outer) - 1
		e.branch, e.end, e.outer = e.outer[last].branch, e.outer[last].end, e.outer[:last]
	}
	path := subPath(e.branch, c.Slot, c.Index)
	if c.Kind == Pick {
		e.join = 0
		if c.Asked() {
			e.header(path, Pick)
			e.out = append(e.out, hash.TagCode(c.Tag))
			if c.peers > 1 {
				e.out = appendRank(e.out, int(c.rank))
			}
			e.join = i + int(c.Size)
		}
		e.outer = append(e.outer, openPick{e.branch, e.end})
		e.branch, e.end = path, i+int(c.Size)
		return
	}
	if !c.Asked() {
		return
	}
	if i >= e.join {
		e.header(path, c.Kind)
	}
	e.join = 0
	switch c.Kind {
	case Int:
		e.out = appendNumber(e.out, zigzag(c.N))
	case Uint:
		e.out = appendNumber(e.out, uint64(c.N))
	case Text:
		e.out = appendText(e.out, c.Tag)
	}
}

func (e *encoder) header(path uint64, k Kind) {
	e.out = binary.BigEndian.AppendUint16(e.out, header(address(path, k)))
}
