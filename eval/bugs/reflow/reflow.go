// Package reflow has bugs of github.com/muesli/reflow.
package reflow

import (
	"fmt"
	"strings"

	"github.com/muesli/reflow/dedent"
	"github.com/muesli/reflow/wordwrap"
	"github.com/muesli/reflow/wrap"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/reflow"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[paragraph]{
		Name:   "reflow/4",
		Title:  "an escape sequence before a line end keeps white space that is too much",
		Source: source,
		Gen:    genParagraph("a", "b", " ", "\n", escape),
		Rapid:  rapidParagraph("a", "b", " ", "\n", escape),
		Fails: func(p paragraph) string {
			text := strings.Join(p.Parts, "") + "\n"
			got := strings.ReplaceAll(wordwrap.String(text, p.Limit), escape, "")
			if want := wordwrap.String(strings.ReplaceAll(text, escape, ""), p.Limit); got != want {
				return fmt.Sprintf("%q at %d becomes %q with escape sequences, and %q without",
					text, p.Limit, got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[paragraph]{
		Name:   "reflow/6",
		Title:  "what a Writer that wraps makes depends on how the text is divided",
		Source: source,
		Gen:    genParagraph("a", "bc", " ", "d e", "\n", "f\ng"),
		Rapid:  rapidParagraph("a", "bc", " ", "d e", "\n", "f\ng"),
		Fails: func(p paragraph) string {
			w := wrap.NewWriter(p.Limit)
			for _, part := range p.Parts {
				if _, err := w.Write([]byte(part)); err != nil {
					return err.Error()
				}
			}
			text := strings.Join(p.Parts, "")
			if got, want := w.String(), wrap.String(text, p.Limit); got != want {
				return fmt.Sprintf("%q at %d becomes %q by parts, and %q at once", text, p.Limit, got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[[]line]{
		Name:   "reflow/13",
		Title:  "dedent ignores the lines that are not indented",
		Source: source,
		Gen:    genLines,
		Rapid:  rapidLines,
		Fails: func(lines []line) string {
			for _, l := range lines {
				if strings.Contains(l.Indent, "\t") { // reflow/14
					return ""
				}
			}
			return dedents(lines)
		},
	}),
	bug.New(bug.Spec[[]line]{
		Name:   "reflow/14",
		Title:  "dedent takes a tab and a space for the same indentation",
		Source: source,
		Gen:    genLines,
		Rapid:  rapidLines,
		Fails: func(lines []line) string {
			for _, l := range lines {
				if l.Indent == "" && l.Text != "" { // reflow/13
					return ""
				}
			}
			return dedents(lines)
		},
	}),
}

const escape = "\x1b[0m"

// A paragraph is a text in parts, to be wrapped at a limit.
type paragraph struct {
	Parts []string
	Limit int
}

const (
	mostParts = 10
	mostLimit = 8
)

func genParagraph(parts ...string) bigen.Gen[paragraph] {
	return bigen.Struct(func(c *bigen.C, p *paragraph) {
		bigen.At(c, &p.Parts, bigen.SliceOf(bigen.OneOf(parts...), 0, mostParts))
		bigen.At(c, &p.Limit, bigen.IntRange(1, mostLimit))
	})
}

func rapidParagraph(parts ...string) func(t *rapid.T) paragraph {
	return func(t *rapid.T) paragraph {
		return paragraph{
			Parts: rapid.SliceOfN(rapid.SampledFrom(parts), 0, mostParts).Draw(t, "parts"),
			Limit: rapid.IntRange(1, mostLimit).Draw(t, "limit"),
		}
	}
}

// A line has an indentation.
type line struct{ Indent, Text string }

// dedents returns what is wrong about dedent: it takes away what all lines with a text begin with.
func dedents(lines []line) string {
	common, first := "", true
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.Indent+l.Text)
		switch {
		case l.Text == "":
		case first:
			common, first = l.Indent, false
		default:
			for !strings.HasPrefix(l.Indent, common) {
				common = common[:len(common)-1]
			}
		}
	}
	text := strings.Join(texts, "\n")
	for i, l := range lines {
		if l.Text != "" {
			texts[i] = strings.TrimPrefix(texts[i], common)
		}
	}
	got := strings.Split(dedent.String(text), "\n")
	for i, l := range lines {
		if i >= len(got) || l.Text != "" && got[i] != texts[i] { // blank lines may keep anything
			return fmt.Sprintf("%q becomes %q, want %q", text, got, texts)
		}
	}
	return ""
}

const (
	indents   = "[ \t]{0,3}"
	words     = "[ab]{0,2}"
	mostLines = 4
)

var genLines = bigen.SliceOf(bigen.Struct(func(c *bigen.C, l *line) {
	bigen.At(c, &l.Indent, bigen.Matching(indents))
	bigen.At(c, &l.Text, bigen.Matching(words))
}), 0, mostLines)

func rapidLines(t *rapid.T) []line {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) line {
		return line{rapid.StringMatching(indents).Draw(t, "indent"),
			rapid.StringMatching(words).Draw(t, "text")}
	}), 0, mostLines).Draw(t, "lines")
}
