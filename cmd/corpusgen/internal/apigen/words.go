package apigen

import (
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameKind gives a kind its name and the variable of its pool.
func (e *enum) nameKind(k *kind) {
	name, pool := wordsOf(k.typ)
	k.name, k.pool = e.values.unique(name), e.imports.taken.unique(pool)
}

// wordsOf returns words for a value of a type, and for several.
func wordsOf(t types.Type) (one, many string) {
	switch u := types.Unalias(t).(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return "s", "texts"
		case info&types.IsBoolean != 0:
			return "b", "bools"
		case info&types.IsInteger != 0:
			return "n", u.Name() + "s"
		}
		return "f", u.Name() + "s"
	case *types.Named:
		name := u.Obj().Name()
		if name == "error" {
			return "err", "errs"
		}
		one = lowerFirst(name)
		return one, plural(one)
	case *types.Pointer:
		one, many = wordsOf(u.Elem())
		if _, ok := types.Unalias(u.Elem()).(*types.Named); !ok {
			return one + "Ptr", one + "Ptrs"
		}
		return one, many
	case *types.Slice:
		one, many = wordsOf(u.Elem())
		if b, ok := u.Elem().(*types.Basic); ok && b.Kind() == types.Byte {
			return "data", "byteSlices"
		}
		return many, one + "Slices"
	case *types.Array:
		one, _ = wordsOf(u.Elem())
		return one + "Array", one + "Arrays"
	case *types.Map:
		return "m", "maps"
	case *types.Signature:
		return "f", "funcs"
	case *types.Interface:
		if u.NumMethods() == 0 {
			return "x", "anys"
		}
		return "object", "objects"
	case *types.Struct:
		return "fields", "structs"
	}
	return "v", "values"
}

func lowerFirst(s string) string {
	n := 0 // how many letters are in upper case: UUID becomes uuid, HTTPServer httpServer
	for i, r := range s {
		if !unicode.IsUpper(r) {
			break
		}
		n = i + utf8.RuneLen(r)
	}
	switch {
	case n == len(s), n == len(s)-1 && s[n] == 's': // as in UUIDs
		return strings.ToLower(s)
	case n > 1:
		_, last := utf8.DecodeLastRuneInString(s[:n])
		n -= last
	}
	return strings.ToLower(s[:n]) + s[n:]
}

// Title returns the words of a text as a part of the name of a test.
func Title(text string) (name string) {
	ends := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, word := range strings.FieldsFunc(text, ends) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

func plural(s string) string {
	switch {
	case strings.HasSuffix(s, "y") && len(s) > 1 && !strings.ContainsRune("aeiou", rune(s[len(s)-2])):
		return s[:len(s)-1] + "ies"
	case strings.HasSuffix(s, "s"):
		return "all" + strings.ToUpper(s[:1]) + s[1:]
	case strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "sh"):
		return s + "es"
	}
	return s + "s"
}
