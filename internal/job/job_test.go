package job

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An answer may end anywhere. What was written counts, and the value that was begun last.
func TestAnswer(t *testing.T) {
	o := &Order{Answer: filepath.Join(t.TempDir(), "answer")}
	none, err := o.ReadAnswer()
	require.NoError(t, err)
	require.Nil(t, none)

	read := func() *Answer {
		a, err := o.ReadAnswer()
		require.NoError(t, err)
		return a
	}
	w, err := o.Reply()
	require.NoError(t, err)
	require.Equal(t, &Answer{}, read())
	w.Begin(Entry{Number: 1, Of: strings.Repeat("long", 100)}, End{Tried: 1})
	require.Equal(t, 1, read().Begun.Number)
	require.Equal(t, 1, read().SoFar.Tried)
	w.Put(Entry{Number: 1, Status: Valid})
	require.Nil(t, read().Begun, "it has ended")
	for n := 2; n < 1000; n++ { // those that leave nothing to say take no room
		w.Begin(Entry{Number: n}, End{Tried: n})
	}
	require.Equal(t,
		&Answer{
			Entries: []Entry{{Number: 1, Status: Valid}},
			Begun:   &Entry{Number: 999},
			SoFar:   &End{Tried: 999},
		}, read())
	for _, file := range []string{o.Answer, o.begunFile()} {
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(1000))
	}

	// A line that is not whole does not count, a whole one that is none is an error.
	f, err := os.OpenFile(o.Answer, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString(`{"Entry":{"Num`)
	require.NoError(t, err)
	require.Len(t, read().Entries, 1)
	_, err = f.WriteString("\n")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = o.ReadAnswer()
	require.ErrorContains(t, err, o.Answer+":2: ")
}

func TestRest(t *testing.T) {
	mutate := Order{Mutate: &Mutate{To: 100, N: 5}}
	rest, more := mutate.Rest(&Answer{
		Entries: []Entry{{Status: Valid}, {Status: Failing, Place: "x.go:1"}},
		Begun:   &Entry{Number: 7},
	})
	require.True(t, more)
	require.Equal(t, &Mutate{From: 8, To: 100, N: 4, Known: []string{"x.go:1"}}, rest.Mutate)
	rest, more = mutate.Rest(&Answer{Begun: &Entry{Number: 7, Status: Failing, Place: "x.go:1"}})
	require.True(t, more)
	require.Equal(t, []string{"x.go:1"}, rest.Mutate.Known, "it failed before it was minimized")

	check := Order{Mutate: &Mutate{To: 100, N: 5, Check: true}}
	rest, more = check.Rest(&Answer{
		Begun: &Entry{Number: 7},
		SoFar: &End{Tried: 8, Old: 3, Invalid: 1},
	})
	require.True(t, more)
	require.Equal(t, 1, rest.Mutate.N)
	_, more = check.Rest(&Answer{Begun: &Entry{Number: 7}, SoFar: &End{Tried: 8, Old: 3}})
	require.False(t, more)

	timed := Order{Mutate: &Mutate{To: 100, Limit: time.Minute, Check: true}}
	rest, more = timed.Rest(&Answer{
		Begun: &Entry{Number: 7},
		SoFar: &End{Tried: 8, Spent: 20 * time.Second},
	})
	require.True(t, more)
	require.Equal(t, 40*time.Second, rest.Mutate.Limit)
	_, more = rest.Rest(&Answer{
		Begun: &Entry{Number: 9},
		SoFar: &End{Tried: 2, Spent: 40 * time.Second},
	})
	require.False(t, more)

	_, more = mutate.Rest(&Answer{End: &End{Next: 100}})
	require.False(t, more)
	_, more = mutate.Rest(&Answer{Entries: []Entry{{Status: Hanging}}, End: &End{Next: 9}})
	require.False(t, more, "a run that hangs is dear")

	read := Order{Read: &Read{Files: []string{"a", "b", "c"}}}
	rest, more = read.Rest(&Answer{Entries: []Entry{{Status: Hanging}}, End: &End{Next: 1}})
	require.True(t, more)
	require.Equal(t, 1, rest.Read.From)
	require.Equal(t, 0, read.Read.From)
	_, more = Order{Make: &Make{N: 3}}.Rest(&Answer{Begun: &Entry{}})
	require.False(t, more)
}

// What is not an order, or makes a test write elsewhere, is an error.
func TestCurrent(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "order.json")
	t.Setenv(Env, path)
	beside, elsewhere := filepath.Join(dir, "answer"), filepath.Join(filepath.Dir(dir), "answer")
	for text, want := range map[string]string{
		"garbage":        "invalid character",
		"{}":             "is not an order of corpusgen",
		"null":           "is not an order of corpusgen",
		`{"Target":"T"}`: `asks to write to ""`,
		`{"Target":"T","Answer":"` + beside +
			`","Make":{},"Read":{}}`: "is not an order of corpusgen",
		`{"Target":"T","Answer":"` + elsewhere +
			`","Make":{}}`: "which is not beside it: unset the variable",
		`{"Target":"T","API":{"Before":"` + beside + `","Kept":"` + elsewhere +
			`","Suite":"x"}}`: "which is not beside it",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := Current()
		require.ErrorContains(t, err, "reading the order named by "+Env)
		require.ErrorContains(t, err, want, text)
	}
	o := &Order{Target: "T", Answer: beside, Make: &Make{N: 1}}
	require.NoError(t, o.Write(path))
	got, err := Current()
	require.NoError(t, err)
	require.Equal(t, o, got)
}
