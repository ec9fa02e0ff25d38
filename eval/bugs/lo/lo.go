// Package lo has bugs of github.com/samber/lo.
package lo

import (
	"fmt"
	"slices"

	"github.com/samber/lo"
	"github.com/samber/lo/it"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/lo"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[window]{
		Name:   "lo/2",
		Title:  "Substring compares an offset from the end with the length in bytes",
		Source: source,
		Gen:    genWindow,
		Rapid:  rapidWindow,
		Fails: func(w window) string {
			if got, want := lo.Substring(w.Text, w.Offset, w.Len), w.substring(); got != want {
				return fmt.Sprintf("got %q, want %q", got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[trim]{
		Name:   "lo/3",
		Title:  "it.TrimSuffix trims nothing if the end is not a whole number of suffixes",
		Source: source,
		Gen:    genTrim,
		Rapid:  rapidTrim,
		Fails: func(t trim) string {
			got := slices.Collect(it.TrimSuffix(slices.Values(t.List), t.Suffix))
			if want := lo.TrimSuffix(t.List, t.Suffix); !slices.Equal(got, want) {
				return fmt.Sprintf("got %v, want %v", got, want)
			}
			return ""
		},
	}),
}

// A window is a part of a text.
type window struct {
	Text   string
	Offset int // from the end, if it is negative
	Len    uint
}

func (w window) substring() string {
	runes, from := []rune(w.Text), w.Offset
	if from < 0 {
		from = max(0, len(runes)+from)
	}
	from = min(from, len(runes))
	return string(runes[from:min(len(runes), from+int(w.Len))])
}

const (
	alphabet   = "abéж日"
	mostText   = 8
	mostOffset = 12
)

var genWindow = bigen.Struct(func(c *bigen.C, w *window) {
	bigen.At(c, &w.Text, bigen.StringOf(choices.Chars(alphabet), 0, mostText))
	bigen.At(c, &w.Offset, bigen.IntRange(-mostOffset, mostOffset))
	bigen.At(c, &w.Len, bigen.IntRange[uint](0, mostText))
})

func rapidWindow(t *rapid.T) window {
	return window{
		Text:   rapid.StringOfN(rapid.RuneFrom([]rune(alphabet)), 0, mostText, -1).Draw(t, "text"),
		Offset: rapid.IntRange(-mostOffset, mostOffset).Draw(t, "offset"),
		Len:    rapid.UintRange(0, mostText).Draw(t, "len"),
	}
}

// A trim is a list, and a suffix of which it may end in several.
type trim struct{ List, Suffix []int }

const (
	mostNumber = 2
	mostList   = 10
	mostSuffix = 3
)

var genTrim = bigen.Struct(func(c *bigen.C, t *trim) {
	bigen.At(c, &t.List, bigen.SliceOf(bigen.IntRange(0, mostNumber), 0, mostList))
	bigen.At(c, &t.Suffix, bigen.SliceOf(bigen.IntRange(0, mostNumber), 0, mostSuffix))
})

func rapidTrim(t *rapid.T) trim {
	return trim{
		List:   rapid.SliceOfN(rapid.IntRange(0, mostNumber), 0, mostList).Draw(t, "list"),
		Suffix: rapid.SliceOfN(rapid.IntRange(0, mostNumber), 0, mostSuffix).Draw(t, "suffix"),
	}
}
