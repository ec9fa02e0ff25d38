package bigen_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
)

// Types to derive generators for.
type (
	basics struct {
		B    bool
		I    int
		I8   int8
		I16  int16
		I32  int32
		I64  int64
		U    uint
		U8   uint8
		U16  uint16
		U32  uint32
		U64  uint64
		P    uintptr
		F32  float32
		F64  float64
		C64  complex64
		C128 complex128
		S    string
		D    time.Duration
		N    named
	}
	named int16
	texts []label
	label string
	parts struct {
		embedded
		*Shared
		Bytes  []byte
		ID     [4]byte
		Grid   [2][3]int8
		Ptr    **bool
		Rows   [][]uint16
		Counts map[label]int
		Sets   map[[2]bool]map[int8]struct{}
		_      int
		None   [0]func()
		Empty  struct{}
	}
	embedded struct{ X, Y int8 }
	Shared   struct{ Z bool }

	chain struct {
		Head int8
		Tail *chain
	}
	fork struct {
		L *fork
		X int8
		R *fork
	}
	bush struct {
		Name string
		Kids []*bush
	}
	triple struct{ A, B, C []triple }
	nest   []nest
	dict   map[string]dict
	link   *link

	file struct {
		Name string
		Size uint16
	}
	folder struct {
		Name    string
		Entries []entry
	}
	entry interface{ isEntry() }

	even3 struct{ Next *odd3 }
	odd3  struct {
		Next  *even3
		Other map[bool]even3
	}

	tagged struct {
		Port    uint16        `bigen:"range=1024.."`
		Delta   int8          `bigen:"range=-5..5"`
		Wait    time.Duration `bigen:"range=1s..1m"`
		Mode    label         `bigen:"oneof=|fast|slow"`
		Prime   *int          `bigen:"nonnil,oneof=2|3|5|7"`
		Rate    float64       `bigen:"oneof=0.5|1"`
		Words   texts         `bigen:"len=1..3"`
		Nums    []*int        `bigen:"len=2..4,nonnil,range=0..9"`
		Index   map[int8]bool `bigen:"len=1..5"`
		Code    string        `bigen:"len=3..6"`
		Raw     []byte        `bigen:"len=2..2"`
		Dir     entry         `bigen:"nonnil"`
		Ignored func()        `bigen:"-"`
		cache   map[int]int   `bigen:"-"`
	}

	// leveled has tags for several levels and for keys, and leaves open what is empty.
	leveled struct {
		Rows   [][]int8                     `bigen:"len=1..3;0..2,range=0..9"`
		Names  []string                     `bigen:"len=..2;2..3"`
		Any    [][]string                   `bigen:"len=;1..2"`
		Ages   map[string]*uint8            `bigen:"key.len=1..4,len=1..3,nonnil,range=1..120"`
		Codes  map[label][]map[int8]float64 `bigen:"key.oneof=a|b|c,len=;..2;1..2,oneof=0.5|1"`
		Groups []map[int16]bool             `bigen:"len=;..2,empty=;notnil,key.range=-3..3"`
		Either [][]byte                     `bigen:"empty=ornil;ornil"`
		Map    map[bool]dict                `bigen:"empty=ornil"`
		Old    []bool                       `bigen:"empty=nil"`
		Words  map[string]bool              `bigen:"empty=notnil,key.match=[a-c]+"`
	}

	// marked has unexported fields of size zero, by which a type says that it is not to be
	// compared.
	marked struct {
		X    int8
		mark [0]func()
		seal struct{}
	}

	// hidden keeps its order in fields that are not exported.
	hidden struct{ lo, hi int8 }
)

func (file) isEntry()    {}
func (*folder) isEntry() {}

var variants = bigen.Variants[entry](nil, (*folder)(nil), file{})

func newHidden(ends [2]int8) hidden {
	return hidden{min(ends[0], ends[1]), max(ends[0], ends[1])}
}

func (h hidden) ends() ([2]int8, bool) { return [2]int8{h.lo, h.hi}, h.lo <= h.hi }

func (v tagged) valid() bool {
	within := func(n, lo, hi int) bool { return lo <= n && n <= hi }
	for _, n := range v.Nums {
		if n == nil || !within(*n, 0, 9) {
			return false
		}
	}
	return v.Port >= 1024 && within(int(v.Delta), -5, 5) && time.Second <= v.Wait &&
		v.Wait <= time.Minute &&
		strings.Contains("||fast|slow|", "|"+string(v.Mode)+"|") &&
		(*v.Prime == 2 || *v.Prime == 3 || *v.Prime == 5 || *v.Prime == 7) &&
		(v.Rate == 0.5 || v.Rate == 1) &&
		within(len(v.Words), 1, 3) && within(len(v.Nums), 2, 4) && within(len(v.Index), 1, 5) &&
		within(utf8.RuneCountInString(v.Code), 3, 6) && len(v.Raw) == 2 && v.Dir != nil &&
		v.Ignored == nil && v.cache == nil
}

func (v leveled) valid() bool {
	within := func(n, lo, hi int) bool { return lo <= n && n <= hi }
	for _, row := range v.Rows {
		for _, n := range row {
			if !within(int(n), 0, 9) {
				return false
			}
		}
		if !within(len(row), 0, 2) {
			return false
		}
	}
	for _, s := range v.Names {
		if !within(utf8.RuneCountInString(s), 2, 3) {
			return false
		}
	}
	for _, ss := range v.Any {
		if !within(len(ss), 1, 2) {
			return false
		}
	}
	for k, age := range v.Ages {
		if !within(utf8.RuneCountInString(k), 1, 4) || age == nil || !within(int(*age), 1, 120) {
			return false
		}
	}
	for k, list := range v.Codes {
		for _, m := range list {
			for _, f := range m {
				if f != 0.5 && f != 1 {
					return false
				}
			}
			if !within(len(m), 1, 2) {
				return false
			}
		}
		if !within(len(list), 0, 2) || !strings.Contains("abc", string(k)) {
			return false
		}
	}
	for _, m := range v.Groups {
		for k := range m {
			if !within(int(k), -3, 3) {
				return false
			}
		}
		if m == nil || len(m) > 2 {
			return false
		}
	}
	for k := range v.Words {
		if strings.Trim(k, "abc") != "" {
			return false
		}
	}
	return within(len(v.Rows), 1, 3) && within(len(v.Names), 0, 2) &&
		within(len(v.Ages), 1, 3) && v.Words != nil && (v.Old == nil || len(v.Old) > 0)
}

// noNilInside reports whether a JSON value has no nil slice or map.
// survivesJSON reports whether JSON decodes to v what it encodes v to.
func survivesJSON(v any) bool {
	b, err := json.Marshal(v)
	var w any
	return err == nil && json.Unmarshal(b, &w) == nil && reflect.DeepEqual(v, w)
}

func init() {
	laws = append(laws,
		lawful("For/basic types", bigen.For[basics](), always),
		lawful("For/unexported, of size zero", bigen.For[marked](), func(m marked) bool {
			return len(m.mark) == 0 && m.seal == struct{}{}
		}),
		lawful("For/bool", bigen.For[bool](), always),
		lawful("For/text", bigen.For[texts](), always),
		lawful("For/parts", bigen.For[parts](), always),
		lawful("For/list", bigen.For[*chain](), always),
		lawful("For/tree", bigen.For[*fork](), always),
		lawful("For/rose tree", bigen.For[*bush](), always),
		lawful("For/slices of itself", bigen.For[triple](), always),
		lawful("For/slice of itself", bigen.For[nest](), always),
		lawful("For/map of itself", bigen.For[dict](), always),
		lawful("For/pointer to itself", bigen.For[link](), always),
		lawful(
			"For/pointers",
			bigen.For[any](bigen.Variants[any](0, (*any)(nil), (**any)(nil), []*any(nil))), always,
		),
		lawful("For/mutual recursion", bigen.For[even3](), always),
		lawful("For/tags", bigen.For[tagged](variants), tagged.valid),
		lawful("For/levels", bigen.For[leveled](), leveled.valid),
		lawful("For/or nil", bigen.For[nest](bigen.EmptyOrNil()), always),
		lawful("For/map or nil", bigen.For[dict](bigen.EmptyOrNil()), always),
		lawful("For/parts or nil", bigen.For[parts](bigen.EmptyOrNil()), always),
		lawful("JSON", bigen.JSON(), survivesJSON),
		lawful("WithTag", bigen.For[map[string][][]int](
			bigen.WithTag("key.len=1..2,len=1..3;;1..2,range=0..9,empty=;notnil"),
		), func(m map[string][][]int) bool {
			for k, rows := range m {
				for _, row := range rows {
					if len(row) < 1 || len(row) > 2 || row[0] < 0 || row[0] > 9 {
						return false
					}
				}
				if rows == nil || utf8.RuneCountInString(k) < 1 || utf8.RuneCountInString(k) > 2 {
					return false
				}
			}
			return 1 <= len(m) && len(m) <= 3
		}),
		lawful(
			"For/any",
			bigen.For[any](
				bigen.Variants[any](nil, false, 0.0, "", []any(nil), map[string]any(nil)),
			),
			always,
		),
		lawful("Variants", bigen.For[entry](variants), always),
		lawful(
			"Variants/keys", bigen.For[map[any]int8](bigen.Variants[any](nil, 0, "", [2]bool{})),
			always,
		),
		lawful("With", bigen.For[map[string][]span](
			bigen.With(genSpan), bigen.With(bigen.String(2)),
		), func(m map[string][]span) bool {
			for k, v := range m {
				for _, s := range v {
					if s.From > s.To || utf8.RuneCountInString(k) > 2 {
						return false
					}
				}
			}
			return true
		}),
		lawful("Construct", bigen.For[map[hidden]*hidden](
			bigen.Construct(newHidden, hidden.ends),
		), func(m map[hidden]*hidden) bool {
			for k, v := range m {
				if k.lo > k.hi || v != nil && v.lo > v.hi {
					return false
				}
			}
			return true
		}),
		lawful("Field", bigen.For[parts](
			bigen.Field(func(p *parts) *int8 { return &p.embedded.X }, bigen.IntRange[int8](3, 5)),
			bigen.Field(func(p *parts) **Shared { return &p.Shared }, bigen.Nil[Shared]()),
		), func(p parts) bool { return 3 <= p.X && p.X <= 5 && p.Shared == nil }),
		lawful("Unexported", bigen.For[[]hidden](bigen.Unexported[hidden]()), always),
	)
}
