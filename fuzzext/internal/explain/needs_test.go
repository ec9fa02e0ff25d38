package explain

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/bigen/schedule"
	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/bubble"
	"github.com/stretchr/testify/require"
)

// The delayed goroutine must resume after one operation of those that others do meanwhile.
func TestNeeds(t *testing.T) {
	runs := 0
	f := Failure{Run: func(v any) (verdict values.Verdict, same, ok bool) {
		runs++
		var n atomic.Int32
		bubble.Run(func() {
			point.Run(v.(schedule.Case).Schedule.Of, false, true, bubble.Wait, func() {
				var mu sync.Mutex
				var wg sync.WaitGroup
				(*point.WaitGroup)(&wg).Go(func() {
					(*point.Mutex)(&mu).Lock()
					old := n.Load()
					(*point.Mutex)(&mu).Unlock() // line 28
					n.Store(old + 1)
				})
				(*point.WaitGroup)(&wg).Go(func() {
					for range 20 {
						point.Here()
					}
					point.Here()
					n.Add(1) // follows line 35
					for range 20 {
						point.Here()
					}
				})
				(*point.WaitGroup)(&wg).Wait()
			}, func(any) {})
		})
		if n.Load() == 1 {
			verdict = values.Failed
		}
		return verdict, true, true
	}, Over: func() bool { return false }}
	for _, test := range []struct {
		schedule schedule.Schedule
		want     string
	}{
		{schedule.Schedule{{Goroutine: 1, Point: 2}},
			"needs_test.go:35 in explain.TestNeeds.func1.1.1.2 (goroutine 2) before what " +
				"follows Unlock at needs_test.go:28 in explain.TestNeeds.func1.1.1.1 (goroutine 1)"},
		{schedule.Schedule{{Goroutine: 1, Point: 200}}, ""}, // there is no such point
		{nil, ""},
	} {
		f.Value = schedule.Case{Schedule: test.schedule}
		require.Equal(t, test.want, f.needs())
	}
	require.Less(t, runs, 12)
	f.Value = 1
	require.Equal(t, "", f.needs())
}
