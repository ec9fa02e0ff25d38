package choices

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/espalier-go/espalier/internal/hash"
)

func zigzag(n int64) uint64   { return uint64(n<<1) ^ uint64(n>>63) }
func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

func appendRank(out []byte, n int) []byte {
	for ; n >= moreBit; n >>= 6 {
		out = append(out, moreBit|byte(n&(moreBit-1)))
	}
	return append(out, byte(n))
}

func appendNumber(out []byte, u uint64) []byte {
	for ; u > 0; u >>= digitBits {
		out = append(out, byte(u&(1<<digitBits-1)))
	}
	return out
}

func appendText(out []byte, s string) []byte {
	for _, r := range s {
		if r < runeMark {
			out = append(out, byte(r))
		} else {
			out = append(out, runeMark, byte(r&127), byte(r>>7&127), byte(r>>14&127))
		}
	}
	return out
}

// rank reads a rank from the digits d and returns the digits after it.
func rank(d []byte) (n uint64, rest []byte) {
	for i, x := range d {
		n |= uint64(x&(moreBit-1)) << (6 * i)
		if x < moreBit || i == 9 {
			return n, d[i+1:]
		}
	}
	return n, nil
}

// number reads a number from all of d. Digits beyond 64 bits count, too.
func number(d []byte) uint64 {
	var b [10]byte
	if copy(b[:], d) < len(d) {
		return hashBytes(d)
	}
	u := binary.LittleEndian.Uint64(b[:]) & 0x7f7f7f7f7f7f7f7f // eight digits, pushed together
	u = u&0x007f007f007f007f | u&0x7f007f007f007f00>>1
	u = u&0x00003fff00003fff | u&0x3fff00003fff0000>>2
	u = u&0x000000000fffffff | u&0x0fffffff00000000>>4
	return u | uint64(b[8])<<56 ^ uint64(b[9])<<63 ^ uint64(b[9]>>1)
}

// text reads at most limit runes from d.
func text(d []byte, limit int) string {
	out := make([]byte, 0, min(len(d), limit))
	for ; limit > 0 && len(d) > 0; limit-- {
		r := rune(d[0])
		n := 1
		if r == runeMark {
			r = 0
			for n < 4 && n < len(d) {
				r |= rune(d[n]) << (digitBits * (n - 1))
				n++
			}
		}
		out, d = utf8.AppendRune(out, r), d[n:]
	}
	return string(out)
}

// hashBytes returns a hash of the length of b and of its first and last eight bytes. It is
// neither 0 nor 1.
func hashBytes(b []byte) uint64 {
	var first, last [8]byte
	copy(first[:], b)
	beyond := len(b) - 8
	copy(last[:], b[beyond&^(beyond>>(bits.UintSize-1)):]) // from 0 if it is negative
	h := hash.Mix(uint64(len(b)), binary.LittleEndian.Uint64(first[:]))
	return hash.Mix(h, binary.LittleEndian.Uint64(last[:])) | 2
}
