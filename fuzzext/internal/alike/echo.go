package alike

import (
	"encoding/hex"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/engine"
)

// An error often quotes its input, so what it says differs from one value to the next. Echoes
// are the parts of a message that are also strings of the value, or words of them. The class of
// a failure does not have them.

// Unechoed returns the words of what a failure has said about a value, without echoes and with them.
func Unechoed(said string, v any) (words, withEchoes string) {
	return wordsOf(engine.Plain(withoutEchoes(said, stringsOf(v)))), wordsOf(engine.Plain(said))
}

const (
	maxStrings = 200     // of a value
	maxParsed  = 2000    // parts of it
	maxSaid    = 4 << 10 // bytes of a message
	sureEcho   = 3       // runes of an echo that may stand anywhere, if it begins and ends with no word
)

// withoutEchoes returns a message in which a mark stands for each echo, the longest first.
func withoutEchoes(said string, of []string) string {
	var forms []string
	add := func(s string) {
		if strings.TrimSpace(s) != "" {
			forms = append(forms, s)
		}
	}
	for _, s := range of {
		add(s)
		quoted := strconv.Quote(s)
		add(quoted[1 : len(quoted)-1])
		add(strings.ToUpper(s))
		add(strings.ToLower(s))
		if len(s) > 1 {
			add(hex.EncodeToString([]byte(s)))
		}
		for _, word := range strings.FieldsFunc(s, func(r rune) bool { return !inWord(r) }) {
			add(word)
		}
	}
	slices.SortFunc(forms, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	if len(said) > maxSaid {
		said = said[:maxSaid]
	}
	for _, form := range slices.Compact(forms) {
		said = withoutEcho(said, form)
	}
	return said
}

func withoutEcho(said, echo string) string {
	if !strings.Contains(said, echo) {
		return said
	}
	var b strings.Builder
	last, _ := utf8.DecodeLastRuneInString(echo)
	first, _ := utf8.DecodeRuneInString(echo)
	sure := strings.ContainsFunc(echo, inWord) || utf8.RuneCountInString(echo) >= sureEcho
	for {
		at := strings.Index(said, echo)
		if at < 0 {
			b.WriteString(said)
			return b.String()
		}
		before, _ := utf8.DecodeLastRuneInString(b.String() + said[:at])
		after, _ := utf8.DecodeRuneInString(said[at+len(echo):])
		stands := !(inWord(first) && inWord(before)) && !(inWord(last) && inWord(after))
		if !sure {
			stands = strings.ContainsRune(" \n\t'(\uFFFD", before) && strings.ContainsRune(" \n\t,;:')\uFFFD", after)
		}
		b.WriteString(said[:at])
		if stands {
			b.WriteRune(engine.Left)
			said = said[at+len(echo):]
		} else { // one rune further
			_, n := utf8.DecodeRuneInString(echo)
			b.WriteString(said[at : at+n])
			said = said[at+n:]
		}
	}
}

// wordsOf returns the words of a message, but for those of one letter: such a word is often an
// echo by chance. And an echo may be empty, or punctuation.
func wordsOf(message string) string {
	words := strings.FieldsFunc(message, func(r rune) bool { return !inWord(r) })
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return utf8.RuneCountInString(w) == 1 }), " ")
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}

// stringsOf returns the strings in a value, and its slices of bytes, each once.
func stringsOf(v any) []string {
	w := stringWalk{seen: map[string]bool{}, left: maxParsed}
	w.walk(reflect.ValueOf(v))
	return w.found
}

type stringWalk struct {
	seen  map[string]bool
	found []string
	left  int
}

func (w *stringWalk) walk(v reflect.Value) {
	w.left--
	if w.left < 0 || len(w.found) == maxStrings {
		return
	}
	switch v.Kind() {
	case reflect.String:
		w.add(v.String())
	case reflect.Pointer, reflect.Interface: // a cycle ends with w.left
		if !v.IsNil() {
			w.walk(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			w.walk(v.Field(i))
		}
	case reflect.Map:
		for i := v.MapRange(); i.Next(); {
			w.walk(i.Key())
			w.walk(i.Value())
		}
	case reflect.Slice, reflect.Array:
		switch v.Type().Elem().Kind() {
		case reflect.Uint8:
			if v.Kind() == reflect.Slice {
				w.add(string(v.Bytes()))
				return
			}
		case reflect.Int32: // runes
			var runes []rune
			for i := range min(v.Len(), maxSaid) {
				runes = append(runes, rune(v.Index(i).Int()))
			}
			w.add(string(runes))
			return
		}
		for i := range v.Len() {
			w.walk(v.Index(i))
		}
	}
}

func (w *stringWalk) add(s string) {
	if s != "" && len(s) <= maxSaid && !w.seen[s] {
		w.seen[s] = true
		w.found = append(w.found, s)
	}
}
