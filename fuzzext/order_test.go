package fuzzext

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/fuzzext/internal/order"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/stretchr/testify/require"
)

func init() {
	orders = linked(func(o *job.Order, w *ordered) error {
		return order.CarryOut(o, order.Target{
			Pkg:   w.spec.target().pkg,
			Name:  w.spec.target().name,
			Gen:   w.spec.gen,
			Type:  w.spec.typ,
			Added: w.added,
			Host:  w,
		})
	})
}

// named returns the target of a spec with another name.
func named(x *spec, name string) func() target {
	t := x.target()
	t.name = name
	return func() target { return t }
}

// answerOf carries out an order on a target that has seeds.
func answerOf(t *testing.T, x *spec, o *job.Order, seeds ...[]byte) *job.Answer {
	t.Helper()
	x.target, o.Target = named(x, "FuzzX"), "FuzzX"
	o.Answer = filepath.Join(t.TempDir(), "answer")
	order := o.Answer + ".order"
	require.NoError(t, o.Write(order))
	t.Setenv(job.Env, order)
	require.True(t, orders.ofTarget(x, seeds))
	a, err := o.ReadAnswer()
	require.NoError(t, err)
	require.NotNil(t, a.End)
	return a
}

// inPackageDir makes a temporary directory the package's directory.
func inPackageDir(t *testing.T) string {
	old := packageDir
	t.Cleanup(func() { packageDir = old })
	packageDir = t.TempDir()
	return packageDir
}

func encoded[V any](t *testing.T, g bigen.Gen[V], v V) []byte {
	t.Helper()
	b, err := bigen.Encode(g, v)
	require.NoError(t, err)
	return b
}

// write writes an entry of a value, and returns its path.
func write[V any](t *testing.T, dir string, g bigen.Gen[V], v V) string {
	t.Helper()
	path, _, err := corpus.Write(dir, encoded(t, g, v))
	require.NoError(t, err)
	return path
}

var digits = bigen.IntRange(0, 9)

// Mutants are new values, each a function of its number.
func TestOrderMutate(t *testing.T) {
	dir := inPackageDir(t)
	g := bigen.SliceOf(digits, 0, 6)
	prop := func(t *T, v []int) { t.Assume(len(v) != 1) }
	files := []string{write(t, dir, g, []int{1, 2, 3}), write(t, dir, g, []int{7, 7})}
	order := func(from, to int) *job.Order {
		return &job.Order{Seed: 3, Mutate: &job.Mutate{Corpus: files, From: from, To: to, Parents: true}}
	}
	seed := encoded(t, g, []int{4})
	all := answerOf(t, specOf(g, prop), order(0, 300), seed)
	require.Equal(t, 3, all.End.Parents)
	require.Equal(t, 300, all.End.Tried)
	require.Equal(t, 300, all.End.Next)
	require.Equal(t, 300, all.End.Old+all.End.Invalid+all.End.Rejected+len(all.Entries))
	require.NotZero(t, all.End.Old)
	require.NotZero(t, all.End.Invalid)
	require.Greater(t, len(all.Entries), 100)
	parents := map[string]bool{}
	values := map[string]bool{}
	for _, e := range all.Entries {
		require.Equal(t, job.Valid, e.Status)
		v, err := bigen.Decode(g, e.Data)
		require.NoError(t, err)
		require.Equal(t, e.Value, strings.ReplaceAll(fmt.Sprintf("%#v", v), ", ", ", "))
		require.False(t, values[e.Value], e.Value)
		require.NotEqual(t, 1, len(v))
		parents[e.Of], values[e.Value] = true, true
		require.NotEmpty(t, e.Parent)
	}
	require.Len(t, parents, 3)
	require.NotContains(t, values, "[]int{1, 2, 3}")

	// What has been made before may come again: corpusgen knows it.
	second := answerOf(t, specOf(g, prop), order(150, 300), seed)
	made := map[int]string{}
	for _, e := range second.Entries {
		made[e.Number] = e.Value
	}
	for _, e := range all.Entries {
		if e.Number >= 150 {
			require.Equal(t, e.Value, made[e.Number])
		}
	}

	few := answerOf(t, specOf(g, prop), &job.Order{Mutate: &job.Mutate{Corpus: files, To: 300, N: 5}})
	require.Len(t, few.Entries, 5)
	require.Less(t, few.End.Next, 300)
}

// A check hands over failures only, one of each place, minimized and saved.
// A limit of time admits one value in any case. Random values need no corpus.
func TestOrderMutateLimit(t *testing.T) {
	inPackageDir(t)
	x := func() *spec { return specOf(bigen.IntRange[int64](0, 1<<40), func(*T, int64) {}) }
	a := answerOf(t, x(),
		&job.Order{Mutate: &job.Mutate{To: 1000, Limit: 1, Check: true, Random: true}})
	require.Equal(t, 1, a.End.Checked())
	require.NotZero(t, a.End.Spent)
	a = answerOf(t, x(), &job.Order{Mutate: &job.Mutate{To: 1000, N: 50, Check: true, Random: true}})
	require.Equal(t, 50, a.End.Checked())
	require.Zero(t, a.End.Parents)
	a = answerOf(t, x(), &job.Order{Mutate: &job.Mutate{To: 1000, N: 50, Check: true}})
	require.Zero(t, a.End.Tried)
	require.Contains(t, a.End.Note, "no value to mutate")
}

func TestOrderMutateCheck(t *testing.T) {
	dir := inPackageDir(t)
	g := bigen.SliceOf(bigen.IntRange(0, 99), 0, 6)
	order := &job.Order{Mutate: &job.Mutate{
		Corpus: []string{write(t, dir, g, []int{50, 60, 70})},
		To:     1000,
		Check:  true,
	}}
	x := specOf(g, func(t *T, v []int) {
		switch {
		case len(v) == 5:
			t.Fatal("five")
		case len(v) > 1 && v[0] == v[1]:
			panic("equal")
		}
	})
	x.options = newOptions(nil)
	a := answerOf(t, x, order)
	found := map[string]job.Entry{}
	for _, e := range a.Entries {
		require.Equal(t, job.Failing, e.Status)
		require.FileExists(t, filepath.Join(dir, filepath.FromSlash(e.Saved)))
		require.Contains(t, e.Why, "minimal failing value")
		found[e.Value] = e
	}
	require.Len(t, a.Entries, 2)
	require.Contains(t, found["[]int{0, 0, 0, 0, 0}"].Why, "five")
	require.Contains(t, found["[]int{0, 0}"].Why, "panic: equal")
	saved, err := corpus.Read(filepath.Join(dir, "testdata", "fuzz", "FuzzX"))
	require.NoError(t, err)
	require.Len(t, saved, 2)
}

// What a goroutine reports after its run, even the last one, fails a check, as it fails go test.
func TestOrderMutateLate(t *testing.T) {
	for _, n := range []int{1, 100_000} {
		inPackageDir(t)
		for had, quiet := 0, 0; quiet < 10; quiet++ { // the goroutines of other tests end
			if has := runtime.NumGoroutine(); has != had {
				had, quiet = has, 0
			}
			time.Sleep(10 * time.Millisecond)
		}
		x := specOf(bigen.IntRange[int64](0, 1<<40), func(t *T, _ int64) {
			go func() {
				time.Sleep(time.Millisecond)
				t.Errorf("late")
			}()
		})
		a := answerOf(t, x, &job.Order{Mutate: &job.Mutate{To: 1 << 20, N: n, Check: true, Random: true}})
		require.Len(t, a.Entries, 1)
		require.Equal(t, job.Failing, a.Entries[0].Status)
		require.Contains(t, a.Entries[0].Why, "late")
		require.Contains(t, a.Entries[0].Why, "the property must wait for the goroutines that it starts")
		require.Equal(t, "stopped at a failure after a run", a.End.Note)
		require.Less(t, a.End.Tried, 100_000)
	}
}

// A check also tries random values, which are far from the corpus, as long as they are valid.
func TestOrderMutateRandom(t *testing.T) {
	dir := inPackageDir(t)
	g := bigen.SliceOf(bigen.IntRange(0, 9999), 0, 50)
	files := []string{write(t, dir, g, []int{1, 2, 3})}
	const values = 400
	checked := func(random bool, prop func(*T, []int)) *job.Answer {
		x := specOf(g, prop)
		x.options = newOptions(nil)
		return answerOf(t, x,
			&job.Order{Mutate: &job.Mutate{
				Corpus: files,
				To:     100 * values,
				N:      values,
				Check:  true,
				Random: random,
			}})
	}
	for _, random := range []bool{false, true} {
		far, near := 0, 0
		checked(random, func(_ *T, v []int) {
			if len(v) > 15 {
				far++
			}
			if len(v) > 1 && len(v) < 6 && (v[0] == 1 || v[1] == 2) {
				near++
			}
		})
		require.Equal(t, random, far > values/8, far)
		require.Greater(t, near, values/16, random)
	}

	a := checked(true, func(t *T, v []int) {
		if len(v) > 15 {
			t.Error("long")
		}
	})
	require.Len(t, a.Entries, 1)
	require.True(t, a.Entries[0].Drawn)
	require.Regexp(t, `^random#\d+$`, a.Entries[0].Of)

	begins := func(t *T, v []int) { t.Assume(len(v) > 0 && v[0] == 1) }
	mutants, both := checked(false, begins).End, checked(true, begins).End
	require.Less(t, both.Tried, mutants.Tried+600, "only the first random values are tried in vain")
}

func TestOrderMutateErrors(t *testing.T) {
	dir := inPackageDir(t)
	g := bigen.SliceOf(digits, 0, 6)
	prop := func(*T, []int) {}
	none := answerOf(t, specOf(g, prop), &job.Order{Mutate: &job.Mutate{To: 10}})
	require.Contains(t, none.End.Note, "no value to mutate")
	files := []string{write(t, dir, g, []int{1})}
	unknown := answerOf(t, specOf(g, prop),
		&job.Order{Mutate: &job.Mutate{Corpus: files, To: 10, Operators: []string{"swap", "frobnicate"}}})
	require.Contains(t, unknown.End.Error, `no operator "frobnicate"`)
	empty := answerOf(t, specOf(g, prop), &job.Order{})
	require.Contains(t, empty.End.Error, "the same version")
}

// A generator may panic on a mutant. That is one entry, and the others are made.
func TestOrderMutatePanic(t *testing.T) {
	dir := inPackageDir(t)
	g := bigen.Iso(digits, func(n int) int {
		if n == 5 {
			panic("five")
		}
		return n
	}, func(n int) (int, bool) { return n, true })
	a := answerOf(t, specOf(g, func(*T, int) {}),
		&job.Order{Mutate: &job.Mutate{Corpus: []string{write(t, dir, g, 1)}, To: 200}})
	statuses := map[job.Status]int{}
	for _, e := range a.Entries {
		statuses[e.Status]++
	}
	require.Equal(t, map[job.Status]int{job.Valid: 8, job.Rejected: 1}, statuses)
}

func TestOrderRead(t *testing.T) {
	dir := inPackageDir(t)
	g := bigen.SuchThat(digits, func(n int) bool { return n != 9 })
	put := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o666))
		return path
	}
	files := []string{
		write(t, dir, g, 1), write(t, dir, g, 2), write(t, dir, g, 3),
		put("broken", "go test fuzz v2\n"),
		filepath.Join(dir, "missing"),
		put("nine", string(corpus.Marshal(encoded(t, digits, 9)))),
	}
	x := specOf(g, func(t *T, n int) {
		t.Label("even")
		t.Assume(n != 2)
		if n == 3 {
			t.Error("three")
		}
	})
	a := answerOf(t, x,
		&job.Order{Read: &job.Read{Files: files, Added: true, Run: true, Trees: true, Values: 100}},
		encoded(t, g, 4))
	var got []string
	for i, e := range a.Entries {
		require.Equal(t, i, e.Number)
		got = append(got, fmt.Sprint(e.Status, " ", e.Value, " ", len(e.Tree)))
	}
	require.Equal(t,
		[]string{"valid 4 1", "valid 1 1", "invalid 2 1", "failing 3 1", "rejected  0",
			"rejected  0", "valid 8 1"}, got)
	require.Equal(t, "seed#0", a.Entries[0].Of)
	require.Equal(t, []string{"even"}, a.Entries[1].Labels)
	require.Contains(t, a.Entries[3].Why, "three")
	require.Contains(t, a.Entries[4].Why, "unknown header")
	rest := answerOf(t, x, &job.Order{Read: &job.Read{Files: files, From: 4}})
	require.Len(t, rest.Entries, 2)
}

// Drawn values follow the values of the files. Each is a function of the seed and its number.
func TestOrderReadDraw(t *testing.T) {
	dir := inPackageDir(t)
	g := bigen.SliceOf(digits, 0, 6)
	x := specOf(g, func(t *T, v []int) { t.Assume(len(v) != 1) })
	read := func(from int) []job.Entry {
		return answerOf(t, x,
			&job.Order{
				Seed: 5,
				Read: &job.Read{
					Files:  []string{write(t, dir, g, []int{1, 2})},
					Draw:   200,
					From:   from,
					Run:    true,
					Trees:  true,
					Values: 100,
				},
			}).Entries
	}
	all := read(0)
	require.Len(t, all, 201)
	statuses, values := map[job.Status]int{}, map[string]bool{}
	for i, e := range all {
		require.Equal(t, i > 0, e.Drawn)
		require.NotEmpty(t, e.Tree)
		statuses[e.Status]++
		values[e.Value] = true
	}
	require.Equal(t, "random#0", all[1].Of)
	require.NotZero(t, statuses[job.Invalid])
	require.NotZero(t, statuses[job.Valid])
	require.Greater(t, len(values), 50)
	rest := read(150)
	require.Len(t, rest, 51)
	for i, e := range rest {
		require.Equal(t, all[150+i].Value, e.Value)
	}

	many := specOf(bigen.SliceOf(digits, 5000, 5000), func(*T, []int) {})
	few := answerOf(t, many, &job.Order{Read: &job.Read{Draw: 1000}})
	require.Len(t, few.Entries, job.MaxDrawn/10_000+1)
}

func TestOrderImport(t *testing.T) {
	dir := inPackageDir(t)
	type point struct{ X, Y int }
	g := bigen.Struct(func(c *bigen.C, p *point) {
		bigen.At(c, &p.X, digits)
		bigen.At(c, &p.Y, digits)
	})
	file := func(content string) []string {
		path := filepath.Join(dir, "file")
		require.NoError(t, os.WriteFile(path, []byte(content), 0o666))
		return []string{path}
	}
	prop := func(*T, point) {}
	tests := []struct{ content, want string }{ // the line, the status, and the value or the reason
		{`{"X": 1, "Y": 2}`, ":1 valid point{X: 1, Y: 2}"},
		{`{"X": 1} {"X": 3, "Y": 3}`, ":1 valid point{X: 1}; :1 valid point{X: 3, Y: 3}"},
		{"\n{\"X\": 1}\n\n {\"X\":\n3}\n{\"X\": 12}",
			":2 valid point{X: 1}; :4 valid point{X: 3}; :6 rejected not produced"},
		{"{\"X\": 1}\n{\"X\": 1", ":1 valid point{X: 1}; :2 rejected unexpected EOF"},
		{"", " rejected the file is blank"},
		{" \n", " rejected the file is blank"},
		{"{\"X\": 1}\n\n]", ":1 valid point{X: 1}; :3 rejected invalid character"},
		{"{\"X\": 1,\n\"Y\": 1,\n}", ":3 rejected invalid character"},
		{`{"X": "a"} {"Y": 3}`, ":1 rejected json: cannot unmarshal; :1 valid point{Y: 3}"},
		{`{"X": 1, "Z": 0} {"Y": 3}`, `:1 rejected json: unknown field "Z"; :1 valid point{Y: 3}`},
		{`[{"X": 1}]`, ":1 rejected a JSON array is not a value of type fuzzext.point: write " +
			"values one after the other"},
	}
	for _, test := range tests {
		t.Run(test.content, func(t *testing.T) {
			a := answerOf(t, specOf(g, prop),
				&job.Order{Read: &job.Read{Values: 8 << 10, Format: "json", Files: file(test.content)}})
			want := strings.Split(test.want, "; ")
			require.Len(t, a.Entries, len(want))
			for i, e := range a.Entries {
				text := e.Why
				if e.Status == job.Valid {
					text = strings.ReplaceAll(e.Value, "fuzzext.", "")
				}
				got := strings.TrimPrefix(e.Of, filepath.Join(dir, "file")) + " " +
					string(e.Status) + " " + text
				require.Equal(t, want[i], got[:min(len(got), len(want[i]))])
				require.Equal(t, e.Status == job.Valid, e.Data != nil && e.Why == "", e.Why)
			}
		})
	}
	shape := answerOf(t,
		specOf(bigen.Pick(bigen.Case[fmt.Stringer]("kind", bigen.Just(reflect.Int))),
			func(*T, fmt.Stringer) {}),
		&job.Order{Read: &job.Read{Values: 8 << 10, Format: "json", Files: file("{}")}})
	require.Contains(t, shape.Entries[0].Why,
		"fmt.Stringer is an interface, whose values encoding/json cannot read")

	argument := answerOf(t, specOf(g, prop),
		&job.Order{Read: &job.Read{
			Values: 8 << 10,
			Format: "gofuzz",
			Files:  file(string(encoded(t, g, point{4, 5}))),
		}})
	require.Contains(t, argument.Entries[0].Value, "point{X: 4, Y: 5}")
	raw := answerOf(t, specOf(g, prop),
		&job.Order{Read: &job.Read{Values: 8 << 10, Format: "raw", Files: file("x")}})
	require.Contains(t, raw.Entries[0].Why, "not text or bytes")
	unknown := answerOf(t, specOf(g, prop),
		&job.Order{Read: &job.Read{Values: 8 << 10, Format: "xml", Files: file("x")}})
	require.Contains(t, unknown.Entries[0].Why, `cannot read the format "xml"`)

	headers := answerOf(t, specOf(g, prop),
		&job.Order{Read: &job.Read{Values: 8 << 10, Format: "headers", Files: file("x")}})
	require.Contains(t, headers.Entries[0].Why,
		`add import _ "github.com/espalier-go/espalier/fuzzext/headers"`)

	gofuzz := answerOf(t, specOf(bigen.Bytes(0, 9), func(*T, []byte) {}),
		&job.Order{Read: &job.Read{Values: 8 << 10, Format: "gofuzz", Files: file("ab")}})
	require.Equal(t, "[]byte(\"ab\")", gofuzz.Entries[0].Value)
	text := answerOf(t, specOf(bigen.String(20), func(*T, string) {}),
		&job.Order{Read: &job.Read{Values: 8 << 10, Format: "raw", Files: file("héllo")}})
	require.Equal(t, `"héllo"`, text.Entries[0].Value)
	require.Equal(t, job.Valid, text.Entries[0].Status)
}

// A generator that loses a part of a value when it runs backward loses none silently.
func TestOrderImportLossy(t *testing.T) {
	dir := inPackageDir(t)
	path := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(path, []byte(`4`), 0o666))
	lossy := bigen.Iso(digits, func(n int) int { return n }, func(n int) (int, bool) {
		return n / 2 * 2, true
	})
	a := answerOf(t, specOf(lossy, func(*T, int) {}),
		&job.Order{Read: &job.Read{Format: "json", Files: []string{path}}})
	require.Equal(t, job.Valid, a.Entries[0].Status)
	require.NoError(t, os.WriteFile(path, []byte(`5`), 0o666))
	a = answerOf(t, specOf(lossy, func(*T, int) {}),
		&job.Order{Read: &job.Read{Format: "json", Files: []string{path}}})
	require.Equal(t, job.Rejected, a.Entries[0].Status)
	require.NotEmpty(t, a.Entries[0].Why)
}

// A generator that loses the lowest bit loses none silently, neither of a large number.
func TestOrderImportLossyJSON(t *testing.T) {
	type pair struct{ A, B int64 }
	lossy := bigen.Struct(func(c *bigen.C, v *pair) {
		bigen.At(c, &v.A, bigen.IntRange[int64](0, 1<<60))
		v.B = v.A &^ 1
	})
	path := filepath.Join(inPackageDir(t), "file")
	require.NoError(t,
		os.WriteFile(path,
			[]byte(`{"A":5,"B":4} {"A":5,"B":5} {"A":1152921504606846975,"B":1152921504606846975}`), 0o666))
	a := answerOf(t, specOf(lossy, func(*T, pair) {}),
		&job.Order{Read: &job.Read{Format: "json", Files: []string{path}}})
	for i, want := range []job.Status{job.Valid, job.Rejected, job.Rejected} {
		require.Equal(t, want, a.Entries[i].Status, a.Entries[i].Why)
	}
}

// The reason why a value is rejected does not quote all of a large file.
func TestOrderImportLongReason(t *testing.T) {
	path := filepath.Join(inPackageDir(t), "file")
	require.NoError(t, os.WriteFile(path, []byte(`{"`+strings.Repeat("世", 1<<16)+`":1}`), 0o666))
	a := answerOf(t, specOf(bigen.For[struct{ A int }](), func(*T, struct{ A int }) {}),
		&job.Order{Read: &job.Read{Format: "json", Files: []string{path}}})
	require.Equal(t, job.Rejected, a.Entries[0].Status)
	require.Contains(t, a.Entries[0].Why, "unknown field")
	require.Less(t, len(a.Entries[0].Why), 10_000)
}

// A Check that an order does not name says that it checks nothing.
func TestOrderOther(t *testing.T) {
	o := &job.Order{
		Target: "TestElse",
		Answer: filepath.Join(t.TempDir(), "answer"),
		Make:   &job.Make{},
	}
	require.NoError(t, o.Write(o.Answer+".order"))
	t.Setenv(job.Env, o.Answer+".order")
	t.Run("sub", func(t *testing.T) {
		defer func() { require.True(t, t.Skipped()) }()
		orders.ofCheck(t, specOf(bigen.Bool(), func(*T, bool) {}))
	})
}

// Sequences of calls become JSON, and JSON becomes sequences.
func TestOrderCalls(t *testing.T) {
	dir := inPackageDir(t)
	calls := callseq.New(func(c *callseq.C) {
		c.Op("put", func() {
			callseq.Arg(c, "key", bigen.String(9))
			callseq.Arg(c, "value", bigen.IntRange[int64](0, 1<<60))
		})
	})
	x := func() *spec { return specOf(calls.Gen(), func(*T, callseq.Calls) {}) }
	path := filepath.Join(dir, "file")
	require.NoError(t,
		os.WriteFile(path,
			[]byte(
				`[["put", "a", 1152921504606846975], ["put", "", 0]] [["put", 1, 1]] [["put", "", null]]`), 0o666))
	a := answerOf(t, x(), &job.Order{Read: &job.Read{Format: "json", Files: []string{path}}})
	require.Equal(t, "", a.Entries[0].Why)
	require.Equal(t, job.Valid, a.Entries[0].Status)
	require.Equal(t, job.Rejected, a.Entries[1].Status)
	require.Equal(t, job.Rejected, a.Entries[2].Status, "null is read as 0")

	entry, _, err := corpus.Write(dir, a.Entries[0].Data)
	require.NoError(t, err)
	a = answerOf(t, x(), &job.Order{Read: &job.Read{Files: []string{entry}, As: "json"}})
	require.Equal(t, "", a.Entries[0].Why)
	require.Equal(t, `[["put","a",1152921504606846975],["put","",0]]`, string(a.Entries[0].File))
}

// Files in other formats keep the values, or there is none.
func TestOrderReadAs(t *testing.T) {
	dir := inPackageDir(t)
	floats := bigen.Float[float64]()
	files := []string{write(t, dir, floats, 1.5), write(t, dir, floats, math.Inf(1))}
	a := answerOf(t, specOf(floats, func(*T, float64) {}),
		&job.Order{Read: &job.Read{Files: files, As: "json"}})
	require.Equal(t, "1.5", string(a.Entries[0].File))
	require.Equal(t, job.Rejected, a.Entries[1].Status)
	require.Contains(t, a.Entries[1].Why, "unsupported value")

	type secret struct {
		N int `json:"-"`
	}
	secrets := bigen.Struct(func(c *bigen.C, s *secret) { bigen.At(c, &s.N, digits) })
	files = []string{write(t, dir, secrets, secret{3})}
	a = answerOf(t, specOf(secrets, func(*T, secret) {}),
		&job.Order{Read: &job.Read{Files: files, As: "json"}})
	require.Contains(t, a.Entries[0].Why, "encoding/json does not keep the value")
	a = answerOf(t, specOf(secrets, func(*T, secret) {}),
		&job.Order{Read: &job.Read{Files: files, As: "raw"}})
	require.Contains(t, a.Entries[0].Why, "secret, not text or bytes")

	text := bigen.String(9)
	files = []string{write(t, dir, text, "abc")}
	a = answerOf(t, specOf(text, func(*T, string) {}),
		&job.Order{Read: &job.Read{Files: files, As: "raw"}})
	require.Equal(t, "abc", string(a.Entries[0].File))
	a = answerOf(t, specOf(text, func(*T, string) {}),
		&job.Order{Read: &job.Read{Files: files, As: "xml"}})
	require.Contains(t, a.Entries[0].Why, `cannot write the format "xml"`)
}

// A test that calls Check carries out an order for the folder of its failures. Others do
// nothing then.
func TestOrderCheck(t *testing.T) {
	dir := inPackageDir(t)
	o := &job.Order{
		Target: "TestOrderCheck/a_b", Answer: filepath.Join(t.TempDir(), "answer"),
		Read: &job.Read{
			Files:  []string{write(t, dir, digits, 5)},
			Added:  true,
			Run:    true,
			Values: 100,
			Code:   true,
		},
	}
	path := o.Answer + ".order"
	require.NoError(t, o.Write(path))
	t.Setenv(job.Env, path)
	ran := 0
	prop := func(t *T, n int) { ran++ }
	t.Run("a b", func(t *testing.T) {
		Check(t, digits, prop, Examples(3))
		t.Error("the test continues")
	})
	t.Run("other", func(t *testing.T) { Check(t, digits, prop) })
	require.Equal(t, 2, ran)
	a, err := o.ReadAnswer()
	require.NoError(t, err)
	require.Len(t, a.Entries, 2)
	require.Equal(t, "3", a.Entries[0].Value)
	require.Equal(t, "5", a.Entries[1].Value)
	require.Equal(t, "Examples(5)", a.Entries[1].Code.Seed)
	require.Contains(t, a.Entries[1].Code.Test, "func TestOrderCheck_")
}
