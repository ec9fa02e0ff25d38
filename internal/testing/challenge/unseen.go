package challenge

import (
	"math"
	"net/url"
	"regexp"
	"regexp/syntax"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// Unseen returns challenges of other kinds than the rest. They were written down before their first
// run, so nothing in the minimizer was chosen for them. They have no value that is known to be
// minimal.
func Unseen() []Challenge {
	return slices.Concat(unseenSequences(), unseenGraphs(), unseenTexts(), unseenTimes())
}

func unseenSequences() []Challenge {
	small := bigen.SliceOf(bigen.IntRange(0, 1000), 0, 40)
	signed := bigen.SliceOf(bigen.IntRange(-1000, 1000), 0, 40)
	bytes := bigen.SliceOf(bigen.IntRange[byte](0, 255), 0, 200)
	matrix := bigen.SliceOf(bigen.SliceOf(bigen.IntRange(-9, 9), 0, 6), 0, 6)
	return []Challenge{
		New("unseen/rises five times", small, func(l []int) bool { return rises(l) >= 5 }),
		New("unseen/a window of three sums to more than 1500", signed, func(l []int) bool {
			for i := 2; i < len(l); i++ {
				if l[i-2]+l[i-1]+l[i] > 1500 {
					return true
				}
			}
			return false
		}),
		New("unseen/mean and median differ by 100", signed, func(l []int) bool {
			if len(l) < 3 {
				return false
			}
			sorted := slices.Sorted(slices.Values(l))
			return sum(l)/len(l)-sorted[len(l)/2] > 100
		}),
		New("unseen/majority of a number that is not zero", small, func(l []int) bool {
			return len(l) > 4 && equals(l) >= 2
		}),
		New("unseen/checksum", bytes, func(b []byte) bool {
			n := 0
			for _, x := range b {
				n += int(x)
			}
			return len(b) > 3 && n%64 == 17
		}),
		New("unseen/rows of different lengths", matrix, func(m [][]int) bool {
			for i := 1; i < len(m); i++ {
				if len(m[i]) > len(m[0])+1 {
					return true
				}
			}
			return false
		}),
		New("unseen/trace is negative", matrix, func(m [][]int) bool {
			n := 0
			for i, row := range m {
				if i < len(row) {
					n += row[i]
				}
			}
			return n < -7
		}),
		New("unseen/knapsack", bigen.SliceOf(bigen.ArrayOf[[2]int](bigen.IntRange(1, 50)), 0, 12),
			func(l [][2]int) bool { return greedy(l, 60) < best(l, 60) }),
	}
}

// rises returns how often a number is larger than the one before.
func rises(l []int) (n int) {
	for i := 1; i < len(l); i++ {
		if l[i] > l[i-1] {
			n++
		}
	}
	return n
}

// greedy returns what things of these weights and prices are worth that fit, the dearest for their
// weight first.
func greedy(l [][2]int, room int) (worth int) {
	l = slices.Clone(l)
	sort.Slice(l, func(i, j int) bool { return l[i][1]*l[j][0] > l[j][1]*l[i][0] })
	for _, x := range l {
		if x[0] <= room {
			room, worth = room-x[0], worth+x[1]
		}
	}
	return worth
}

// best returns the most that things which fit are worth.
func best(l [][2]int, room int) int {
	worth := make([]int, room+1)
	for _, x := range l {
		for r := room; r >= x[0]; r-- {
			worth[r] = max(worth[r], worth[r-x[0]]+x[1])
		}
	}
	return worth[room]
}

func unseenGraphs() []Challenge {
	edges := bigen.SliceOf(bigen.ArrayOf[[2]int](bigen.IntRange(0, 9)), 0, 30)
	intervals := bigen.SliceOf(bigen.ArrayOf[[2]int](bigen.IntRange(-500, 500)), 0, 20)
	return []Challenge{
		New("unseen/a cycle of three", edges, func(e [][2]int) bool {
			has := map[[2]int]bool{}
			for _, x := range e {
				has[x] = true
			}
			for x := range has {
				for z := range 10 {
					if x[0] != x[1] && x[1] != z && z != x[0] && has[[2]int{x[1], z}] && has[[2]int{z, x[0]}] {
						return true
					}
				}
			}
			return false
		}),
		New("unseen/a path of four edges", edges, func(e [][2]int) bool {
			for from := range 10 {
				if depthOf(e, from, 0) >= 4 {
					return true
				}
			}
			return false
		}),
		New("unseen/three intervals share a point", intervals, func(l [][2]int) bool {
			for _, x := range l {
				n := 0
				for _, y := range l {
					if y[0] <= x[0] && x[0] < y[1] {
						n++
					}
				}
				if n >= 3 {
					return true
				}
			}
			return false
		}),
		New("unseen/points nearly on a line",
			bigen.ArrayOf[[3][2]int](bigen.ArrayOf[[2]int](bigen.IntRange(-1000, 1000))),
			func(p [3][2]int) bool {
				area := (p[1][0]-p[0][0])*(p[2][1]-p[0][1]) - (p[2][0]-p[0][0])*(p[1][1]-p[0][1])
				return p[0] != p[1] && p[1] != p[2] && p[0] != p[2] && area > -2000 && area < 2000
			}),
		New("unseen/a book of two shelves",
			bigen.MapOf(bigen.IntRange(0, 9), bigen.SetOf(bigen.IntRange(0, 20), 0, 6), 0, 6),
			func(m map[int]map[int]struct{}) bool {
				shelves := map[int]int{}
				for _, books := range m {
					for b := range books {
						if shelves[b]++; shelves[b] > 1 && b > 3 {
							return true
						}
					}
				}
				return false
			}),
	}
}

// depthOf returns how long a path of edges to larger nodes is that begins at a node.
func depthOf(e [][2]int, from, depth int) int {
	most := depth
	for _, x := range e {
		if x[0] == from && x[1] > from {
			most = max(most, depthOf(e, x[1], depth+1))
		}
	}
	return most
}

func unseenTexts() []Challenge {
	word := bigen.StringOf(choices.Chars("abcxyz019"), 1, 6)
	text := bigen.String(40)
	pattern := bigen.StringOf(choices.Chars("ab()|*+?[]^-"), 0, 20)
	return []Challenge{
		New("unseen/url that is escaped otherwise", bigen.Struct(func(c *bigen.C, u *url.URL) {
			bigen.At(c, &u.Scheme, bigen.OneOf("http", "https", "file"))
			bigen.At(c, &u.Host, word)
			bigen.At(c, &u.Path, bigen.String(12))
			bigen.At(c, &u.RawQuery, bigen.String(12))
		}), func(u url.URL) bool {
			back, err := url.Parse(u.String())
			return err != nil || back.Path != u.Path && strings.HasPrefix(u.Path, "/")
		}),
		New("unseen/pattern that compiles and matches nothing short", pattern, func(s string) bool {
			re, err := regexp.Compile(s)
			return err == nil && !re.MatchString("") && !re.MatchString("a") && !re.MatchString("b")
		}),
		New("unseen/pattern that is simplified", pattern, func(s string) bool {
			re, err := syntax.Parse(s, syntax.Perl)
			return err == nil && len(re.Simplify().String()) < len(s)-3
		}),
		New("unseen/quoted text is longer by half", text, func(s string) bool {
			return len(strconv.Quote(s)) > 3*len(s)/2+8
		}),
		New("unseen/title case", text, func(s string) bool {
			fields := strings.Fields(s)
			return len(fields) > 1 && slices.ContainsFunc(fields, func(f string) bool {
				return unicode.IsUpper([]rune(f)[0])
			})
		}),
		New("unseen/lines of two lengths", bigen.SliceOf(word, 0, 10), func(l []string) bool {
			return len(l) > 2 && len(l[0]) == 2*len(l[len(l)-1]) && l[0][0] == l[len(l)-1][0]
		}),
	}
}

func unseenTimes() []Challenge {
	span := bigen.ArrayOf[[2]int64](bigen.IntRange[int64](-1<<40, 1<<40))
	return []Challenge{
		New("unseen/more than a year and a day apart", span, func(s [2]int64) bool {
			return s[1]-s[0] > 366*24*3600
		}),
		New("unseen/durations of which one is a multiple", span, func(s [2]int64) bool {
			a, b := time.Duration(s[0]), time.Duration(s[1])
			return a > time.Second && b > a && b.Truncate(time.Second)/a.Truncate(time.Second) >= 3
		}),
		New("unseen/dates of different years", span, func(s [2]int64) bool {
			return time.Unix(s[0]/64, 0).UTC().Year() > time.Unix(s[1]/64, 0).UTC().Year()+2
		}),
		New("unseen/hypotenuse", bigen.ArrayOf[[2]float64](bigen.FloatRange(-1e6, 1e6)),
			func(f [2]float64) bool { return math.Hypot(f[0], f[1]) > 1.2e6 }),
		New("unseen/product of floats", bigen.ArrayOf[[2]float64](bigen.FloatRange(0, 1e6)),
			func(f [2]float64) bool { return f[0]*f[1] > 1e9 }),
	}
}
