package chance

// Printable is the number of runes of printable ASCII.
const Printable = 95

// Unusual holds the first and last runes of ranges that code tends to treat specially. No
// two overlap, and none has a rune of printable ASCII.
var Unusual = [][2]rune{
	{0, 0x1F}, {0x7F, 0xFF}, {0x300, 0x36F}, {0x370, 0x3FF}, {0x5D0, 0x5EA},
	{0x2000, 0x206F}, {0x4E00, 0x9FFF}, {0xE000, 0xE0FF}, {0xFFF0, 0xFFFD}, {0x1F300, 0x1F5FF},
}

const (
	// UnusualEvery says that one in so many runes of [Words.Rune] is unusual.
	UnusualEvery = 10

	// FewRunes is the length of an alphabet up to which [Words.RuneOf] draws its runes evenly.
	FewRunes = 256
)

// Rune draws a rune of any text: mostly of printable ASCII.
func (w *Words) Rune() rune {
	if w.Below(UnusualEvery) > 0 {
		return rune(' ' + w.Below(Printable))
	}
	r := Unusual[w.Below(len(Unusual))]
	return r[0] + rune(w.Below(int(r[1]-r[0])+1))
}

// Runes is a set of runes in an order.
type Runes interface {
	Len() int
	At(i int) rune
	Contains(r rune) bool
}

// RuneOf draws a rune of a. If a has few, all are equally likely. If it has many, RuneOf takes the
// rune that Rune draws, if a has it, or else any.
func (w *Words) RuneOf(a Runes) rune {
	if a.Len() > FewRunes {
		if r := w.Rune(); a.Contains(r) {
			return r
		}
	}
	return a.At(w.Below(a.Len()))
}
