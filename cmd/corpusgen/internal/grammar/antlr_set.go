package grammar

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// set returns a set of ANTLR.
func (a *antlr) set(text, pos string) *Expr {
	var properties string
	var ranges []rune // pairs
	for text != "" {
		if strings.HasPrefix(text, `\p`) || strings.HasPrefix(text, `\P`) {
			name, rest, ok := strings.Cut(text[2:], "}")
			items, known := property(strings.TrimPrefix(name, "{"), text[1] == 'P')
			if !ok || !known {
				a.fail(pos, "%s} is not a property of characters that is known here: list its ranges",
					text[:2]+name)
			}
			properties += items
			text = rest
			continue
		}
		lo, rest := a.char(text)
		hi := lo
		if strings.HasPrefix(rest, "-") && len(rest) > 1 {
			hi, rest = a.char(rest[1:])
		}
		if lo > hi {
			a.fail(pos, "%q to %q is not a range: want two characters in their order", lo, hi)
		}
		ranges = append(ranges, lo, hi)
		text = rest
	}
	e := a.class(ranges, pos)
	if properties != "" {
		e.Text, e.units = e.Text+properties, nil
	}
	return e
}

// class returns the set of some ranges.
func (a *antlr) class(ranges []rune, pos string) *Expr {
	if a.fold {
		ranges = bothCases(ranges)
	}
	return &Expr{Op: Set, Text: itemsOf(ranges), units: ranges, Pos: pos}
}

// bothCases returns ranges with the other cases of their letters.
func bothCases(ranges []rune) []rune {
	all := slices.Clone(ranges)
	for i := 0; i < len(ranges); i += 2 {
		var more []rune
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			for _, other := range []rune{unicode.ToLower(r), unicode.ToUpper(r)} {
				n := len(more)
				switch {
				case other == r || within(ranges, other):
				case n > 0 && more[n-1] == other-1:
					more[n-1] = other
				default:
					more = append(more, other, other)
				}
			}
		}
		all = append(all, more...)
	}
	return all
}

func within(ranges []rune, r rune) bool {
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i] <= r && r <= ranges[i+1] {
			return true
		}
	}
	return false
}

// itemsOf returns ranges as the items of a class, without surrogates, which no text has.
func itemsOf(ranges []rune) string {
	const first, last = 0xd800, 0xdfff
	var b strings.Builder
	for i := 0; i < len(ranges); i += 2 {
		switch lo, hi := ranges[i], ranges[i+1]; {
		case lo >= first && lo <= last || hi >= first && hi <= last:
			var rest []rune
			if lo < first {
				rest = append(rest, lo, first-1)
			}
			if hi > last {
				rest = append(rest, last+1, hi)
			}
			b.WriteString(itemsOf(rest))
		case lo == hi:
			b.WriteString(item(lo))
		default:
			b.WriteString(item(lo) + "-" + item(hi))
		}
	}
	return b.String()
}

// property returns the items of a property of Unicode, or of the characters without it.
func property(name string, not bool) (items string, ok bool) {
	if kind, value, ok := strings.Cut(name, "="); ok {
		switch strings.ToLower(kind) {
		case "script", "sc", "general_category", "gc":
			name = value
		case "grapheme_cluster_break", "gcb":
			name = "graphemeclusterbreak" + value
		default:
			return "", false
		}
	}
	letter := "p"
	if not {
		letter = "P"
	}
	key := canonical(name)
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts} {
		for known := range tables {
			if canonical(known) == key {
				return fmt.Sprintf(`\%s{%s}`, letter, known), true
			}
		}
	}
	if known, ok := categories[key]; ok {
		return fmt.Sprintf(`\%s{%s}`, letter, known), true
	}
	d, known := derived[key]
	for name, table := range unicode.Properties {
		if !known && canonical(name) == key {
			d, known = derivation{"", []*unicode.RangeTable{table}}, true
		}
	}
	if known && not {
		has := regexp.MustCompile("[" + d.items() + "]").MatchString
		return itemsOf(rangesWith(func(r rune) bool { return !has(string(r)) })), true
	}
	return d.items(), known
}

func canonical(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// rangesWith returns the characters that pass a test as ranges.
func rangesWith(ok func(r rune) bool) (ranges []rune) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		n := len(ranges)
		switch {
		case utf16.IsSurrogate(r) || !ok(r):
		case n > 0 && ranges[n-1] == r-1:
			ranges[n-1] = r
		default:
			ranges = append(ranges, r, r)
		}
	}
	return ranges
}

// categories are the general categories by their long names.
var categories = map[string]string{
	"letter": "L", "uppercaseletter": "Lu", "lowercaseletter": "Ll", "titlecaseletter": "Lt",
	"modifierletter": "Lm", "otherletter": "Lo", "mark": "M", "nonspacingmark": "Mn",
	"spacingmark": "Mc", "enclosingmark": "Me", "number": "N", "decimalnumber": "Nd",
	"letternumber": "Nl", "othernumber": "No", "punctuation": "P", "connectorpunctuation": "Pc",
	"dashpunctuation": "Pd", "openpunctuation": "Ps", "closepunctuation": "Pe",
	"initialpunctuation": "Pi", "finalpunctuation": "Pf", "otherpunctuation": "Po", "symbol": "S",
	"mathsymbol": "Sm", "currencysymbol": "Sc", "modifiersymbol": "Sk", "othersymbol": "So",
	"separator": "Z", "spaceseparator": "Zs", "lineseparator": "Zl", "paragraphseparator": "Zp",
	"other": "C", "control": "Cc", "format": "Cf", "privateuse": "Co",
}

// A derivation is a property that Unicode derives from others: a character has it if it is of a
// class or in a table. What Unicode subtracts, such as U+2E2F from ID_Start, stays.
type derivation struct {
	classes string
	tables  []*unicode.RangeTable
}

func (d derivation) items() string {
	if len(d.tables) == 0 {
		return d.classes
	}
	return d.classes + itemsOf(rangesWith(func(r rune) bool { return unicode.In(r, d.tables...) }))
}

var derived = map[string]derivation{
	"any":                        {classes: `\x{0}-\x{10ffff}`},
	"assigned":                   {classes: `\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\p{C}`},
	"idstart":                    identifierStart,
	"xidstart":                   identifierStart,
	"idcontinue":                 identifierPart,
	"xidcontinue":                identifierPart,
	"alphabetic":                 {`\p{L}\p{Nl}`, []*unicode.RangeTable{unicode.Other_Alphabetic}},
	"uppercase":                  {`\p{Lu}`, []*unicode.RangeTable{unicode.Other_Uppercase}},
	"lowercase":                  {`\p{Ll}`, []*unicode.RangeTable{unicode.Other_Lowercase}},
	"math":                       {`\p{Sm}`, []*unicode.RangeTable{unicode.Other_Math}},
	"graphemeextend":             {`\p{Mn}\p{Me}`, []*unicode.RangeTable{unicode.Other_Grapheme_Extend}},
	"graphemeclusterbreakextend": {`\p{Mn}\p{Me}`, []*unicode.RangeTable{unicode.Other_Grapheme_Extend}},
	"emoji":                      {"", []*unicode.RangeTable{emoji, emojiKeys}},
	"emojipresentation":          {"", []*unicode.RangeTable{emoji}},
	"extendedpictographic":       {"", []*unicode.RangeTable{emoji}},
	"defaultignorablecodepoint": {`\p{Cf}`, []*unicode.RangeTable{unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point}},
}

var (
	identifierStart = derivation{`\p{L}\p{Nl}`, []*unicode.RangeTable{unicode.Other_ID_Start}}
	identifierPart  = derivation{`\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}`,
		[]*unicode.RangeTable{unicode.Other_ID_Start, unicode.Other_ID_Continue}}

	// emoji are the blocks of pictures. Package unicode has no table of them.
	emoji = &unicode.RangeTable{
		R16: []unicode.Range16{{0x231a, 0x231b, 1}, {0x23e9, 0x23f3, 1}, {0x25fd, 0x25fe, 1},
			{0x2600, 0x27bf, 1}, {0x2b1b, 0x2b1c, 1}, {0x2b50, 0x2b55, 5}},
		R32: []unicode.Range32{{0x1f300, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1}, {0x1f900, 0x1f9ff, 1},
			{0x1fa70, 0x1faff, 1}},
	}
	emojiKeys = &unicode.RangeTable{R16: []unicode.Range16{{'#', '*', '*' - '#'}, {'0', '9', 1},
		{0xa9, 0xae, 5}}, LatinOffset: 3}
)

// surrogates joins sets and literals of surrogates: one of high surrogates before one of low
// surrogates is a set of the characters that the pairs stand for.
func surrogates(seq []*Expr) (all []*Expr) {
	for i := 0; i < len(seq); i++ {
		if i+1 < len(seq) {
			high, ok1 := halves(seq[i], 0xd800, 0xdbff)
			low, ok2 := halves(seq[i+1], 0xdc00, 0xdfff)
			if ok1 && ok2 {
				joined := &Expr{Op: Set, Text: itemsOf(pairs(high, low)), Pos: seq[i].Pos}
				all = append(all, joined)
				i++
				continue
			}
		}
		all = append(all, seq[i])
	}
	return all
}

// halves returns the ranges of a set or a literal if all are between two characters.
func halves(e *Expr, lo, hi rune) (ranges []rune, ok bool) {
	if ranges = e.units; e.Op == Lit && len(ranges) == 1 {
		ranges = []rune{ranges[0], ranges[0]}
	}
	return ranges, (e.Op == Lit || e.Op == Set) && len(ranges) > 0 &&
		!slices.ContainsFunc(ranges, func(r rune) bool { return r < lo || r > hi })
}

// pairs returns the characters that pairs of surrogates stand for, as ranges.
func pairs(high, low []rune) (ranges []rune) {
	for i := 0; i < len(high); i += 2 {
		for h := high[i]; h <= high[i+1]; h++ {
			for j := 0; j < len(low); j += 2 {
				lo, hi := utf16.DecodeRune(h, low[j]), utf16.DecodeRune(h, low[j+1])
				if n := len(ranges); n > 0 && ranges[n-1] == lo-1 {
					ranges[n-1] = hi
				} else {
					ranges = append(ranges, lo, hi)
				}
			}
		}
	}
	return ranges
}
