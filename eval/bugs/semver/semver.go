// Package semver has bugs of github.com/Masterminds/semver.
package semver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/masterminds-semver"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[query]{
		Name:   "semver/4",
		Title:  "~0.0.0 accepts all versions",
		Source: source,
		Gen:    genQuery,
		Rapid:  rapidQuery,
		Fails: func(q query) string {
			if q.blankBeforeRange() || q.orAtRange() {
				return ""
			}
			return q.mismatch()
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "semver/5",
		Title:  "a range after a comparator and a blank is an error",
		Source: source,
		Gen:    genQuery,
		Rapid:  rapidQuery,
		Fails: func(q query) string {
			if q.tildeZero() || q.orAtRange() {
				return ""
			}
			return q.mismatch()
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "semver/6",
		Title:  "|| without a blank beside a range is an error",
		Source: source,
		Gen:    genQuery,
		Rapid:  rapidQuery,
		Fails: func(q query) string {
			if q.tildeZero() || q.blankBeforeRange() {
				return ""
			}
			return q.mismatch()
		},
	}),
	bug.New(bug.Spec[complement]{
		Name:   "semver/7",
		Title:  "!= of a wildcard accepts versions that = accepts, if these are of prereleases",
		Source: source,
		Gen:    genComplement,
		Rapid:  rapidComplement,
		Fails: func(c complement) string {
			version, err := semver.NewVersion(c.version())
			if err != nil {
				return err.Error()
			}
			equal, err := semver.NewConstraint("= " + c.Of.String())
			other, err2 := semver.NewConstraint("!= " + c.Of.String())
			if err != nil || err2 != nil {
				return fmt.Sprint(err, err2)
			}
			equal.IncludePrerelease, other.IncludePrerelease = true, true
			if equal.Check(version) && other.Check(version) {
				return fmt.Sprintf("%s is both = and != %s", version, c.Of)
			}
			return ""
		},
	}),
}

// A partial is a version of one to three numbers. The wildcard stands for those that it lacks.
type partial struct {
	Numbers  []int
	Wildcard bool
}

func (p partial) String() string {
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Numbers), " ", "."), "[]")
	if p.Wildcard && len(p.Numbers) < 3 {
		text += ".x"
	}
	return text
}

type version [3]int

func (v version) less(w version) bool { return slices.Compare(v[:], w[:]) < 0 }

// from is the first version of a partial one, and to the first beyond it.
func (p partial) from() (v version) {
	copy(v[:], p.Numbers)
	return v
}

func (p partial) to() version { return p.next(len(p.Numbers) - 1) }

// next is the first version that has a larger number.
func (p partial) next(i int) (v version) {
	copy(v[:i+1], p.Numbers)
	v[i]++
	return v
}

// An item is a comparator, or a range.
type item struct {
	Operator string
	Version  partial
	To       *partial // of a range
	Blank    bool     // between it and the item before, else a comma
}

func (i item) String() string {
	if i.To != nil {
		return i.Version.String() + " - " + i.To.String()
	}
	return i.Operator + i.Version.String()
}

// accepts is what the README says.
func (i item) accepts(v version) bool {
	from, to := i.Version.from(), i.Version.to()
	if i.To != nil {
		return !v.less(from) && v.less(i.To.to())
	}
	switch i.Operator {
	case "!=":
		return v.less(from) || !v.less(to)
	case ">":
		return !v.less(to)
	case ">=":
		return !v.less(from)
	case "<":
		return v.less(from)
	case "<=":
		return v.less(to)
	case "~":
		to = i.Version.next(min(1, len(i.Version.Numbers)-1))
	case "^":
		first := slices.IndexFunc(i.Version.Numbers, func(n int) bool { return n > 0 })
		if first < 0 {
			first = len(i.Version.Numbers) - 1
		}
		to = i.Version.next(first)
	}
	return !v.less(from) && v.less(to)
}

// A group is a part of a constraint, of which one must accept a version.
type group struct {
	Items []item
	Glued bool // to the || before it
}

// A query is a constraint and a version.
type query struct {
	Groups  []group
	Version version
}

func (q query) String() string {
	var b strings.Builder
	for i, g := range q.Groups {
		switch {
		case i > 0 && g.Glued:
			b.WriteString("||")
		case i > 0:
			b.WriteString(" || ")
		}
		for j, x := range g.Items {
			switch {
			case j > 0 && x.Blank:
				b.WriteString(" ")
			case j > 0:
				b.WriteString(", ")
			}
			b.WriteString(x.String())
		}
	}
	return b.String()
}

func (q query) mismatch() string {
	constraint, err := semver.NewConstraint(q.String())
	if err != nil {
		return fmt.Sprintf("%s: %v", q, err)
	}
	v := semver.New(uint64(q.Version[0]), uint64(q.Version[1]), uint64(q.Version[2]), "", "")
	want := slices.ContainsFunc(q.Groups, func(g group) bool {
		return !slices.ContainsFunc(g.Items, func(i item) bool { return !i.accepts(q.Version) })
	})
	if got := constraint.Check(v); got != want {
		return fmt.Sprintf("%s accepts %s: %t; want %t", q, v, got, want)
	}
	return ""
}

// tildeZero reports the shape of semver/4.
func (q query) tildeZero() bool {
	return slices.ContainsFunc(q.Groups, func(g group) bool {
		return slices.ContainsFunc(g.Items, func(i item) bool {
			return i.To == nil && i.Operator == "~" && i.Version.from() == version{}
		})
	})
}

// blankBeforeRange reports the shape of semver/5.
func (q query) blankBeforeRange() bool {
	return slices.ContainsFunc(q.Groups, func(g group) bool {
		return slices.ContainsFunc(g.Items[1:], func(i item) bool { return i.To != nil && i.Blank })
	})
}

// orAtRange reports the shape of semver/6.
func (q query) orAtRange() bool {
	for i, g := range q.Groups[1:] {
		before := q.Groups[i].Items
		if g.Glued && (g.Items[0].To != nil || before[len(before)-1].To != nil) {
			return true
		}
	}
	return false
}

// A complement is a version that either is a partial one or is not.
type complement struct {
	Of         partial
	Version    version
	Prerelease string
}

func (c complement) version() string {
	return fmt.Sprintf("%d.%d.%d%s", c.Version[0], c.Version[1], c.Version[2], c.Prerelease)
}

var (
	operators   = []string{"", "=", "!=", ">", ">=", "<", "<=", "~", "^"}
	prereleases = []string{"", "-alpha", "-beta"}
)

const (
	mostNumber = 2
	mostItems  = 3
	mostGroups = 3
)

var (
	genNumber  = bigen.IntRange(0, mostNumber)
	genPartial = bigen.Struct(func(c *bigen.C, p *partial) {
		bigen.At(c, &p.Numbers, bigen.SliceOf(genNumber, 1, 3))
		bigen.At(c, &p.Wildcard, bigen.Bool())
	})
	genVersion = bigen.ArrayOf[version](genNumber)
	genItem    = bigen.Pick(
		bigen.Tag("comparator", bigen.Struct(func(c *bigen.C, i *item) {
			bigen.At(c, &i.Operator, bigen.OneOf(operators...))
			bigen.At(c, &i.Version, genPartial)
			bigen.At(c, &i.Blank, bigen.Bool())
		})),
		bigen.Tag("range", bigen.Struct(func(c *bigen.C, i *item) {
			bigen.At(c, &i.Version, genPartial)
			bigen.At(c, &i.To, bigen.NonNil(genPartial))
			bigen.At(c, &i.Blank, bigen.Bool())
		})),
	)
	genQuery = bigen.Struct(func(c *bigen.C, q *query) {
		bigen.At(c, &q.Groups, bigen.SliceOf(bigen.Struct(func(c *bigen.C, g *group) {
			bigen.At(c, &g.Items, bigen.SliceOf(genItem, 1, mostItems))
			bigen.At(c, &g.Glued, bigen.Bool())
		}), 1, mostGroups))
		bigen.At(c, &q.Version, genVersion)
	})
	genComplement = bigen.Struct(func(c *bigen.C, x *complement) {
		bigen.At(c, &x.Of, genPartial)
		bigen.At(c, &x.Version, genVersion)
		bigen.At(c, &x.Prerelease, bigen.OneOf(prereleases...))
	})
)

var (
	rapidNumber  = rapid.IntRange(0, mostNumber)
	rapidPartial = rapid.Custom(func(t *rapid.T) partial {
		return partial{rapid.SliceOfN(rapidNumber, 1, 3).Draw(t, "numbers"),
			rapid.Bool().Draw(t, "wildcard")}
	})
	rapidVersion = rapid.Custom(func(t *rapid.T) version {
		return version{rapidNumber.Draw(t, "major"), rapidNumber.Draw(t, "minor"),
			rapidNumber.Draw(t, "patch")}
	})
	rapidItem = rapid.OneOf(
		rapid.Custom(func(t *rapid.T) item {
			return item{
				Operator: rapid.SampledFrom(operators).Draw(t, "operator"),
				Version:  rapidPartial.Draw(t, "version"),
				Blank:    rapid.Bool().Draw(t, "blank"),
			}
		}),
		rapid.Custom(func(t *rapid.T) item {
			from, to := rapidPartial.Draw(t, "from"), rapidPartial.Draw(t, "to")
			return item{Version: from, To: &to, Blank: rapid.Bool().Draw(t, "blank")}
		}),
	)
	rapidGroup = rapid.Custom(func(t *rapid.T) group {
		return group{rapid.SliceOfN(rapidItem, 1, mostItems).Draw(t, "items"),
			rapid.Bool().Draw(t, "glued")}
	})
)

func rapidQuery(t *rapid.T) query {
	return query{rapid.SliceOfN(rapidGroup, 1, mostGroups).Draw(t, "groups"),
		rapidVersion.Draw(t, "version")}
}

func rapidComplement(t *rapid.T) complement {
	return complement{rapidPartial.Draw(t, "of"), rapidVersion.Draw(t, "version"),
		rapid.SampledFrom(prereleases).Draw(t, "prerelease")}
}
