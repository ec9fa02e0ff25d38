package callseq_test

import (
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

type (
	calls = callseq.Calls
	call  = callseq.Call
	name  = callseq.Name
)

// without returns the sequence that results from v when the i-th call is taken out.
func without(t *testing.T, m *callseq.Model, v calls, i int) calls {
	t.Helper()
	tree, err := bigen.Choices(m.Gen(), v)
	require.NoError(t, err)
	at := 0
	for range i {
		at = tree.End(at)
	}
	v, made, err := bigen.Run(m.Gen(), choices.Replay(tree.Cut(at, tree.End(at)), nil))
	require.NoError(t, err)
	again, err := bigen.Choices(m.Gen(), v)
	require.NoError(t, err)
	require.Equal(t, again, made)
	return v
}

func TestReferences(t *testing.T) {
	t.Parallel()
	m := listModel("")
	it := func(i string) name { return name("it" + i) }
	v := calls{
		{"impl.Iter", it("1")},
		{"impl.Add", 5},
		{"impl.Iter", it("2")},
		{"it.Next", it("2")},
		{"it.Next", it("1")},
		{"impl.Iter", it("3")},
		{"it.Next", it("3")},
	}
	m.Run(t, v)
	require.Equal(t, calls{
		{"impl.Add", 5},
		{"impl.Iter", it("2")},
		{"it.Next", it("2")},
		{"it.Next", it("2")}, // repaired
		{"impl.Iter", it("3")},
		{"it.Next", it("3")}, // the same as before
	}, without(t, m, v, 0))
	require.Equal(t, calls{
		{"impl.Iter", it("1")},
		{"impl.Add", 5},
		{"it.Next", it("1")}, // repaired
		{"it.Next", it("1")}, // at the end, so that it goes
		{"impl.Iter", it("3")},
		{"it.Next", it("3")},
	}, without(t, m, v, 2))

	alone := calls{{"impl.Add", 5}, {"impl.Iter", it("1")}, {"it.Next", it("1")},
		{"it.Next", it("1")}, {"impl.Add", 6}}
	require.Equal(t, calls{{"impl.Add", 5}, {"impl.Add", 6}}, without(t, m, alone, 1))
}

// An instance without a name is there, but no call uses it.
func TestUnnamed(t *testing.T) {
	t.Parallel()
	m := listModel("")
	v := calls{{"impl.Add", 1}, {"impl.Iter", name("")}, {"impl.Snapshot", name("")}}
	require.NoError(t, bigen.Check(m.Gen(), v))
	require.Empty(t, output(m, v))
	require.ErrorContains(t, bigen.Check(m.Gen(), append(v, call{"it.Next", name("")})),
		"at /3: it.Next is not possible here")
}

// An enumeration has each sequence once: it does not name instances in other ways.
func TestEnumerate(t *testing.T) {
	t.Parallel()
	m := listModel("")
	n, iterators := 0, 0
	for _, v := range bigen.Enumerate(m.Gen()) {
		its := 0
		for _, c := range v {
			if c[0] == "impl.Iter" {
				its++
				require.Equal(t, name(fmt.Sprint("it", its)), c[1])
			}
		}
		iterators = max(iterators, its)
		if n++; n == 2000 {
			break
		}
	}
	require.Greater(t, iterators, 3)
}

// Names are kept where many calls go.
func TestManyReferences(t *testing.T) {
	t.Parallel()
	m := listModel("")
	v := calls{{"impl.Add", 7}}
	for i := range 40 {
		v = append(v, call{"impl.Iter", name(fmt.Sprint("it", i+1))})
	}
	v = append(v, call{"it.Next", name("it40")})
	for range 39 {
		v = without(t, m, v, 1)
	}
	require.Equal(t, calls{{"impl.Add", 7}, {"impl.Iter", name("it40")}, {"it.Next", name("it40")}}, v)
}

func TestReferencesToNothing(t *testing.T) {
	t.Parallel()
	m := listModel("")
	for _, c := range []struct {
		calls calls
		want  string
	}{
		{calls{{"it.Next", name("it1")}}, "at /0: it.Next is not possible here"},
		{calls{{"impl.Iter", name("it1")}, {"it.Next", name("it2")}}, "at /1/it.Next/it"},
		{calls{{"impl.Iter", name("it1")}, {"impl.Iter", name("it1")}}, "at /1/impl.Iter/new it"},
		{calls{{"impl.Iter", name("it99")}}, "at /0/impl.Iter/new it"},
		{calls{{"impl.Iter"}}, "at /0/impl.Iter: it has no argument new it"},
		{calls{{"impl.Iter", name("it1"), 3}}, "at /0/impl.Iter: it has 2 arguments, not 1"},
		{calls{{"impl.Iter", "it1"}}, "at /0/impl.Iter: the argument new it is of type string, " +
			"not callseq.Name"},
		{calls{{"impl.Add", 10}}, "at /0/impl.Add/x: 10 not in [0,9]"},
		{calls{{"impl.Push", 1}}, `at /0: there is no operation "impl.Push"`},
		{calls{{}}, `at /0: there is no operation ""`},
		{calls{{"setup", 1}}, `at /: it has 1 arguments, not 0`},
	} {
		require.ErrorContains(t, bigen.Check(m.Gen(), c.calls), c.want, "%v", c.calls)
	}
}

// One call may make several instances, and arguments may be instances or something else.
func TestPoolNames(t *testing.T) {
	t.Parallel()
	m := callseq.New(func(c *callseq.C) {
		p := callseq.NewPool[*int](c, "p")
		c.Op("two", func() { p.Add(new(int)); p.Add(new(int)) })
		c.Op("use", func() {
			alts := []bigen.Alt[name]{bigen.Tag("none", bigen.Just(name("none")))}
			for _, n := range p.Names() {
				alts = append(alts, bigen.Tag(string(n), bigen.Just(n)))
			}
			callseq.Arg(c, "p", bigen.Pick(alts...))
		})
	})
	v := calls{{"two", name("p1"), name("p2")}, {"use", name("p2")}, {"use", name("none")}}
	require.NoError(t, bigen.Check(m.Gen(), v))
	require.Empty(t, output(m, v))
	require.Error(t, bigen.Check(m.Gen(), calls{{"two", name("p1"), name("p2")}, {"use", name("p3")}}))
}
