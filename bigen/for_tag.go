package bigen

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// constraint is what a struct tag asks of a field, less what the outer parts of the
// field have taken of it.
type constraint struct {
	nonnil bool
	length bool // lo to hi
	lo, hi int
	leaf   string // range, oneof or match, if any, with its argument
	arg    string

	depth int // how many parts it has passed
}

func (k constraint) empty() bool { return !k.nonnil && !k.length && k.leaf == "" }

// parseTag returns the constraint that a tag describes.
func (d *derivation) parseTag(tag string) (k constraint) {
	bad := func(reason string, args ...any) {
		d.fail("the tag `bigen:%q`: %s", tag, fmt.Sprintf(reason, args...))
	}
	for rest := tag; rest != ""; {
		var item string
		if strings.HasPrefix(rest, "match=") {
			item, rest = rest, ""
		} else {
			item, rest, _ = strings.Cut(rest, ",")
		}
		key, arg, _ := strings.Cut(item, "=")
		if key != "match" {
			arg = strings.TrimSpace(arg)
		}
		switch key {
		case "nonnil":
			if k.nonnil || item != key {
				bad("%q: want nonnil, once", item)
			}
			k.nonnil = true
		case "len":
			lo, hi, err := parseLen(arg)
			switch {
			case err != nil:
				bad("%q: %v", item, err)
			case k.length:
				bad("several lengths")
			}
			k.length, k.lo, k.hi = true, lo, hi
		case "range", "oneof", "match":
			if k.leaf != "" {
				bad("%s and %s", k.leaf, key)
			}
			if item == key {
				bad("%q: want %s=...", item, key)
			}
			k.leaf, k.arg = key, arg
		case "-":
			bad("- stands alone")
		default:
			bad("%q: want -, nonnil, len=, range=, oneof= or match=", item)
		}
	}
	return k
}

// parseLen returns the ends of a range of lengths.
func parseLen(s string) (lo, hi int, err error) {
	from, to, ok := strings.Cut(s, "..")
	if !ok {
		return 0, 0, fmt.Errorf("want two ends, as in 1..5")
	}
	hi = math.MaxInt
	if from != "" {
		if lo, err = strconv.Atoi(from); err != nil {
			return 0, 0, err
		}
	}
	if to != "" {
		if hi, err = strconv.Atoi(to); err != nil {
			return 0, 0, err
		}
	}
	if lo < 0 || hi < lo {
		return 0, 0, fmt.Errorf("nothing has from %d to %d elements", lo, hi)
	}
	return lo, hi, nil
}

// takeLen returns the lengths that a slice or map may have, and the rest of k.
func (k constraint) takeLen() (lo, hi int, rest constraint) {
	if !k.length {
		return 0, math.MaxInt, k
	}
	lo, hi = k.lo, k.hi
	k.length, k.lo, k.hi = false, 0, 0
	return lo, hi, k
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
	case k.length:
		return fmt.Sprintf("the tag len=%d..%d", k.lo, k.hi)
	}
	return fmt.Sprintf("the tag %s=%s", k.leaf, k.arg)
}
