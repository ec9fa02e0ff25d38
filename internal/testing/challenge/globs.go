package challenge

import (
	"maps"

	"github.com/espalier-go/espalier/bigen"
)

// globs returns challenges whose values are patterns that contain patterns.
func globs() []Challenge {
	g := genGlob()
	return []Challenge{
		of("glob/beside each other", 0, g, func(g glob) bool { return beside(g) }, "{*}{*}"),
		of("glob/even", 0, g, func(g glob) bool { return g.leaves()%2 == 0 && beside(g) }, "{*}{*}"),
		of("glob/commits", 0, g, func(g glob) bool { return commits(g) }, "{*}{a}", "{a,aa}{a}"),
		of("glob/commits, even", 0, g, func(g glob) bool { return g.leaves()%2 == 0 && commits(g) },
			"{*}{a}", "{a,aa}{a}"),
	}
}

// glob is a pattern: a leaf, or a pattern of others.
type glob struct {
	Name string // "seq", "group", "list", or a leaf
	L, R *glob
}

func (g glob) String() string {
	switch g.Name {
	case "seq":
		return g.L.String() + g.R.String()
	case "group":
		return "{" + g.L.String() + "}"
	case "list":
		return "{" + g.L.String() + "," + g.R.String() + "}"
	}
	return g.Name
}

func genGlob() bigen.Gen[glob] {
	leaf := bigen.Iso(bigen.OneOf("a", "b", "*", "?", "/", "[^a]"),
		func(s string) glob { return glob{Name: s} },
		func(g glob) (string, bool) { return g.Name, g.L == nil })
	return bigen.Recursive(leaf, func(self bigen.Gen[glob]) bigen.Gen[glob] {
		of := func(name string, two bool) bigen.Alt[glob] {
			return bigen.Tag(name, bigen.Struct(func(c *bigen.C, g *glob) {
				g.Name = name
				bigen.At(c, &g.L, bigen.NonNil(self))
				if two {
					bigen.At(c, &g.R, bigen.NonNil(self))
				}
			}))
		}
		return bigen.Pick(of("seq", true), of("group", false), of("list", true))
	}, 12)
}

// count returns how many parts ok accepts.
func (g glob) count(ok func(g glob) bool) (n int) {
	if ok(g) {
		n++
	}
	for _, sub := range []*glob{g.L, g.R} {
		if sub != nil {
			n += sub.count(ok)
		}
	}
	return n
}

func (g glob) leaves() int { return g.count(func(g glob) bool { return g.L == nil }) }
func grouped(g glob) bool  { return g.Name == "group" || g.Name == "list" }
func starred(g glob) bool {
	return grouped(g) && (g.L.Name == "*" || g.R != nil && g.R.Name == "*")
}

// beside reports whether two groups with stars are neighbors.
func beside(g glob) bool {
	parts := g.parts()
	for i := 1; i < len(parts); i++ {
		if starred(parts[i-1]) && starred(parts[i]) {
			return true
		}
	}
	return false
}

// parts returns the patterns that g consists of, one after the other.
func (g glob) parts() []glob {
	if g.Name == "seq" {
		return append(g.L.parts(), g.R.parts()...)
	}
	return []glob{g}
}

// commits reports whether a matcher errs that never tries another match of a group if
// another group follows.
func commits(g glob) bool {
	for _, name := range globNames {
		if ends(g.parts(), name, false)[""] != ends(g.parts(), name, true)[""] {
			return true
		}
	}
	return false
}

var globNames = func() (names []string) {
	names = []string{""}
	for i := 0; len(names[i]) < 3; i++ {
		for _, r := range []string{"a", "b", "/"} {
			names = append(names, names[i]+r)
		}
	}
	return names
}()

// ends returns what may be left of a name after what the patterns match.
func ends(all []glob, name string, commits bool) map[string]bool {
	left := map[string]bool{name: true}
	for i, g := range all {
		beforeGroup := i+1 < len(all) && grouped(all[i+1])
		next := map[string]bool{}
		for s := range left {
			for e := range g.ends(s, commits, beforeGroup) {
				next[e] = true
			}
		}
		left = next
	}
	return left
}

// ends returns what may be left of s after what g matches. If commits is true, a group before
// another matches as much as possible.
func (g glob) ends(s string, commits, beforeGroup bool) map[string]bool {
	left := map[string]bool{}
	switch {
	case grouped(g):
		for _, sub := range []*glob{g.L, g.R} {
			if sub != nil {
				maps.Copy(left, ends(sub.parts(), s, commits))
			}
		}
		if commits && beforeGroup {
			return shortest(left)
		}
	case g.Name == "*":
		left[s] = true
		for s != "" && s[0] != '/' {
			s = s[1:]
			left[s] = true
		}
	case s != "" && g.matchesByte(s[0]):
		left[s[1:]] = true
	}
	return left
}

func (g glob) matchesByte(b byte) bool {
	switch g.Name {
	case "?":
		return b != '/'
	case "[^a]":
		return b != 'a' && b != '/'
	}
	return g.Name == string([]byte{b})
}

func shortest(set map[string]bool) map[string]bool {
	found, least := false, ""
	for s := range set {
		if !found || len(s) < len(least) {
			found, least = true, s
		}
	}
	if !found {
		return nil
	}
	return map[string]bool{least: true}
}
