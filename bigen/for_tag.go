package bigen

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// constraint is what a struct tag asks of a field, less what the outer parts of the
// field have taken of it.
type constraint struct {
	nonnil  bool
	lengths []lengths   // of the slices and maps, from the outermost, and of strings
	empties []emptiness // of the slices and maps, from the outermost
	odds    float64     // to continue, of the outermost pointer, slice or map
	leaf    string      // range, oneof or match, if any, with its argument
	arg     string
	keys    *constraint // of the keys of the outermost map; or nil

	depth int // how many parts it has passed
}

// lengths are the lengths from lo to hi. The zero value says nothing about a level.
type lengths struct {
	said   bool
	lo, hi int
}

func (l lengths) String() string {
	var from, to string
	if l.lo > 0 {
		from = strconv.Itoa(l.lo)
	}
	if l.hi < math.MaxInt {
		to = strconv.Itoa(l.hi)
	}
	return from + ".." + to
}

func (k constraint) empty() bool {
	return !k.nonnil && len(k.lengths) == 0 && len(k.empties) == 0 && k.odds == 0 &&
		k.leaf == "" && k.keys == nil
}

// keyPrefix precedes the rules for the keys of a map.
const keyPrefix = "key."

// parseTag returns the constraint that a tag describes. It reports all rules that are wrong.
func (d *derivation) parseTag(tag string) constraint {
	var k constraint
	good := true
	for rest := tag; rest != ""; {
		var item string
		if strings.HasPrefix(rest, "match=") || strings.HasPrefix(rest, keyPrefix+"match=") {
			item, rest = rest, ""
		} else {
			item, rest, _ = strings.Cut(rest, ",")
		}
		to, rule := &k, item
		if strings.HasPrefix(item, keyPrefix) {
			rule = strings.TrimPrefix(item, keyPrefix)
			if k.keys == nil {
				k.keys = &constraint{}
			}
			to = k.keys
		}
		if err := to.parseRule(rule); err != nil {
			good = false
			d.note("the tag `bigen:%q`: %q: %v", tag, item, err)
		}
	}
	if !good {
		panic(misused{})
	}
	return k
}

// parseRule adds one rule of a tag.
func (k *constraint) parseRule(rule string) (err error) {
	key, arg, hasArg := strings.Cut(rule, "=")
	if key != "match" {
		arg = strings.TrimSpace(arg)
	}
	switch key {
	case "nonnil":
		if k.nonnil || hasArg {
			return fmt.Errorf("want nonnil, once")
		}
		k.nonnil = true
	case "len":
		if len(k.lengths) > 0 {
			return fmt.Errorf("several lengths: the lengths of inner slices, maps and strings " +
				"follow a semicolon, as in len=1..3;1..2")
		}
		k.lengths, err = parseLevels(arg, parseLen)
	case "empty":
		if len(k.empties) > 0 {
			return fmt.Errorf("want empty once: inner slices and maps follow a semicolon, as " +
				"in empty=ornil;notnil")
		}
		k.empties, err = parseLevels(arg, parseEmpty)
	case "odds":
		if k.odds, err = strconv.ParseFloat(arg, 64); err != nil ||
			!(k.odds > 0 && k.odds <= maxOdds) {
			return fmt.Errorf("want a number above 0, up to %v", maxOdds)
		}
	case "range", "oneof", "match":
		if k.leaf != "" {
			return fmt.Errorf(
				"%s and %s exclude each other: say all by one, as in match=[a-z]{1,3}", k.leaf, key,
			)
		}
		if !hasArg || arg == "" {
			return fmt.Errorf("want %s= and what it allows", key)
		}
		if key == "match" {
			if at := ruleAfter().FindStringIndex(arg); at != nil {
				return fmt.Errorf(
					"match comes last, and its expression has all that follows: put %q before "+
						"it, or, if it is about the same string, say it by the expression, as "+
						"in [a-z]{1,3}; a comma that it means is [,]",
					arg[at[0]+1:],
				)
			}
		}
		k.leaf, k.arg = key, arg
	case "-":
		return fmt.Errorf("- stands alone")
	default:
		return fmt.Errorf(
			"want -, nonnil, len=, odds=, range=, oneof=, match=, empty=, or one of these "+
				"after %s for the keys of a map",
			keyPrefix,
		)
	}
	return err
}

// ruleAfter matches what seems to be a rule after a regular expression.
var ruleAfter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`,\s*((key\.)?(len|odds|range|oneof|empty|match)=|(key\.)?nonnil$)`,
	)
})

// parseLevels parses what is said of each level of slices and maps.
func parseLevels[L any](s string, parse func(string) (L, error)) (levels []L, err error) {
	parts := strings.Split(s, ";")
	levels = make([]L, len(parts))
	for i, part := range parts {
		if part = strings.TrimSpace(part); part == "" && i+1 < len(parts) {
			continue // nothing is said of this level
		}
		if levels[i], err = parse(part); err != nil {
			return nil, err
		}
	}
	return levels, nil
}

func parseEmpty(s string) (emptiness, error) {
	switch e := emptiness(s); e {
	case isNil, orNil, notNil:
		return e, nil
	}
	return asUsual, fmt.Errorf("want nil, ornil or notnil, which is what an empty slice or map is")
}

// parseLen returns a range of lengths.
func parseLen(s string) (l lengths, err error) {
	from, to, ok := strings.Cut(s, "..")
	if !ok {
		return l, fmt.Errorf("want two ends, as in 1..5")
	}
	l = lengths{true, 0, math.MaxInt}
	if from != "" {
		if l.lo, err = strconv.Atoi(from); err != nil {
			return l, fmt.Errorf("%q is not a number of elements: want two ends, as in 1..5", from)
		}
	}
	if to != "" {
		if l.hi, err = strconv.Atoi(to); err != nil {
			return l, fmt.Errorf("%q is not a number of elements: want two ends, as in 1..5", to)
		}
	}
	if l.lo < 0 || l.hi < l.lo {
		return l, fmt.Errorf("nothing has from %d to %d elements", l.lo, l.hi)
	}
	return l, nil
}

// takeLen returns the lengths that a slice, map or string may have, and the rest of k.
func (k constraint) takeLen() (lo, hi int, rest constraint) {
	hi = math.MaxInt
	if len(k.lengths) > 0 {
		if l := k.lengths[0]; l.said {
			lo, hi = l.lo, l.hi
		}
		k.lengths = k.lengths[1:]
	}
	return lo, hi, k
}

// takeEmpty returns what an empty slice or map is, unless usual says all, and the rest of k.
func (k constraint) takeEmpty(usual emptiness) (emptiness, constraint) {
	if len(k.empties) > 0 {
		usual, k.empties = cmp.Or(k.empties[0], usual), k.empties[1:]
	}
	return usual, k
}

// takeOdds returns the odds of a pointer, slice or map, 0 if nothing is said of them, and the rest
// of k.
func (k constraint) takeOdds() (odds float64, rest constraint) {
	odds, k.odds = k.odds, 0
	return odds, k
}

// inner returns the part of k that concerns the elements of t.
func (k constraint) inner(d *derivation, t reflect.Type) constraint {
	if k.empty() {
		return constraint{}
	}
	if k.depth++; k.depth > 16 {
		d.fail("%s: %v has no end", k, t)
	}
	return k
}

// end panics unless k is empty: no constraint fits t.
func (k constraint) end(d *derivation, t reflect.Type) {
	if !k.empty() {
		d.fail("%s does not fit %v", k, t)
	}
}

// String returns the first rule of k in the form of a tag.
func (k constraint) String() string {
	switch {
	case k.nonnil:
		return "the tag nonnil"
	case len(k.lengths) > 0:
		return fmt.Sprintf("the tag len=%v", k.lengths[0])
	case len(k.empties) > 0:
		return fmt.Sprintf("the tag empty=%s", k.empties[0])
	case k.odds != 0:
		return fmt.Sprintf("the tag odds=%v", k.odds)
	case k.keys != nil:
		return strings.Replace(k.keys.String(), "the tag ", "the tag "+keyPrefix, 1)
	}
	return fmt.Sprintf("the tag %s=%s", k.leaf, k.arg)
}
