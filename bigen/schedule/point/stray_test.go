package point_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/internal/bubble"
	"github.com/stretchr/testify/require"
)

// What a package starts when it is initialized may do something during a run. It has no turns, and
// is no failure.
func TestStray(t *testing.T) {
	for range 100 {
		bubble.Run(func() {
			r := point.Run(func(int) []int { return nil }, false, false, bubble.Wait, func() {
				goes(func() { point.Gosched() })
				step <- true
				<-done
			}, func(any) {})
			require.Equal(t, point.Ending(""), r.Ending, r.Foreign)
		})
	}
}

var step, done = make(chan bool), make(chan bool)

func init() {
	child := point.Spawn()
	go child.Run(func() {
		for {
			point.Recv(step)
			done <- true
		}
	})
}
