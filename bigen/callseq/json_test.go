package callseq_test

import (
	"encoding/json"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/stretchr/testify/require"
)

// A log of calls runs, and becomes a seed.
func TestJSON(t *testing.T) {
	t.Parallel()
	m := callseq.New(func(c *callseq.C) {
		its := callseq.NewPool[*bothIters](c, "it")
		callseq.Arg(c, "size", bigen.IntRange[uint8](0, 9))
		c.Op("open", func() { its.Add(&bothIters{}) })
		c.Op("read", func() {
			its.Draw("it")
			n := callseq.Arg(c, "n", bigen.IntRange[int64](0, 9))
			p := callseq.Arg(c, "p",
				bigen.Pick(bigen.Tag("nil", bigen.Nil[[2]string]()),
					bigen.Tag("pair", bigen.Ptr(bigen.ArrayOf[[2]string](bigen.String(3))))))
			c.Do(func() {
				if n == 7 {
					c.Errorf("seven of %v", p)
				}
			})
		}).When(its.Any)
	})
	const log = `[["setup",4],["open","it1"],["read","it1",3,null],["read","it1",7,["a","b"]]]`
	var v calls
	require.NoError(t, json.Unmarshal([]byte(log), &v))
	require.Equal(t, "seven of &[a b]\ncalls:\n    // size = uint8(4)\n    it1 := open()\n"+
		"    read(it1, int64(3), (*[2]string)(nil))\n"+
		"    read(it1, int64(7), &[2]string{\"a\", \"b\"})\n    // then: seven of &[a b]\n",
		output(m, v))
	b, err := bigen.Encode(m.Gen(), v)
	require.NoError(t, err)
	again, err := bigen.Decode(m.Gen(), b)
	require.NoError(t, err)
	require.Equal(t,
		calls{{"setup", uint8(4)}, {"open", name("it1")},
			{"read", name("it1"), int64(3), (*[2]string)(nil)},
			{"read", name("it1"), int64(7), &[2]string{"a", "b"}}}, again)
	text, err := json.Marshal(again)
	require.NoError(t, err)
	require.JSONEq(t, log, string(text))

	for log, want := range map[string]string{
		`[{}]`: "callseq: a call is not an array of a name and arguments: ",
		`[[]]`: "callseq: a call is an empty array: want the name of an operation, " +
			"and arguments",
		`[[3]]`: "callseq: a call does not begin with the name of an operation: ",
		`[["setup",-1]]`: "at /: the argument size is not of type uint8: json: cannot unmarshal number " +
			"-1 into Go value of type uint8",
	} {
		var v calls
		err := json.Unmarshal([]byte(log), &v)
		if err == nil {
			err = bigen.Check(m.Gen(), v)
		}
		require.ErrorContains(t, err, want)
	}
}
