// Package properties has bugs of github.com/magiconair/properties.
package properties

import (
	"bytes"
	"fmt"
	"maps"
	"strings"

	"github.com/magiconair/properties"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/properties"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	loading("properties/1", "a line end that is escaped in a key becomes a part of the key", inKey),
	loading("properties/4", "a continuation before CR LF joins the CR only", beforeCRLF),
	bug.New(bug.Spec[map[string]string]{
		Name:   "properties/6",
		Title:  "Write does not escape a # or ! at the beginning of a key",
		Source: source,
		Gen:    bigen.MapOf(genText(1), genText(0), 0, mostEntries),
		Rapid: func(t *rapid.T) map[string]string {
			return rapid.MapOfN(rapidText(1), rapidText(0), 0, mostEntries).Draw(t, "entries")
		},
		Fails: func(entries map[string]string) string {
			p := properties.NewProperties()
			p.DisableExpansion = true
			for k, v := range entries {
				if _, _, err := p.Set(k, v); err != nil {
					return err.Error()
				}
			}
			var b bytes.Buffer
			if _, err := p.Write(&b, properties.UTF8); err != nil {
				return err.Error()
			}
			got, err := load(b.String())
			if err != nil || !maps.Equal(got, entries) {
				return fmt.Sprintf("%q loads as %q, %v", b.String(), got, err)
			}
			return ""
		},
	}),
	loading("properties/9", "a continuation before the separator puts the separator into the value",
		beforeSeparator),
}

// loading returns a bug that shows in texts that have a shape.
func loading(name, title string, of shape) bug.Bug {
	return bug.New(bug.Spec[[]string]{
		Name: name, Title: title, Source: source,
		Gen: bigen.SliceOf(bigen.OneOf(fragments...), 0, mostFragments),
		Rapid: func(t *rapid.T) []string {
			return rapid.SliceOfN(rapid.SampledFrom(fragments), 0, mostFragments).Draw(t, "text")
		},
		Fails: func(parts []string) string {
			text := strings.Join(parts, "")
			want, shapes := parse(text)
			if shapes&^of != 0 { // the other bugs
				return ""
			}
			got, err := load(text)
			if err != nil || !maps.Equal(got, want) {
				return fmt.Sprintf("%q loads as %q, %v; want %q", text, got, err, want)
			}
			return ""
		},
	})
}

func load(text string) (map[string]string, error) {
	l := properties.Loader{Encoding: properties.UTF8, DisableExpansion: true}
	p, err := l.LoadBytes([]byte(text))
	if err != nil {
		return nil, err
	}
	return p.Map(), nil
}

// Fragments are what texts consist of.
var fragments = []string{"a", "b", "c", "=", ":", " ", "\t", "\n", "\r\n", "\\\n", "\\\r\n", `\\`,
	`\=`, `\ `, `\t`, `\u0041`, "#", "!"}

const (
	mostFragments = 12
	mostEntries   = 3
	mostText      = 5
	alphabet      = "ab#!=: \\\t\n"
)

func genText(least int) bigen.Gen[string] {
	return bigen.StringOf(choices.Chars(alphabet), least, mostText)
}

func rapidText(least int) *rapid.Generator[string] {
	return rapid.StringOfN(rapid.RuneFrom([]rune(alphabet)), least, mostText, -1)
}

// A shape is of texts that the package reads otherwise than Java does.
type shape int

const (
	inKey           shape = 1 << iota // a continuation: properties/1
	beforeCRLF                        // one of a value: properties/4
	beforeSeparator                   // one: properties/9
	noKey                             // properties/3
	noNext                            // a continuation ends the text: properties/2
)

// parse reads a text as the documentation of java.util.Properties says.
func parse(text string) (entries map[string]string, shapes shape) {
	entries = map[string]string{}
	for text != "" {
		text = strings.TrimLeft(text, " \t\f\r\n")
		if text == "" || text[0] == '#' || text[0] == '!' {
			end := strings.IndexAny(text, "\r\n")
			if end < 0 {
				break
			}
			text = text[end:]
			continue
		}
		p := parser{rest: text}
		key := p.part(true)
		if key == "" && p.rest != "" && (p.rest[0] == '=' || p.rest[0] == ':') {
			p.shapes |= noKey
		}
		p.seen = beforeSeparator
		if p.space(); p.rest != "" && (p.rest[0] == '=' || p.rest[0] == ':') {
			p.rest = p.rest[1:]
		}
		p.seen = beforeCRLF
		p.space()
		entries[key] = p.part(false)
		text, shapes = p.rest, shapes|p.shapes
	}
	return entries, shapes
}

// A parser reads a logical line.
type parser struct {
	rest   string
	seen   shape // of a continuation here
	shapes shape
}

// part reads a key, or a value.
func (p *parser) part(key bool) string {
	p.seen = beforeCRLF
	if key {
		p.seen = inKey
	}
	var b strings.Builder
	for p.join(); p.rest != ""; p.join() {
		c := p.rest[0]
		if c == '\n' || c == '\r' || key && strings.IndexByte("=: \t\f", c) >= 0 {
			break
		}
		p.rest = p.rest[1:]
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		switch {
		case p.rest == "": // the end of the text drops it
		case strings.HasPrefix(p.rest, "u0041"):
			b.WriteByte('A')
			p.rest = p.rest[5:]
		case p.rest[0] == 't':
			b.WriteByte('\t')
			p.rest = p.rest[1:]
		default:
			b.WriteByte(p.rest[0])
			p.rest = p.rest[1:]
		}
	}
	return b.String()
}

// space skips white space.
func (p *parser) space() {
	for p.join(); p.rest != "" && strings.IndexByte(" \t\f", p.rest[0]) >= 0; p.join() {
		p.rest = p.rest[1:]
	}
}

// join skips continuations.
func (p *parser) join() {
	for strings.HasPrefix(p.rest, "\\\n") || strings.HasPrefix(p.rest, "\\\r\n") {
		crlf := p.rest[1] == '\r'
		p.rest = strings.TrimLeft(strings.TrimLeft(p.rest[1:], "\r")[1:], " \t\f")
		if crlf {
			p.shapes |= beforeCRLF
		}
		if p.seen != beforeCRLF {
			p.shapes |= p.seen
		}
		if p.rest == "" {
			p.shapes |= noNext
		}
	}
}
