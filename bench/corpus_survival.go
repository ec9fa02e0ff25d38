package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/literal"
)

// survivals count, for a change of a generator, the entries that still stand for an equal value, of n,
// and those that stand for a value of the new generator.
var survivals = map[string]func(n int) (equal, valid int){
	"alternative gained":     settingsSurvival(bigen.For[settings](stores(memory{}, (*disk)(nil), (*tape)(nil)), burst(100))),
	"alternatives reordered": settingsSurvival(bigen.For[settings](stores((*disk)(nil), memory{}), burst(100))),
	"range widened":          settingsSurvival(bigen.For[settings](stores(memory{}, (*disk)(nil)), burst(100_000))),
	"field added": func(n int) (equal, valid int) {
		return survivors(n, genSettings, bigen.For[moreSettings](stores(memory{}, (*disk)(nil)), bigen.Field(func(s *moreSettings) *int { return &s.Burst }, bigen.IntRange(0, 100))),
			settingsText, func(s moreSettings) string {
				return settingsText(settings{s.Name, s.Ports, s.Limits, s.Burst, s.Rate, s.Store, s.Backup})
			})
	},
}

// survival counts the entries that survive.
func survival(r run) (o, b figure, err error) {
	n := pick(r, 1000, 200)
	equal, valid := survivals[r.args[0]](n)
	if valid < n {
		err = fmt.Errorf("%d of %d entries are not valid", n-valid, n)
	}
	return number(float64(equal)), number(float64(n)), err
}

// survivors makes entries by the old generator, and counts those that the new one decodes to
// a value with the same text, and to a value that it makes itself.
func survivors[A, B any](n int, old bigen.Gen[A], changed bigen.Gen[B], oldText func(A) string, newText func(B) string) (equal, valid int) {
	r := rand.New(rand.NewPCG(1, 0))
	for i := 0; i < n; {
		v, _, err := bigen.Run(old, choices.Varied(r, i))
		if err != nil {
			continue
		}
		i++
		entry, err := bigen.Encode(old, v)
		if err != nil {
			continue
		}
		w, err := bigen.Decode(changed, entry)
		if err != nil {
			continue
		}
		if _, err := bigen.Choices(changed, w); err == nil {
			valid++
		}
		if newText(w) == oldText(v) {
			equal++
		}
	}
	return equal, valid
}

type (
	settings struct {
		Name   string `bigen:"len=1..16"`
		Ports  []uint16
		Limits map[string]int
		Burst  int
		Rate   *uint32 `bigen:"range=1..1_000_000"`
		Store  store
		Backup []store
	}
	moreSettings struct {
		Region string
		Name   string `bigen:"len=1..16"`
		Ports  []uint16
		Limits map[string]int
		Burst  int
		Rate   *uint32 `bigen:"range=1..1_000_000"`
		Store  store
		Backup []store
	}

	store  interface{ stores() }
	memory struct{ Megabytes int }
	disk   struct {
		Path string
		Sync bool
	}
	tape struct{ Meters int }
)

func (memory) stores() {}
func (*disk) stores()  {}
func (*tape) stores()  {}

func stores(types ...store) bigen.Option { return bigen.Variants[store](types...) }
func burst(most int) bigen.Option {
	return bigen.Field(func(s *settings) *int { return &s.Burst }, bigen.IntRange(0, most))
}

var genSettings = bigen.For[settings](stores(memory{}, (*disk)(nil)), burst(100))

func settingsText(s settings) string { return literal.Of(s, "") }

func settingsSurvival(changed bigen.Gen[settings]) func(n int) (equal, valid int) {
	return func(n int) (equal, valid int) {
		return survivors(n, genSettings, changed, settingsText, settingsText)
	}
}
