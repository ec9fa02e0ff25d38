// Package gjson has bugs of github.com/tidwall/gjson.
package gjson

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/gjson"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[string]{
		Name:   "gjson/1",
		Title:  "Int and Uint wrap for some numbers of 20 digits, and saturate for others",
		Source: source,
		Gen:    bigen.Matching(integer),
		Rapid:  func(t *rapid.T) string { return rapid.StringMatching(integer).Draw(t, "number") },
		Fails: func(text string) string {
			n, _ := new(big.Int).SetString(text, 10)
			got, want := gjson.Parse(text).Int(), n.Int64()
			if !n.IsInt64() {
				if want = math.MaxInt64; n.Sign() < 0 {
					want = math.MinInt64
				}
			}
			if got != want {
				return fmt.Sprintf("Int of %s is %d", text, got)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[string]{
		Name:   "gjson/2",
		Title:  "an escape after an unpaired surrogate is lost",
		Source: source,
		Gen:    bigen.Matching(literal),
		Rapid:  func(t *rapid.T) string { return rapid.StringMatching(literal).Draw(t, "literal") },
		Fails: func(text string) string {
			var want string
			if err := json.Unmarshal([]byte(text), &want); err != nil {
				return err.Error()
			}
			if got := gjson.Parse(text).String(); got != want {
				return fmt.Sprintf("%s is %q, want %q", text, got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[lookup]{
		Name:   "gjson/4",
		Title:  "an escaped wildcard is one if there is another in the pattern",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, l *lookup) {
			bigen.At(c, &l.Keys, bigen.Distinct(bigen.Matching(wild), 1, 4))
			bigen.At(c, &l.Pattern, bigen.Matching(pattern))
		}),
		Rapid: func(t *rapid.T) lookup {
			return lookup{
				rapid.SliceOfNDistinct(rapid.StringMatching(wild), 1, 4, rapid.ID[string]).Draw(t, "keys"),
				rapid.StringMatching(pattern).Draw(t, "pattern"),
			}
		},
		Fails: func(l lookup) string {
			got := gjson.Get(document(l.Keys), l.Pattern)
			want := slices.IndexFunc(l.Keys, func(key string) bool { return match(l.Pattern, key) })
			if !got.Exists() && want < 0 || got.Exists() && int(got.Int()) == want {
				return ""
			}
			return fmt.Sprintf("%q selects %q of %q, want %d", l.Pattern, got.Raw, l.Keys, want)
		},
	}),
	bug.New(bug.Spec[[]string]{
		Name:   "gjson/7",
		Title:  "Escape leaves a colon, which ends a name in a multipath",
		Source: source,
		Gen:    bigen.Distinct(bigen.Matching(printable), 1, 3),
		Rapid: func(t *rapid.T) []string {
			return rapid.SliceOfNDistinct(rapid.StringMatching(printable), 1, 3, rapid.ID[string]).
				Draw(t, "keys")
		},
		Fails: func(keys []string) string {
			var paths, want []string
			for i, key := range keys {
				paths, want = append(paths, gjson.Escape(key)), append(want, fmt.Sprint(i))
			}
			multipath := "[" + strings.Join(paths, ",") + "]"
			if got := gjson.Get(document(keys), multipath).Raw; got != "["+strings.Join(want, ",")+"]" {
				return fmt.Sprintf("%s selects %s", multipath, got)
			}
			return ""
		},
	}),
}

const (
	integer   = `-?[1-9][0-9]{0,22}`
	literal   = `"([a-z]|\\["\\/bfnrt]|\\u[0-9a-f]{4}){0,6}"`
	wild      = `[ab*?]{1,3}`
	pattern   = `([ab]|\\?[*?]){1,4}`
	printable = `[ -~]{1,4}`
)

// A lookup asks for a key by a pattern.
type lookup struct {
	Keys    []string
	Pattern string
}

// document returns an object that has the keys, with their indices.
func document(keys []string) string {
	var members []string
	for i, key := range keys {
		name, err := json.Marshal(key)
		if err != nil {
			panic(err)
		}
		members = append(members, fmt.Sprintf("%s:%d", name, i))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// match reports whether a pattern of *, ?, escapes and other characters matches a key.
func match(pattern, key string) bool {
	if pattern == "" {
		return key == ""
	}
	switch first := pattern[0]; {
	case first == '*':
		return match(pattern[1:], key) || key != "" && match(pattern, key[1:])
	case first == '\\':
		return key != "" && key[0] == pattern[1] && match(pattern[2:], key[1:])
	default:
		return key != "" && (first == '?' || key[0] == first) && match(pattern[1:], key[1:])
	}
}
