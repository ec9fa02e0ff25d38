package fuzzext

import (
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
