package challenge

import (
	"fmt"
	"math"
	"strconv"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/hash"
)

// magnitudes returns challenges about numbers of a special magnitude.
func magnitudes() []Challenge {
	float := bigen.Float[float64](bigen.NoNaN, bigen.NoInf)
	return []Challenge{
		of("magnitude/large", 0, float, func(x float64) bool { return x >= 1e17 }, "1e+17"),
		of("magnitude/of one", 0, float, func(x float64) bool { return x >= 1e17 && x < 1e18 }, "1e+17"),
		of("magnitude/often", 0, float,
			func(x float64) bool {
				return x >= 1e17 && (x == 1e17 || often(int64(math.Float64bits(x))))
			}, "1e+17"),
		of("magnitude/often, digits", 0, float,
			func(x float64) bool {
				return x >= 1e17 && len(strconv.FormatFloat(x, 'e', -1, 64))%2 == 1
			}, "1e+17"),
		of("magnitude/often, integer", 0, bigen.Int[int64](),
			func(n int64) bool { return n >= 1e17 && (n == 1e17 || often(n)) }, "100000000000000000"),
		of("magnitude/negative", 0, float, func(x float64) bool { return x <= -1e17 && x > -1e20 },
			"-1e+17"),
		of("magnitude/lost", 0, float,
			func(x float64) bool { return math.Abs(x) < 1e300 && x != 0 && x+1 == x }, "1e+16",
			"9.007199254740992e+15"),
		of("magnitude/float32", 0, bigen.Float[float32](bigen.NoNaN, bigen.NoInf),
			func(x float32) bool { return x >= 1e10 }, "1e+10"),
		of("magnitude/sum", 0, bigen.SliceOf(float, 0, 20), func(l []float64) bool {
			s := 0.0
			for _, x := range l {
				s += x
			}
			return s >= 1e17 && s < 1e30
		}, "[1e+17]"),
		of("magnitude/decimal", 0, genDecimal(), LargeDecimal, "1e17"),
	}
}

// often reports true for half of all integers.
func often(n int64) bool { return hash.Mix(uint64(n), 1)%2 == 0 }

// Decimal is N times a power of ten.
type Decimal struct {
	N   int64
	Exp int8
}

// LargeDecimal reports whether a decimal is 1e17 or more.
func LargeDecimal(d Decimal) bool { return d.value() >= 1e17 }

func (d Decimal) value() float64 { return float64(d.N) * math.Pow10(int(d.Exp)) }
func (d Decimal) String() string { return fmt.Sprint(d.N, "e", d.Exp) }

func genDecimal() bigen.Gen[Decimal] {
	return bigen.Struct(func(c *bigen.C, d *Decimal) {
		bigen.At(c, &d.N, bigen.Int[int64]())
		bigen.At(c, &d.Exp, bigen.Int[int8]())
	})
}
