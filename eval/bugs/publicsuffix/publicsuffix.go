// Package publicsuffix has bugs of github.com/weppos/publicsuffix-go.
package publicsuffix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weppos/publicsuffix-go/publicsuffix"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/publicsuffix-go"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[query]{
		Name:   "publicsuffix/4",
		Title:  "a rule replaces one of another kind that has the same labels",
		Source: source,
		Gen:    genQuery,
		Rapid:  rapidQuery,
		Fails: func(q query) string {
			if q.outranked() {
				return ""
			}
			return q.mismatch()
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "publicsuffix/5",
		Title:  "a rule that has more labels prevails over an exception",
		Source: source,
		Gen:    genQuery,
		Rapid:  rapidQuery,
		Fails: func(q query) string {
			if q.ambiguous() {
				return ""
			}
			return q.mismatch()
		},
	}),
}

// A rule is one of a list of public suffixes.
type rule struct {
	Prefix string // *. or !, if any
	Labels []string
}

func (r rule) String() string { return r.Prefix + strings.Join(r.Labels, ".") }

// suffix returns how many labels of a name are its public suffix by the rule, if it matches.
func (r rule) suffix(name []string) (n int, ok bool) {
	n = len(r.Labels)
	if len(name) < n || !slices.Equal(name[len(name)-n:], r.Labels) {
		return 0, false
	}
	switch r.Prefix {
	case "*.":
		return n + 1, len(name) > n
	case "!":
		return n - 1, true
	}
	return n, true
}

// A query asks for the domain of a name below its public suffix.
type query struct {
	Rules []rule
	Name  []string
}

// domain is what https://publicsuffix.org/list says.
func (q query) domain() string {
	most, exception := 1, 0 // by the rule * of all others
	for _, r := range q.Rules {
		if n, ok := r.suffix(q.Name); ok && r.Prefix == "!" {
			exception = max(exception, n)
		} else if ok {
			most = max(most, n)
		}
	}
	if exception > 0 { // it prevails
		most = exception
	}
	if most >= len(q.Name) {
		return ""
	}
	return strings.Join(q.Name[len(q.Name)-most-1:], ".")
}

func (q query) mismatch() string {
	list := publicsuffix.NewList()
	for _, r := range q.Rules {
		list.AddRule(publicsuffix.MustNewRule(r.String()))
	}
	name := strings.Join(q.Name, ".")
	got, err := publicsuffix.DomainFromListWithOptions(list, name, publicsuffix.DefaultFindOptions)
	if want := q.domain(); got != want {
		return fmt.Sprintf("the domain of %s by %v is %q, %v; want %q", name, q.Rules, got, err, want)
	}
	return ""
}

// ambiguous reports whether two kinds of rules have the same labels: publicsuffix/4.
func (q query) ambiguous() bool {
	kinds := map[string]string{}
	for _, r := range q.Rules {
		labels := strings.Join(r.Labels, ".")
		if kind, ok := kinds[labels]; ok && kind != r.Prefix {
			return true
		}
		kinds[labels] = r.Prefix
	}
	return false
}

// outranked reports whether a rule that matches has more labels than an exception: publicsuffix/5.
func (q query) outranked() bool {
	exception, other := 0, 0
	for _, r := range q.Rules {
		if _, ok := r.suffix(q.Name); ok && r.Prefix == "!" {
			exception = max(exception, len(r.Labels))
		} else if ok {
			other = max(other, len(r.Labels))
		}
	}
	return exception > 0 && other > exception
}

var (
	prefixes = []string{"", "*."}
	labels   = []string{"a", "b", "c"}
)

const (
	mostRules  = 4
	mostLabels = 3
	mostName   = 4
)

func genLabels(least, most int) bigen.Gen[[]string] {
	return bigen.SliceOf(bigen.OneOf(labels...), least, most)
}

var (
	genRule = bigen.Pick(
		bigen.Tag("rule", bigen.Struct(func(c *bigen.C, r *rule) {
			bigen.At(c, &r.Prefix, bigen.OneOf(prefixes...))
			bigen.At(c, &r.Labels, genLabels(1, mostLabels))
		})),
		bigen.Tag("exception", bigen.Struct(func(c *bigen.C, r *rule) {
			bigen.At(c, &r.Prefix, bigen.Just("!"))
			bigen.At(c, &r.Labels, genLabels(2, mostLabels))
		})),
	)
	genQuery = bigen.Struct(func(c *bigen.C, q *query) {
		bigen.At(c, &q.Rules, bigen.SliceOf(genRule, 0, mostRules))
		bigen.At(c, &q.Name, genLabels(1, mostName))
	})
)

func rapidLabels(least, most int) *rapid.Generator[[]string] {
	return rapid.SliceOfN(rapid.SampledFrom(labels), least, most)
}

var rapidRule = rapid.OneOf(
	rapid.Custom(func(t *rapid.T) rule {
		return rule{rapid.SampledFrom(prefixes).Draw(t, "prefix"),
			rapidLabels(1, mostLabels).Draw(t, "labels")}
	}),
	rapid.Custom(func(t *rapid.T) rule {
		return rule{"!", rapidLabels(2, mostLabels).Draw(t, "labels")}
	}),
)

func rapidQuery(t *rapid.T) query {
	return query{rapid.SliceOfN(rapidRule, 0, mostRules).Draw(t, "rules"),
		rapidLabels(1, mostName).Draw(t, "name")}
}
