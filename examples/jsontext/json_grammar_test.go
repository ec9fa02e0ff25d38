// Written by corpusgen grammar; checksum dcedaee3.
// Edit this file: the next run of corpusgen grammar does not touch it once it has changed.

package jsontext_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/syntax"
	"github.com/espalier-go/espalier/fuzzext"
)

// genValue makes syntax trees of json.ebnf.
var genValue = bigen.For[Value](
	bigen.Variants[Value](Object{}, Array{}, String(""), Number(""), ValueWord("")),
	bigen.With(lexValueWord.Gen()),
	bigen.With(lexString.Gen()),
	bigen.With(lexNumber.Gen()),
)

// languageValue prints these trees, and parses texts into them.
var languageValue = syntax.New(textValue, `\s+`)

func FuzzValue(f *testing.F) {
	// Seeds: parse files by languageValue.Parse, and add the trees by fuzzext.Add(f, genValue, trees...).
	f.Fuzz(fuzzext.Valid(genValue, func(t *fuzzext.T, tree Value) {
		text := languageValue.Print(tree)
		// TODO: call the code under test with text, instead of the following.
		again, err := languageValue.Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if second := languageValue.Print(again); second != text {
			t.Fatalf("%q is printed as %q", text, second)
		}
	}))
}

// Value = Object | Array | string | number | ("true" | "false" | "null")
type Value interface{ isValue() }

func textValue(c *syntax.C, p *Value) {
	switch {
	case syntax.Is(c, p, textObject):
	case syntax.Is(c, p, textArray):
	case syntax.Is(c, p, lexString.Text):
	case syntax.Is(c, p, lexNumber.Text):
	case syntax.Is(c, p, lexValueWord.Text):
	default:
		c.None()
	}
}

// "true" | "false" | "null"
type ValueWord string

var lexValueWord = syntax.NewLexeme[ValueWord](`true|false|null`)

func (ValueWord) isValue() {}

// Object = "{" (Member ("," Member)*)? "}"
type Object struct {
	Members []Member
}

func textObject(c *syntax.C, p *Object) {
	c.Token("{")
	syntax.List(c, &p.Members, 0, ",", textMember)
	c.Token("}")
}

func (Object) isValue() {}

// Array = "[" (Value ("," Value)*)? "]"
type Array struct {
	Values []Value
}

func textArray(c *syntax.C, p *Array) {
	c.Token("[")
	syntax.List(c, &p.Values, 0, ",", textValue)
	c.Token("]")
}

func (Array) isValue() {}

// string = "\"" char* "\""
type String string

var lexString = syntax.NewLexeme[String](`"(?:[ -!#-\[\]-\x{10ffff}]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f]))*"`)

func (String) isValue() {}

// number = "-"? ("0" | [1-9] digit*) ("." digit digit*)? (("e" | "E") ("+" | "-")? digit digit*)?
type Number string

var lexNumber = syntax.NewLexeme[Number](`-?(?:0|[1-9][0-9]*)(?:\.[0-9][0-9]*)?(?:[eE][+\-]?[0-9][0-9]*)?`)

func (Number) isValue() {}

// Member = string ":" Value
type Member struct {
	String String
	Value  Value
}

func textMember(c *syntax.C, p *Member) {
	lexString.Text(c, &p.String)
	c.Token(":")
	syntax.At(c, &p.Value, textValue)
}
