// Package ini has bugs of gopkg.in/ini.v1.
package ini

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/ini.v1"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/go-ini"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[[]string]{
		Name:   "go-ini/4",
		Title:  "a value of several lines does not load if quotes surround the first",
		Source: source,
		Gen:    bigen.SliceOf(bigen.Matching(line), 1, 4),
		Rapid: func(t *rapid.T) []string {
			return rapid.SliceOfN(rapid.StringMatching(line), 1, 4).Draw(t, "lines")
		},
		Fails: func(lines []string) string {
			if len(lines) == 1 || strings.HasPrefix(lines[0], `"""`) {
				return "" // quotes around all of a value, or three of them, have a meaning
			}
			options := ini.LoadOptions{AllowPythonMultilineValues: true}
			indented := strings.Join(lines, "\n  ")
			return load(options, indented, indented)
		},
	}),
	bug.New(bug.Spec[string]{
		Name:   "go-ini/7",
		Title:  "a comment that begins with ; is part of the value if one with # follows",
		Source: source,
		Gen:    bigen.Matching(commented),
		Rapid:  func(t *rapid.T) string { return rapid.StringMatching(commented).Draw(t, "text") },
		Fails: func(text string) string {
			want := text
			for i := range text {
				if strings.HasPrefix(text[i:], " #") || strings.HasPrefix(text[i:], " ;") {
					want = text[:i]
					break
				}
			}
			return load(ini.LoadOptions{SpaceBeforeInlineComment: true}, text, strings.TrimSpace(want))
		},
	}),
	bug.New(bug.Spec[list]{
		Name:   "go-ini/9",
		Title:  "an escaped delimiter of several characters loses only its first",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, l *list) {
			bigen.At(c, &l.Delimiter, bigen.OneOf(delimiters...))
			bigen.At(c, &l.Parts, bigen.SliceOf(bigen.OneOf(l.alphabet()...), 0, 8))
		}),
		Rapid: func(t *rapid.T) (l list) {
			l.Delimiter = rapid.SampledFrom(delimiters).Draw(t, "delimiter")
			l.Parts = rapid.SliceOfN(rapid.SampledFrom(l.alphabet()), 0, 8).Draw(t, "parts")
			return l
		},
		Fails: func(l list) string {
			key, err := ini.Empty().Section("").NewKey("key", l.text())
			if err != nil {
				return err.Error()
			}
			if got, want := key.Strings(l.Delimiter), l.want(); !slices.Equal(got, want) {
				return fmt.Sprintf("%s splits at %s into %q, want %q", l.text(), l.Delimiter, got, want)
			}
			return ""
		},
	}),
}

const (
	line      = `[ab'"]{1,4}`
	commented = `[a-c][a-c;# ]{0,9}`
)

// load loads one value.
func load(options ini.LoadOptions, text, want string) string {
	file, err := ini.LoadSources(options, []byte("key = "+text+"\n"))
	if err != nil {
		return err.Error()
	}
	if got := file.Section("").Key("key").String(); got != want {
		return fmt.Sprintf("%q is loaded as %q, want %q", text, got, want)
	}
	return ""
}

var delimiters = []string{",", "::", "||"}

// A list has the parts of a text that is split at a delimiter.
type list struct {
	Delimiter string
	Parts     []string
}

func (l *list) alphabet() []string {
	return []string{"a", "b", l.Delimiter, `\` + l.Delimiter, l.Delimiter[:1]}
}

// text ends with a letter, because what else is at the end may be dropped.
func (l list) text() string { return strings.Join(l.Parts, "") + "a" }

func (l list) want() []string {
	elements, last := []string{}, ""
	for rest := l.text(); rest != ""; {
		switch {
		case strings.HasPrefix(rest, l.Delimiter):
			elements, last = append(elements, last), ""
			rest = rest[len(l.Delimiter):]
		case strings.HasPrefix(rest, `\`+l.Delimiter):
			last += l.Delimiter
			rest = rest[1+len(l.Delimiter):]
		default:
			last += rest[:1]
			rest = rest[1:]
		}
	}
	return append(elements, last)
}
