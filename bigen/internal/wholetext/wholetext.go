// Package wholetext rewrites regular expressions for generators of whole texts.
package wholetext

import (
	"math"
	"regexp/syntax"
	"strings"
)

// Of returns an expression that matches the whole of the strings of which a part matches expr. The
// error is that of [syntax.Parse].
func Of(expr string) (string, error) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return "", err
	}
	var alternatives []string
	all := distribute(re)
	for _, alt := range all {
		if len(all) > 1 { // to write a large class, such as [^/], takes long
			expr = alt.String()
		}
		before, after := `(?s:.*)`, `(?s:.*)`
		if anchored(alt, 0, syntax.OpBeginText) {
			before = ""
		}
		if anchored(alt, -1, syntax.OpEndText) {
			after = ""
		}
		alternatives = append(alternatives, before+"(?:"+expr+")"+after)
	}
	return strings.Join(alternatives, "|"), nil
}

// distribute returns the alternatives of an expression, without groups around them. A beginning or
// end that they share is repeated, if some of them are anchored.
func distribute(re *syntax.Regexp) []*syntax.Regexp {
	switch re.Op {
	case syntax.OpCapture:
		return distribute(re.Sub[0])
	case syntax.OpAlternate:
		var all []*syntax.Regexp
		for _, sub := range re.Sub {
			all = append(all, distribute(sub)...)
		}
		return all
	case syntax.OpConcat:
		for _, i := range []int{0, len(re.Sub) - 1} {
			alts := distribute(re.Sub[i])
			if len(alts) < 2 || !strings.ContainsAny(re.Sub[i].String(), `^$\`) {
				continue
			}
			var all []*syntax.Regexp
			for _, alt := range alts {
				one := *re
				one.Sub = append([]*syntax.Regexp(nil), re.Sub...)
				one.Sub[i] = alt
				all = append(all, distribute(&one)...)
			}
			return all
		}
	}
	return []*syntax.Regexp{re}
}

// anchored reports whether the first or last part of an expression is an anchor.
func anchored(re *syntax.Regexp, i int, anchor syntax.Op) bool {
	switch re.Op {
	case anchor:
		return true
	case syntax.OpCapture:
		return anchored(re.Sub[0], i, anchor)
	case syntax.OpConcat:
		if i < 0 {
			return anchored(re.Sub[len(re.Sub)-1], i, anchor)
		}
		return anchored(re.Sub[0], i, anchor)
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if !anchored(sub, i, anchor) {
				return false
			}
		}
		return true
	}
	return false
}

// Limit returns an expression for the strings of expr, which match it as a whole, that have from lo
// to hi runes. It reports false, and returns expr, if that cannot be said so: unless just one part
// repeats a class of runes, and all others have a length of their own. hi is at most
// [math.MaxInt32], which stands for no bound.
func Limit(expr string, lo, hi int) (limited string, exact bool) {
	if lo == 0 && hi >= math.MaxInt32 {
		return expr, true
	}
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return expr, false
	}
	if least, greatest := lengths(re); lo <= least && greatest <= hi {
		return expr, true
	}
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	at, fixed := -1, 0
	for i, p := range parts {
		least, greatest := lengths(p)
		switch {
		case least == greatest:
			fixed += least
		case at < 0 && repeated(p) != nil:
			at = i
		default:
			return expr, false
		}
	}
	if at < 0 {
		return expr, false
	}
	least, greatest := lengths(parts[at])
	from, to := max(least, lo-fixed), greatest
	if hi < math.MaxInt32 {
		to = min(to, hi-fixed)
	}
	const mostTimes = 1000 // of package regexp
	if from > to || from > mostTimes || to > mostTimes && to != greatest {
		return expr, false
	}
	if to >= math.MaxInt32 {
		to = -1
	}
	parts[at] = &syntax.Regexp{
		Op: syntax.OpRepeat, Min: from, Max: to, Sub: []*syntax.Regexp{repeated(parts[at])},
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("(?:" + p.String() + ")")
	}
	return b.String(), true
}

// repeated returns the class of runes that an expression repeats, or nil.
func repeated(re *syntax.Regexp) *syntax.Regexp {
	switch re.Op {
	case syntax.OpCapture:
		return repeated(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		if least, greatest := lengths(re.Sub[0]); least == 1 && greatest == 1 {
			return re.Sub[0]
		}
	}
	return nil
}

// times returns how often an expression repeats another, up to MaxInt32.
func times(re *syntax.Regexp) (least, greatest int) {
	switch re.Op {
	case syntax.OpPlus:
		return 1, math.MaxInt32
	case syntax.OpQuest:
		return 0, 1
	case syntax.OpRepeat:
		if re.Max < 0 {
			return re.Min, math.MaxInt32
		}
		return re.Min, re.Max
	}
	return 0, math.MaxInt32
}

// lengths returns the least and the greatest number of runes of the strings of an expression, up to
// MaxInt32.
func lengths(re *syntax.Regexp) (least, greatest int) {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune), len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1, 1
	case syntax.OpCapture:
		return lengths(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		from, to := times(re)
		least, greatest = lengths(re.Sub[0])
		return clip(int64(least) * int64(from)), clip(int64(greatest) * int64(to))
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			a, b := lengths(sub)
			least, greatest = clip(int64(least)+int64(a)), clip(int64(greatest)+int64(b))
		}
		return least, greatest
	case syntax.OpAlternate:
		least = math.MaxInt32
		for _, sub := range re.Sub {
			a, b := lengths(sub)
			least, greatest = min(least, a), max(greatest, b)
		}
		return least, greatest
	}
	return 0, 0
}

// clip returns n, or MaxInt32 if that is less.
func clip(n int64) int { return int(min(n, math.MaxInt32)) }
