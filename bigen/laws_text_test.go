package bigen_test

import (
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

func init() {
	xyz, letters := choices.Chars("xyz"), choices.Class(unicode.Letter)
	of := func(lo, hi int, a *choices.Alphabet) func(string) bool {
		return func(s string) bool {
			n := utf8.RuneCountInString(s)
			return utf8.ValidString(s) && lo <= n &&
				n <= hi && !strings.ContainsFunc(s, func(r rune) bool { return !a.Contains(r) })
		}
	}
	matches := func(expr string) func(string) bool {
		return regexp.MustCompile(`\A(?:` + expr + `)\z`).MatchString
	}
	laws = append(laws,
		lawful("StringOf", bigen.StringOf(xyz, 0, 20), of(0, 20, xyz)),
		lawful("StringOf/exact", bigen.StringOf(letters, 5, 5), of(5, 5, letters)),
		lawful(
			"StringOf/one rune", bigen.StringOf(choices.Chars("é"), 1, 300),
			of(1, 300, choices.Chars("é")),
		),
		lawful(
			"StringOf/one string", bigen.StringOf(choices.Chars("é"), 3, 3),
			func(s string) bool { return s == "ééé" },
		),
		lawful("StringOf/empty", bigen.StringOf(xyz, 0, 0), func(s string) bool { return s == "" }),
		lawful("StringOf/nil alphabet", bigen.StringOf(nil, 2, 30), of(2, 30, nil)),
		lawful("Rune", bigen.Rune(nil), utf8.ValidRune),
		lawful("Rune/class", bigen.Rune(letters), unicode.IsLetter),
		lawful("Rune/one", bigen.Rune(choices.Chars("я")), func(r rune) bool { return r == 'я' }),
		lawful("Bytes", bigen.Bytes(0, 40), func(b []byte) bool {
			return len(b) <= 40 && (b == nil) == (len(b) == 0)
		}),
		lawful("Bytes/exact", bigen.Bytes(16, 16), func(b []byte) bool { return len(b) == 16 }),
		lawful("Bytes/none", bigen.Bytes(0, 0), func(b []byte) bool { return b == nil }),
		lawful(
			"Matching", bigen.Matching(`[a-z]+(?:-(?:v\d+|dev)){0,3}`),
			matches(`[a-z]+(?:-(?:v\d+|dev)){0,3}`),
		),
		lawful("Matching/assertions", bigen.Matching(`.*\bx\b.*`), matches(`.*\bx\b.*`)),
		lawful("URL", bigen.URL(), func(u *url.URL) bool {
			v, err := url.Parse(u.String())
			return err == nil && reflect.DeepEqual(u, v)
		}),
	)
}
