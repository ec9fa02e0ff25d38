// Package doublestar has bugs of github.com/bmatcuk/doublestar/v4.
package doublestar

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/doublestar"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[search]{
		Name:   "doublestar/7",
		Title:  "Glob drops an empty alternative, Match does not",
		Source: source,
		Gen:    genSearch,
		Rapid:  rapidSearch,
		Fails: func(s search) string {
			if nested(s.Pattern) {
				return "" // doublestar/12
			}
			listed := s.glob()
			for _, name := range s.names() {
				if s.matches(name) && !slices.Contains(listed, name) {
					return fmt.Sprintf("Glob(%q) does not list %q, which matches", s.Pattern, name)
				}
			}
			return ""
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "doublestar/10",
		Title:  "** at the start of an alternative crosses separators in the middle of a segment",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, q *query) {
			bigen.At(c, &q.Pattern, bigen.Matching(alternatives))
			bigen.At(c, &q.Name, bigen.Matching(`[ab/]{0,6}`))
		}),
		Rapid: func(t *rapid.T) query {
			return query{
				rapid.StringMatching(alternatives).Draw(t, "pattern"),
				rapid.StringMatching(`[ab/]{0,6}`).Draw(t, "name"),
			}
		},
		// An expansion may match what the pattern does not: that is doublestar/1.
		Fails: func(q query) string {
			if !match(q.Pattern, q.Name) {
				return ""
			}
			for _, p := range expand(q.Pattern) {
				if match(p, q.Name) {
					return ""
				}
			}
			return fmt.Sprintf("%q matches %q, but none of %q does", q.Pattern, q.Name, expand(q.Pattern))
		},
	}),
	bug.New(bug.Spec[query]{
		Name:   "doublestar/11",
		Title:  "a negated class and a range match the separator",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, q *query) {
			bigen.At(c, &q.Pattern, bigen.Matching(classes))
			bigen.At(c, &q.Name, bigen.Matching(`[a-c./]{0,6}`))
		}),
		Rapid: func(t *rapid.T) query {
			return query{
				rapid.StringMatching(classes).Draw(t, "pattern"),
				rapid.StringMatching(`[a-c./]{0,6}`).Draw(t, "name"),
			}
		},
		Fails: func(q query) string {
			if got, want := match(q.Pattern, q.Name), q.bySegment(); got != want {
				return fmt.Sprintf("Match(%q, %q) = %t, by segments %t", q.Pattern, q.Name, got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[search]{
		Name:   "doublestar/12",
		Title:  "Glob descends too far below an alternative in an alternative",
		Source: source,
		Gen:    genSearch,
		Rapid:  rapidSearch,
		Fails: func(s search) string {
			for _, name := range s.glob() {
				if !s.matches(name) {
					return fmt.Sprintf("Glob(%q) lists %q, which does not match", s.Pattern, name)
				}
			}
			return ""
		},
	}),
}

// Patterns, as regular expressions.
const (
	plain        = `(\*|[abxy?]{0,2})`
	inner        = `\{` + plain + `(,` + plain + `){0,2}\}`
	group        = `\{(` + plain + `|` + inner + `)(,(` + plain + `|` + inner + `)){0,2}\}`
	segment      = `(\*|[abxy?]{1,2}|[abxy?]?` + group + `[abxy?]?)`
	segments     = segment + `(/` + segment + `){0,3}`
	units        = `([ab/?]|\*\*?)`
	alternatives = `(` + units + `|\{` + units + `{0,3}(,` + units + `{0,3}){0,2}\}){0,4}`
	class        = `\[\^?([a-c.]|[.a]-[bc])\]` // [.-b] has the separator between its ends
	classes      = `(\*?([a-c./?]|` + class + `)){0,4}\*?`
)

// A query asks whether a name matches.
type query struct{ Pattern, Name string }

func match(pattern, name string) bool {
	ok, err := doublestar.Match(pattern, name)
	if err != nil {
		panic(fmt.Sprintf("Match(%q, %q): %v", pattern, name, err))
	}
	return ok
}

// bySegment reports whether each segment of the name matches the segment of the pattern, which has
// neither ** nor alternatives: all else matches characters that are not separators.
func (q query) bySegment() bool {
	patterns, names := strings.Split(q.Pattern, "/"), strings.Split(q.Name, "/")
	if len(patterns) != len(names) {
		return false
	}
	for i, p := range patterns {
		if ok, err := path.Match(p, names[i]); !ok || err != nil {
			return false
		}
	}
	return true
}

// expand returns the patterns that the alternatives of a pattern stand for.
func expand(pattern string) (all []string) {
	before, rest, ok := strings.Cut(pattern, "{")
	if !ok {
		return []string{pattern}
	}
	inside, after, _ := strings.Cut(rest, "}")
	for _, alternative := range strings.Split(inside, ",") {
		for _, end := range expand(after) {
			all = append(all, before+alternative+end)
		}
	}
	return all
}

// A search lists the files that match.
type search struct {
	Files   []string
	Pattern string
}

const file = `([ab]/){0,3}[xy]`

var genSearch = bigen.Struct(func(c *bigen.C, s *search) {
	bigen.At(c, &s.Files, bigen.SliceOf(bigen.Matching(file), 1, 5))
	bigen.At(c, &s.Pattern, bigen.Matching(segments))
})

func rapidSearch(t *rapid.T) search {
	return search{
		rapid.SliceOfN(rapid.StringMatching(file), 1, 5).Draw(t, "files"),
		rapid.StringMatching(segments).Draw(t, "pattern"),
	}
}

// nested reports whether a pattern has alternatives in an alternative.
func nested(pattern string) bool {
	_, rest, _ := strings.Cut(pattern, "{")
	open, end := strings.Index(rest, "{"), strings.Index(rest, "}")
	return open >= 0 && (open < end || nested(rest))
}

func (s search) glob() []string {
	tree := fstest.MapFS{}
	for _, name := range s.Files {
		tree[name] = &fstest.MapFile{}
	}
	names, err := doublestar.Glob(tree, s.Pattern)
	if err != nil {
		panic(err)
	}
	return names
}

// names returns the files and their directories.
func (s search) names() (all []string) {
	for _, name := range s.Files {
		for ; name != "."; name = path.Dir(name) {
			all = append(all, name)
		}
	}
	return all
}

func (s search) matches(name string) bool { return match(s.Pattern, name) }
