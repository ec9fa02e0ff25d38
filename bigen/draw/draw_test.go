package draw_test

import (
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/draw"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// sorting draws a list, changes it, and draws positions in it.
var sorting = draw.Property(func(t *draw.T) {
	list := draw.From(t, "list", bigen.SliceOf(bigen.IntRange(0, 9), 1, 5))
	slices.Sort(list)
	for range draw.From(t, "n", bigen.IntRange(0, 3)) {
		i := draw.From(t, "i", bigen.IntRange(0, len(list)-1))
		if list[0] > list[i] {
			t.Errorf("%d is after %d", list[i], list[0])
		}
	}
	if p := draw.From(t, "p", bigen.Ptr(bigen.Bool())); p != nil {
		*p = !*p
	}
})

func TestLaws(t *testing.T) { bigentest.Laws(t, sorting.Gen()) }

// A property may change what it draws, in either direction: the values stay as they have been
// drawn.
func TestChangedValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	unsorted := 0
	for range 100 {
		values, tree, err := bigen.Run(sorting.Gen(), choices.Random(r))
		require.NoError(t, err)
		if list := values[0].Value.([]int); !slices.IsSorted(list) {
			unsorted++
		}
		before := slices.Clone(values[0].Value.([]int))
		back, err := bigen.Choices(sorting.Gen(), values)
		require.NoError(t, err)
		require.Equal(t, tree, back)
		require.Equal(t, before, values[0].Value)
	}
	require.Positive(t, unsorted)
}

// witness is a test that keeps what a property does to it.
type witness struct {
	testing.TB
	said string
	over bool
}

func (w *witness) Helper()      {}
func (w *witness) Failed() bool { return w.said != "" }
func (w *witness) Errorf(format string, args ...any) {
	w.said = format
}

func (w *witness) Fatalf(format string, args ...any) {
	w.Errorf(format, args...)
	w.FailNow()
}

func (w *witness) FailNow() {
	w.over = true
	panic(w)
}

// run runs a property on values, and returns what it tells the test.
func run(d *draw.Drawing, values []draw.Value) (w *witness) {
	w = &witness{}
	defer func() {
		if r := recover(); r != nil && r != w {
			w.said = r.(string)
		}
	}()
	d.Run(w, values)
	return w
}

// However the first run ends, the values drawn until then are known, and the second run ends so,
// too.
func TestEndings(t *testing.T) {
	for name, end := range map[string]func(t *draw.T){
		"panic":  func(*draw.T) { panic("panic") },
		"Fatalf": func(t *draw.T) { t.Fatalf("Fatalf") },
		"Errorf": func(t *draw.T) { t.Errorf("Errorf") },
	} {
		d := draw.Property(func(t *draw.T) {
			draw.From(t, "x", bigen.Just(1))
			defer func() { // as a property may that frees something
				draw.From(t, "y", bigen.Just(2))
			}()
			end(t)
		})
		values, _, err := bigen.Run(d.Gen(), choices.Replay(nil, nil))
		require.NoError(t, err)
		require.Equal(t, []draw.Value{{"x", 1}, {"y", 2}}, values, name)
		require.Equal(t, name, run(d, values).said)
	}
}

// The TB of the first run can do what the TB of a test can.
func TestFirstRun(t *testing.T) {
	t.Setenv("DRAW_TEST", "before")
	here, err := os.Getwd()
	require.NoError(t, err)
	dir, cleanups := "", ""
	d := draw.Property(func(t *draw.T) {
		t.Helper()
		t.Log(t.Name())
		t.Logf("%s", "x")
		t.Attr("key", "value")
		t.Label("label")
		t.Class("class")
		_, _ = io.WriteString(t.Output(), "output")
		t.Cleanup(func() { cleanups += "first" })
		t.Cleanup(func() { cleanups += "second "; panic("once") })
		t.Setenv("DRAW_TEST", "within")
		t.Setenv("DRAW_TEST_NEW", "within")
		dir = t.TempDir()
		t.Chdir(dir)
		ctx := t.Context()
		t.Cleanup(func() { <-ctx.Done() })
		require.False(t, t.Failed() || t.Skipped())
		draw.From(t, "env", bigen.Just(os.Getenv("DRAW_TEST")+os.Getenv("DRAW_TEST_NEW")))
		go t.Error("another goroutine")
		t.Assume(false)
		draw.From(t, "never", bigen.Bool())
	})
	values, _, err := bigen.Run(d.Gen(), choices.Replay(nil, nil))
	require.NoError(t, err)
	require.Equal(t, []draw.Value{{"env", "withinwithin"}}, values)
	require.Equal(t, "second first", cleanups)
	require.Equal(t, "before", os.Getenv("DRAW_TEST"))
	_, there := os.LookupEnv("DRAW_TEST_NEW")
	require.False(t, there)
	now, err := os.Getwd()
	require.NoError(t, err)
	require.Equal(t, here, now)
	_, err = os.Stat(dir)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// What a generator rejects, or panics with, is not the property's.
func TestGenerators(t *testing.T) {
	odd := draw.Property(func(t *draw.T) {
		defer func() { _ = recover() }()
		draw.From(t, "odd", bigen.SuchThat(bigen.Just(2), func(n int) bool { return n%2 == 1 }))
	})
	_, _, err := bigen.Run(odd.Gen(), choices.Replay(nil, nil))
	require.ErrorIs(t, err, bigen.ErrRejected)

	broken := draw.Property(func(t *draw.T) { draw.From(t, "x", bigen.Gen[int]{}) })
	defer func() { require.Contains(t, recover(), "a zero Gen is run") }()
	_, _, _ = bigen.Run(broken.Gen(), choices.Replay(nil, nil))
}

// A list that the property would not draw is refused, with the reason.
func TestRefused(t *testing.T) {
	list, n, nothing := draw.Value{"list", []int{3}}, draw.Value{"n", 0}, draw.Value{"p", (*bool)(nil)}
	for _, c := range []struct {
		values []draw.Value
		want   string
	}{
		{[]draw.Value{list, n}, `the property draws "p" after these 2 values`},
		{[]draw.Value{list, {"m", 0}, nothing},
			`the property draws "n" as int, where value 1 is "m" as int`},
		{[]draw.Value{list, {"n", "0"}, nothing},
			`the property draws "n" as int, where value 1 is "n" as string`},
		{[]draw.Value{list, {"n", 4}, nothing}, "4 not in [0,3]"},
		{[]draw.Value{list, n, nothing, n}, "the property draws 3 values, not these 4"},
	} {
		require.ErrorContains(t, bigen.Check(sorting.Gen(), c.values), c.want)
	}
	require.NoError(t, bigen.Check(sorting.Gen(), []draw.Value{list, n, nothing}))
}

// A property whose draws depend on anything else is told so.
func TestAstray(t *testing.T) {
	name := ""
	d := draw.Property(func(t *draw.T) {
		if name == "failed" {
			t.Errorf("failed")
		}
		if name != "" {
			draw.From(t, name, bigen.Bool())
		}
	})
	nothing, _, err := bigen.Run(d.Gen(), choices.Replay(nil, nil))
	require.NoError(t, err)
	require.Empty(t, nothing)
	name = "x"
	require.Contains(t, run(d, nothing).said,
		"the property now draws %q, and nothing when it ran first")
	require.Contains(t, run(d, []draw.Value{{"x", 1}}).said,
		"the property now draws %q as %T, and %q as %T when it ran first")
	name = "failed"
	require.Equal(t, "failed", run(d, nothing).said)
}
