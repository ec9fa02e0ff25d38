package syntax_test

import (
	"fmt"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/syntax"
)

// A setting is Key "=" Value, and a section is "[" Name "]" with settings.
type (
	key     string
	setting struct{ Key, Value key }
	section struct {
		Name     key
		Settings []setting
	}
)

var lexKey = syntax.NewLexeme[key](`[a-z]+`)

func textSetting(c *syntax.C, p *setting) {
	lexKey.Text(c, &p.Key)
	c.Token("=")
	lexKey.Text(c, &p.Value)
}

func textSection(c *syntax.C, p *section) {
	c.Token("[")
	lexKey.Text(c, &p.Name)
	c.Token("]")
	syntax.List(c, &p.Settings, 0, ";", textSetting)
}

var sections = syntax.New(textSection, `[ \n]`)

// One description prints trees, and parses texts.
func ExampleLanguage() {
	fmt.Println(sections.Print(section{"log", []setting{{"level", "info"}, {"to", "disk"}}}))
	tree, err := sections.Parse("[log]\n  level = info")
	fmt.Printf("%+v %v\n", tree, err)
	_, err = sections.Parse("[log] level info")
	fmt.Println(err)
	// Output:
	// [log]level=info;to=disk
	// {Name:log Settings:[{Key:level Value:info}]} <nil>
	// 1:13: want "="
}

// A generator of trees takes a file in the language as a seed: it reads the tree backward.
func ExampleLanguage_Parse() {
	keys := bigen.Matching(`[a-z]{1,8}`)
	gen := bigen.For[section](bigen.With(bigen.Iso(keys,
		func(s string) key { return key(s) },
		func(k key) (string, bool) { return string(k), true })))
	tree, err := sections.Parse("[log] level = info")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bigen.Check(gen, tree))
	fmt.Println(bigen.Check(gen, section{Name: "Log"}))
	// Output:
	// <nil>
	// not produced by the generator: at /Name: at position 0: "Log" does not match [a-z]
}
