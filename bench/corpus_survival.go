package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/literal"
)

// survivalRows count the entries that stand for an equal value after the generator has
// changed. All others must stand for values of the new generator.
func survivalRows() []row {
	var rows []row
	for _, s := range []struct {
		name  string
		count func(n int) (equal, valid int)
	}{
		{"expr/alternative gained", expSurvival(expChange{minus: true})},
		{"expr/alternatives reordered", expSurvival(expChange{reordered: true})},
		{"expr/range widened", expSurvival(expChange{widened: true})},
		{"expr/field added", expSurvival(expChange{position: true})},
		{"derive/alternative gained", settingsSurvival(bigen.For[settings](stores(memory{}, (*disk)(nil), (*tape)(nil)), burst(100)))},
		{"derive/alternatives reordered", settingsSurvival(bigen.For[settings](stores((*disk)(nil), memory{}), burst(100)))},
		{"derive/range widened", settingsSurvival(bigen.For[settings](stores(memory{}, (*disk)(nil)), burst(100_000)))},
		{"derive/field added", func(n int) (equal, valid int) {
			return survivors(n, genSettings, bigen.For[moreSettings](stores(memory{}, (*disk)(nil)), bigen.Field(func(s *moreSettings) *int { return &s.Burst }, bigen.IntRange(0, 100))),
				settingsText, func(s moreSettings) string {
					return settingsText(settings{s.Name, s.Ports, s.Limits, s.Burst, s.Rate, s.Store, s.Backup})
				})
		}},
	} {
		rows = append(rows, row{"corpus/survival/" + s.name, "entries", ratioAtLeast(0.9), func(quick bool) (o, b figure, err error) {
			n := 1000
			if quick {
				n = 200
			}
			equal, valid := s.count(n)
			fmt.Fprintf(os.Stderr, "corpus/survival/%s: of %d entries, %d equal, %d valid\n", s.name, n, equal, valid)
			if valid < n {
				err = fmt.Errorf("%d of %d entries are not valid", n-valid, n)
			}
			return figure{value: float64(equal)}, figure{value: float64(n)}, err
		}})
	}
	return rows
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
	exp   interface{ String() string }
	plus  operation
	minus operation
	times operation
	neg   struct{ X exp }
	num   struct{ N int }

	operation struct {
		Position int // only of the generator with this field
		X, Y     exp
	}
)

func (e plus) String() string  { return fmt.Sprintf("(%v + %v)", e.X, e.Y) }
func (e minus) String() string { return fmt.Sprintf("(%v - %v)", e.X, e.Y) }
func (e times) String() string { return fmt.Sprintf("(%v * %v)", e.X, e.Y) }
func (e neg) String() string   { return fmt.Sprintf("-%v", e.X) }
func (e num) String() string   { return fmt.Sprint(e.N) }

// An expChange is how the generator of expressions changes.
type expChange struct{ minus, reordered, widened, position bool }

func genExp(change expChange) bigen.Gen[exp] {
	most := 99
	if change.widened {
		most = 9999
	}
	number := bigen.Case[exp]("number", bigen.Struct(func(c *bigen.C, e *num) { bigen.At(c, &e.N, bigen.IntRange(0, most)) }))
	return bigen.Recursive(bigen.Pick(number), func(self bigen.Gen[exp]) bigen.Gen[exp] {
		position := bigen.IntRange(0, 999)
		alts := []bigen.Alt[exp]{
			number,
			bigen.Case[exp]("neg", bigen.Struct(func(c *bigen.C, e *neg) { bigen.At(c, &e.X, self) })),
			bigen.Case[exp]("plus", bigen.Struct(func(c *bigen.C, e *plus) {
				if change.position {
					bigen.At(c, &e.Position, position)
				}
				bigen.At(c, &e.X, self)
				bigen.At(c, &e.Y, self)
			})),
			bigen.Case[exp]("times", bigen.Struct(func(c *bigen.C, e *times) {
				bigen.At(c, &e.X, self)
				bigen.At(c, &e.Y, self)
			})),
		}
		if change.minus {
			alts = slices.Insert(alts, 2, bigen.Case[exp]("minus", bigen.Struct(func(c *bigen.C, e *minus) {
				bigen.At(c, &e.X, self)
				bigen.At(c, &e.Y, self)
			})))
		}
		if change.reordered {
			slices.Reverse(alts)
		}
		return bigen.Pick(alts...)
	}, 12)
}

func expSurvival(change expChange) func(n int) (equal, valid int) {
	return func(n int) (equal, valid int) {
		return survivors(n, genExp(expChange{}), genExp(change), exp.String, exp.String)
	}
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
