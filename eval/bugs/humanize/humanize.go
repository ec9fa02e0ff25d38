// Package humanize has bugs of github.com/dustin/go-humanize.
package humanize

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/go-humanize"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[uint64]{
		Name:   "go-humanize/1",
		Title:  "Bytes prints 1000 kB, not 1.0 MB",
		Source: source,
		Gen:    bigen.Int[uint64](),
		Rapid:  func(t *rapid.T) uint64 { return rapid.Uint64().Draw(t, "n") },
		Fails: func(n uint64) string {
			for i, text := range []string{humanize.Bytes(n), humanize.IBytes(n)} {
				number, _, _ := strings.Cut(text, " ")
				if f, err := strconv.ParseFloat(number, 64); err != nil || f >= []float64{1000, 1024}[i] {
					return fmt.Sprintf("%d is %s: %v", n, text, err)
				}
			}
			return ""
		},
	}),
	bug.New(bug.Spec[string]{
		Name:   "go-humanize/3",
		Title:  "ParseBytes rounds as a float64 does, and drops the fraction: 1.007 kB are 1006",
		Source: source,
		Gen:    bigen.Matching(size),
		Rapid:  func(t *rapid.T) string { return rapid.StringMatching(size).Draw(t, "size") },
		Fails: func(text string) string {
			want, err := humanize.ParseBigBytes(text)
			if err != nil {
				return err.Error()
			}
			if got, err := humanize.ParseBytes(text); err != nil ||
				want.Cmp(new(big.Int).SetUint64(got)) != 0 {
				return fmt.Sprintf("%s are %d, %v; want %v", text, got, err, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[int]{
		Name:   "go-humanize/8",
		Title:  "FormatInteger adds one to odd numbers from 2**52",
		Source: source,
		Gen:    bigen.IntRange(-1<<53, 1<<53),
		Rapid:  func(t *rapid.T) int { return rapid.IntRange(-1<<53, 1<<53).Draw(t, "n") },
		Fails: func(n int) string {
			if got, want := humanize.FormatInteger("#,###.", n), humanize.Comma(int64(n)); got != want {
				return fmt.Sprintf("%d is %s, want %s", n, got, want)
			}
			return ""
		},
	}),
}

const size = `[0-9]{1,3}(\.[0-9]{1,3})? ?([kMGT]i?)?B`
