package bigen

import (
	"encoding/binary"
	"fmt"
	"math/big"
)

// BigInt makes a new integer of at most maxBits bits and a sign. Of random integers,
// half fit in an int64, a quarter are powers of two and their neighbors, and a
// quarter mostly have some hundreds of bits. It panics unless 0 <= maxBits <= 1<<20.
func BigInt(maxBits int) Gen[*big.Int] {
	if maxBits < 0 || maxBits > 1<<20 {
		panic(fmt.Sprintf("bigen.BigInt: %d bits, want 0 to 1<<20", maxBits))
	}
	if maxBits <= 63 {
		return smallBigInt(maxBits, maxBits)
	}
	return Pick(
		Tag("small", smallBigInt(63, maxBits)).Weight(2),
		Tag("large", largeBigInt(maxBits)),
		Tag("power", nearPower(maxBits)),
	)
}

// smallBigInt makes integers of at most n bits, as part of the integers of maxBits.
func smallBigInt(n, maxBits int) Gen[*big.Int] {
	limit := int64(1<<n - 1)
	return view(edgeRange(-limit, limit), big.NewInt, func(v *big.Int) (int64, bool) {
		if v == nil || v.BitLen() > n {
			return 0, false
		}
		return v.Int64(), true
	}, notBigInt(maxBits))
}

// notBigInt says why an integer is not one of at most maxBits bits.
func notBigInt(maxBits int) func(*big.Int) string {
	return func(n *big.Int) string {
		if n == nil {
			return "is nil"
		}
		return fmt.Sprintf("%d bits, more than %d", n.BitLen(), maxBits)
	}
}

type signedWords struct {
	Neg   bool
	Words []uint64 // least first
}

func largeBigInt(maxBits int) Gen[*big.Int] {
	gen := Struct(func(c *C, s *signedWords) {
		At(c, &s.Neg, Bool())
		At(c, &s.Words, SliceOf(Int[uint64](), 0, (maxBits+63)/64))
	})
	to := func(s signedWords) *big.Int {
		b := make([]byte, 8*len(s.Words))
		for i, w := range s.Words {
			binary.BigEndian.PutUint64(b[len(b)-8*(i+1):], w)
		}
		n := new(big.Int).SetBytes(b)
		for i := n.BitLen() - 1; i >= maxBits; i-- {
			n.SetBit(n, i, 0)
		}
		return withSign(n, s.Neg)
	}
	return view(gen, to, func(n *big.Int) (s signedWords, ok bool) {
		if n == nil || n.BitLen() > maxBits {
			return s, false
		}
		s.Neg = n.Sign() < 0
		s.Words = make([]uint64, (n.BitLen()+63)/64)
		b := n.FillBytes(make([]byte, 8*len(s.Words)))
		for i := range s.Words {
			s.Words[i] = binary.BigEndian.Uint64(b[len(b)-8*(i+1):])
		}
		return s, true
	}, notBigInt(maxBits))
}

// signedPower is 1<<Exponent + Near, or its negative.
type signedPower struct {
	Neg            bool
	Exponent, Near int
}

func (s signedPower) int() *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), uint(s.Exponent))
	return withSign(n.Add(n, big.NewInt(int64(s.Near))), s.Neg)
}

func nearPower(maxBits int) Gen[*big.Int] {
	gen := Struct(func(c *C, s *signedPower) {
		At(c, &s.Neg, Bool())
		At(c, &s.Exponent, edgeRange(0, maxBits-1))
		At(c, &s.Near, IntRange(-1, 1))
	})
	return view(gen, signedPower.int, func(n *big.Int) (signedPower, bool) {
		if n == nil {
			return signedPower{}, false
		}
		power := new(big.Int)
		for _, near := range []int{0, 1, -1} {
			power.Sub(power.Abs(n), big.NewInt(int64(near)))
			if k := power.BitLen() - 1; power.Sign() > 0 && k < maxBits &&
				power.TrailingZeroBits() == uint(k) {
				return signedPower{n.Sign() < 0, k, near}, true
			}
		}
		return signedPower{}, false
	}, notBigInt(maxBits))
}

// withSign negates n if neg is set. A zero it returns as new(big.Int), since equal
// integers should be deeply equal.
func withSign(n *big.Int, neg bool) *big.Int {
	switch {
	case n.Sign() == 0:
		return new(big.Int)
	case neg:
		n.Neg(n)
	}
	return n
}
