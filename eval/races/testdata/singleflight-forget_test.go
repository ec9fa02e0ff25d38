package singleflight

import (
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// A key is forgotten during its first call. A third call joins the second, whenever the first ends.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		var g Group
		call := func(n int) (started, end chan struct{}, result <-chan Result) {
			started, end = make(chan struct{}), make(chan struct{})
			result = g.DoChan("key", func() (interface{}, error) {
				close(started)
				<-end
				return n, nil
			})
			<-started
			return started, end, result
		}
		_, endFirst, first := call(1)
		g.Forget("key")
		_, endSecond, second := call(2)
		close(endFirst)
		third := g.DoChan("key", func() (interface{}, error) { return 3, nil })
		close(endSecond)
		for i, c := range []<-chan Result{first, second, third} {
			if got, want := (<-c).Val, min(i+1, 2); got != want {
				t.Errorf("call %d: got %v, want %v", i+1, got, want)
			}
		}
	})
}
