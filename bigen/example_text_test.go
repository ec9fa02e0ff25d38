package bigen_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"unicode"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// A regular expression is a generator, and an answer to why a string does not match.
func ExampleMatching() {
	version := bigen.Matching(
		`v(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d?)){2}(?:-(?:alpha|beta|rc)\.\d{1,2})?`,
	)
	r := rand.New(rand.NewPCG(1, 3))
	for range 3 {
		fmt.Println(bigen.Sample(version, r))
	}
	fmt.Println(bigen.Choices(version, "v1.26.0-rc.2"))
	fmt.Println(bigen.Check(version, "v1.026.0"))
	fmt.Println(bigen.Check(version, "v1.26"))
	// Output:
	// v679.20.67-alpha.7
	// v0.57.92-beta.46
	// v19.48.0
	// "[1-9][0-9]{0,2}"("1", ""), more("[1-9][0-9]?"("2", "6")), more("0"), more(rc, "2") <nil>
	// not produced by the generator: at /: at position 4: "26.0" does not match "."
	// not produced by the generator: at /: at position 5: the end does not match "."
}

// An alphabet says what a text may consist of.
func ExampleStringOf() {
	id := choices.Union(choices.Chars("_"), choices.Class(unicode.Letter, unicode.Digit))
	gen := bigen.StringOf(id, 1, 8)
	fmt.Println(bigen.Check(gen, "naïve_1"))
	fmt.Println(bigen.Check(bigen.StringOf(choices.RuneRanges('a', 'z', '0', '9'), 1, 8), "two-1"))
	// Output:
	// <nil>
	// not produced by the generator: at /: at position 3: '-' is not one of [a-z0-9]
}

func ExampleRune() {
	r := rand.New(rand.NewPCG(1, 2))
	dice := bigen.Rune(choices.RuneRanges('⚀', '⚅'))
	for range 5 {
		fmt.Print(string(bigen.Sample(dice, r)), " ")
	}
	fmt.Println(bigen.Check(dice, '6'))
	// Output:
	// ⚃ ⚅ ⚅ ⚁ ⚄ not produced by the generator: at /: U+0036 '6' is not one of [⚀-⚅]
}

func ExampleBytes() {
	gen := bigen.Bytes(4, 4)
	b, err := bigen.Encode(gen, []byte{0xCA, 0xFE, 0xBA, 0xBE})
	fmt.Println(err)
	v, err := bigen.Decode(gen, b)
	fmt.Printf("%x %v\n", v, err)
	fmt.Println(bigen.Check(gen, []byte("12345")))
	// Output:
	// <nil>
	// cafebabe <nil>
	// not produced by the generator: at /: 5 bytes, not 4 to 4
}

func ExampleURL() {
	u, err := url.Parse("https://gopher@go.dev:443/doc/?m=text#install")
	fmt.Println(bigen.Check(bigen.URL(), u), err)
	fmt.Println(bigen.Check(bigen.URL(), &url.URL{Host: "go.dev", Path: "doc"}))
	// Output:
	// <nil> <nil>
	// not produced by the generator: at /: its String, "//go.dev/doc", is parsed as another URL
}
