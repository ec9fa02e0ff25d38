package fuzzext

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/stretchr/testify/require"
)

// A run that takes longer than Timeout says fails, although nothing else ends it.
func TestTimeout(t *testing.T) {
	ended := make(chan bool)
	defer close(ended)
	spins := func(*T, bool) {
		for {
			select {
			case <-ended:
				return
			default:
				runtime.Gosched()
			}
		}
	}
	hang := func() string {
		tb := detached("FuzzX")
		x := newFuzzTarget(&spec{
			subject: subjectOf(bigen.Bool(), spins),
			target:  noTarget,
			options: newOptions([]Option{Variants(0), Timeout(200 * time.Millisecond)}),
			call:    noCall,
		})
		tr := newTrial(x.spec, x.home, tb)
		_, _, ok := x.runValue(tr, nil)
		tr.end()
		require.False(t, ok)
		text, failed := tb.take()
		require.True(t, failed)
		return text
	}
	text := hang()
	for try := 0; strings.HasPrefix(text, "no verdict: ") && try < 20; try++ { // the machine is busy
		text = hang()
	}
	require.Contains(t, text, "the property has not returned after ")
	require.Panics(t, func() { Timeout(0) })
}

// A report without a verdict shows the value, too: the run may hang.
func TestStarvedValue(t *testing.T) {
	tb := detached("FuzzX")
	x := newFuzzTarget(&spec{
		subject: subjectOf(bigen.IntRange(0, 1000), func(*T, int) {}),
		target:  noTarget,
		options: newOptions(nil),
		call:    noCall,
	})
	tr := newTrial(x.spec, x.home, tb)
	run, _, ok := x.runValue(tr, nil)
	require.True(t, ok)
	v, tree, err := x.spec.remake(tr.tree)
	require.NoError(t, err)
	tr.tree = tree
	tr.reportStarved(ending{run: run, starved: true, after: time.Second, stack: "the stack"})
	tr.end()
	text, failed := tb.take()
	require.True(t, failed)
	require.Contains(t, text, "no verdict: the property had run for 1s, ")
	require.Contains(t, text, fmt.Sprintf("value on which it ran (1 choice):\n    %d\n", v))
	require.Contains(t, text, "the stack")
}
