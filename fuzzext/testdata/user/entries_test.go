package user

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	"golang.org/x/exp/slices"
)

// Each of these properties has one bug, unless its comment says something else.

func TestOdd(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(-1000000, 1000000), func(t *fuzzext.T, n int) {
		if n%2 != 0 {
			t.Errorf("wrong")
		}
	})
}

func TestRemainder(t *testing.T) {
	fuzzext.Check(t, bigen.For[int32](), func(t *fuzzext.T, n int32) {
		if n%3 == 2 {
			t.Errorf("%d", n)
		}
	})
}

// Minimizing is stuck where one factor can only go down if the other one goes up.
func TestArea(t *testing.T) {
	type rect struct{ W, H uint16 }
	fuzzext.Check(t, bigen.For[rect](), func(t *fuzzext.T, r rect) {
		if area := r.W * r.H; area != 0 && uint32(r.W)*uint32(r.H) > 0xFFFF {
			t.Errorf("area %d", area)
		}
	})
}

func TestDuplicate(t *testing.T) {
	fuzzext.Check(t, bigen.SliceOf(bigen.IntRange(-1000, 1000), 0, 20), func(t *fuzzext.T, v []int) {
		s := inOrder(v)
		for i := 1; i < len(s); i++ {
			if s[i] == s[i-1] {
				t.Errorf("%d twice", s[i])
			}
		}
	})
}

func TestEnds(t *testing.T) {
	fuzzext.Check(t, bigen.SliceOf(bigen.OneOf("get", "put", "del", "scan"), 1, 6), func(t *fuzzext.T, v []string) {
		if len(v) > 2 && v[0] == v[len(v)-1] {
			t.Errorf("after %s the store is locked", strings.Join(v, " then "))
		}
	})
}

func TestUpper(t *testing.T) {
	fuzzext.Check(t, bigen.String(20), func(t *fuzzext.T, s string) {
		if strings.ToLower(s) != s {
			t.Error(errors.New("not lower: " + s))
		}
	})
}

// The message has words that are computed from the value.
func TestSpelled(t *testing.T) {
	words := []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}
	fuzzext.Check(t, bigen.For[uint16](), func(t *fuzzext.T, n uint16) {
		if n > 40 {
			s := ""
			for _, d := range fmt.Sprint(n) {
				s += words[d-'0'] + " "
			}
			t.Error(s + "is too much")
		}
	})
}

type node struct {
	Op   string
	N    int
	Kids []node
	Ref  *int
}

func (n node) eval() (sum int) {
	switch n.Op {
	case "":
		return n.N
	case "ref":
		return *n.Ref
	}
	for _, k := range n.Kids {
		switch n.Op {
		case "add":
			sum += k.eval()
		case "mul":
			sum += k.product()
		default:
			sum += k.negated()
		}
	}
	return sum
}

func (n node) product() int { return n.eval() }
func (n node) negated() int { return -n.product() }

// A nil dereference is reached through several functions.
func TestDereference(t *testing.T) {
	g := bigen.For[node](bigen.Field(func(n *node) *string { return &n.Op }, bigen.OneOf("", "ref", "add", "mul", "neg")))
	fuzzext.Check(t, g, func(t *fuzzext.T, n node) { _ = n.eval() })
}

type section struct {
	Head  string
	Body  []string
	Boxes []struct {
		Width int8
		Sub   *section
	}
}

func (s *section) narrow() bool {
	if s == nil {
		return true
	}
	for _, b := range s.Boxes {
		if b.Width < 0 || !b.Sub.narrow() {
			return false
		}
	}
	return true
}

// A part fails at any depth.
func TestDepth(t *testing.T) {
	fuzzext.Check(t, bigen.For[[]section](), func(t *fuzzext.T, all []section) {
		for i := range all {
			if !all[i].narrow() {
				t.Errorf("section %q", all[i].Head)
			}
		}
	})
}

// There are two bugs: a key that is only in B, and one that is only in A and has the zero value.
func TestKeys(t *testing.T) {
	type two struct{ A, B map[int]bool }
	fuzzext.Check(t, bigen.For[two](), func(t *fuzzext.T, v two) {
		same := true
		for k := range v.A {
			same = same && v.A[k] == v.B[k]
		}
		if same != maps.Equal(v.A, v.B) {
			t.Errorf("%v, %v", v.A, v.B)
		}
	})
}

type setting struct {
	Name, Title string
	Tags        []string
	Sub         []setting
	Env         map[string]string
}

// A text fails wherever it stands.
func TestAnywhere(t *testing.T) {
	fuzzext.Check(t, bigen.For[map[string]setting](), func(t *fuzzext.T, v map[string]setting) {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]setting
		if err := json.Unmarshal(bytes.ReplaceAll(b, []byte(`\u003c`), []byte("lt")), &back); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(v) != fmt.Sprint(back) {
			t.Errorf("%v does not come back", v)
		}
	})
}

// There are two bugs, in floats, which have many neighbors.
func TestFloats(t *testing.T) {
	type rates struct {
		Name  string
		Rate  float32
		Rates []float64
	}
	fuzzext.Check(t, bigen.For[rates](), func(t *fuzzext.T, v rates) {
		if v.Rate > 3e38 || len(v.Rates) > 0 && v.Rates[0] > 1000 {
			t.Error("wrong")
		}
	})
}

// inOrder returns a sorted copy of numbers.
func inOrder(numbers []int) []int {
	s := slices.Clone(numbers)
	slices.Sort(s)
	return s
}

// Words of a message are not the value's only because the value has them, too.
func TestWords(t *testing.T) {
	type conf struct {
		Attrs map[string]int `bigen:"len=1..3,range=0..3,key.oneof=id|name|is|not|size"`
		N     int            `bigen:"range=0..9"`
	}
	fuzzext.Check(t, bigen.For[conf](), func(t *fuzzext.T, c conf) {
		if c.N > 4 {
			t.Error("the size is not what it was")
		}
	})
}

// Bugs in one text, of one number, and beside the length of a text that cannot be empty.
func TestBeside(t *testing.T) {
	type record struct {
		Name string `bigen:"match=[a-z]{1,6}"`
		N    int    `bigen:"range=-5000..5000"`
	}
	type texts struct {
		Record record
		Text   string
	}
	fuzzext.Check(t, bigen.For[texts](), func(t *fuzzext.T, v texts) {
		switch {
		case strings.ContainsAny(v.Text, "\"0A"):
			t.Error("it comes back otherwise")
		case v.Record.N > 50 || v.Record.N < -20 || len(v.Record.Name) > 3:
			t.Error("it is not kept")
		}
	})
}
