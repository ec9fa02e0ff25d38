package classbugs

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/choices/varied"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The targets of corpusgen fuzz in bench, which names the group in the environment.

func FuzzQuery(f *testing.F)   { fuzz(f, "Query") }
func FuzzLayers(f *testing.F)  { fuzz(f, "Layers") }
func FuzzCut(f *testing.F)     { fuzz(f, "Cut") }
func FuzzFormula(f *testing.F) { fuzz(f, "Formula") }

func FuzzCommand(f *testing.F) { fuzz(f, "Command") }

func FuzzDocument(f *testing.F) { fuzz(f, "Document") }
func FuzzStock(f *testing.F)    { fuzz(f, "Stock") }
func FuzzVersion(f *testing.F)  { fuzz(f, "Version") }
func FuzzPage(f *testing.F)     { fuzz(f, "Page") }
func FuzzTask(f *testing.F)     { fuzz(f, "Task") }
func FuzzSlots(f *testing.F)    { fuzz(f, "Slots") }

func fuzz(f *testing.F, name string) {
	if os.Getenv("ESPALIER_HUNT") == "" {
		f.Skip("these targets fail: they are for bench only")
	}
	all := Subjects()
	all[slices.IndexFunc(all, func(s Subject) bool { return s.Name == name })].Fuzz(f)
}

// Without a bug, no value fails. Each bug shows often enough for a run to see it.
func TestBugs(t *testing.T) {
	const values, least = 700, 2
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range Subjects() {
		show := make([]int, s.Bugs)
		for i := range values {
			entry, err := s.Entry(varied.Source(r, i))
			require.NoError(t, err)
			shown, err := s.Shown(entry)
			require.NoError(t, err)
			for bug := range show {
				show[bug] += int(shown >> bug & 1)
			}
		}
		assert.GreaterOrEqual(t, slices.Min(show), least,
			"%s: of %d values, so many show each bug: %v", s.Name, values, show)
		t.Log(s.Name, show)
	}
}

func TestTold(t *testing.T) {
	for _, c := range []struct {
		shown []Set
		want  int
	}{
		{nil, 0},
		{[]Set{0b001, 0b100}, 2},
		{[]Set{0b001, 0b001}, 1},
		{[]Set{0b111, 0b011, 0b001}, 3},
		{[]Set{0b011}, 0},
		{[]Set{0, 0b110, 0b001}, 1},
	} {
		assert.Equal(t, c.want, Told(c.shown), "bugs of %b that have an entry", c.shown)
	}
}
