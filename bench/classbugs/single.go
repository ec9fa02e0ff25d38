package classbugs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/fuzzext"
)

// A document has links that may lead nowhere.
type document struct {
	Kind  string `bigen:"oneof=text|list|quote|link"`
	To    *host
	Parts []document `bigen:"len=0..3"`
}

type host struct {
	Name string `bigen:"match=[a-z]{1,5}"`
}

func documentRenders(t testing.TB, d document) {
	if s := d.render(); len(s) < d.width() {
		t.Errorf("%q is too short", s)
	}
}

func (d document) render() (s string) {
	switch d.Kind {
	case "link":
		return d.link()
	case "list":
		return d.items()
	case "quote":
		s = strings.Repeat(">", d.width())
	}
	for _, p := range d.Parts {
		s += p.render()
	}
	return s
}

func (d document) items() (s string) {
	for i, p := range d.Parts {
		s += strconv.Itoa(i) + p.render()
	}
	return s
}

func (d document) width() (n int) {
	if d.Kind == "link" {
		return len(d.link())
	}
	for _, p := range d.Parts {
		n += p.width()
	}
	return n
}

func (d document) link() string {
	if d.To == nil && !bug(0) {
		return ""
	}
	return d.To.Name
}

// A stock has how many there are of each thing.
type stock struct {
	Counts map[string]int `bigen:"len=0..6,empty=notnil,range=0..30,key.match=[a-z]{1,3}"`
}

func stockComesBack(t testing.TB, s stock) {
	back := stock{map[string]int{}}
	for name, count := range s.Counts {
		if text := strconv.Itoa(count); !bug(0) || !strings.HasSuffix(text, "0") {
			back.Counts[name], _ = strconv.Atoi(text)
		}
	}
	fuzzext.Equal(t, back, s)
}

// A version has parts of a pre-release.
type version struct {
	Pre []string `bigen:"len=1..4,match=[1-9][0-9]?|[0-9]?[a-z]{1,3}"`
}

func versionParses(t testing.TB, v version) {
	text := "1.0-" + strings.Join(v.Pre, ".")
	for _, part := range strings.Split(text[4:], ".") {
		if _, err := strconv.Atoi(part); part[0] == '0' && (err == nil || bug(0)) {
			t.Fatal(fmt.Errorf("version %q: the number %s has a leading zero", text, part))
		}
	}
}

// A page is a part of a list.
type page struct {
	Offset, Count, Total int `bigen:"range=0..1000"`
}

func pageEnds(t testing.TB, p page) {
	if end := p.Offset + p.Count; end > p.Total && bug(0) {
		t.Errorf("the page ends at %d of %d", end, p.Total)
	}
}

// A task may have parts, which have parts.
type task struct {
	Urgent bool
	Tags   []string `bigen:"len=0..3,oneof=home|work|later"`
	Parts  []task   `bigen:"len=0..3"`
}

func taskClones(t testing.TB, v task) { fuzzext.Equal(t, v.clone(), v) }

func (v task) clone() task {
	if v.Parts = slices.Clone(v.Parts); v.Urgent && bug(0) {
		v.Tags = nil
	}
	for i, p := range v.Parts {
		v.Parts[i] = p.clone()
	}
	return v
}

// Two slots of a calendar overlap, or not.
type slots struct{ A, B slot }

type slot struct {
	Day         time.Weekday `bigen:"range=0..6"`
	Hour, Hours int          `bigen:"range=1..8"`
}

func slotsOverlap(t testing.TB, s slots) {
	if s.A.overlaps(s.B) != s.B.overlaps(s.A) {
		t.Errorf("%v and %v overlap only one way", s.A, s.B)
	}
}

func (s slot) overlaps(with slot) bool {
	return s.Day == with.Day && s.Hour < with.Hour+with.Hours && (bug(0) || with.Hour < s.Hour+s.Hours)
}

func (s slot) String() string {
	return s.Day.String() + []string{" morning", " noon", " evening"}[s.Hour/3]
}
