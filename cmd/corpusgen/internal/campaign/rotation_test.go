package campaign

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func records(n int) []*Record {
	var rs []*Record
	for range n {
		rs = append(rs, &Record{})
	}
	return rs
}

// play gives turns of one second and returns how many each target had. The function
// returns how much target i finds in its turn j.
func play(s *Rotation, turns int, finds func(i, j int) int64) []int {
	had := make([]int, len(s.targets))
	for range turns {
		i, ok := s.Next()
		if !ok {
			break
		}
		s.Done(i, 1, finds(i, had[i]), time.Second)
		had[i]++
	}
	return had
}

func TestRotation(t *testing.T) {
	none := func(i, j int) int64 { return 0 }
	for name, test := range map[string]struct {
		n, turns int
		finds    func(i, j int) int64
		want     []int
	}{
		"nothing is found":  {4, 40, none, []int{10, 10, 10, 10}},
		"each has a turn":   {4, 4, func(i, j int) int64 { return 100 }, []int{1, 1, 1, 1}},
		"all find the same": {4, 40, func(i, j int) int64 { return 7 }, []int{10, 10, 10, 10}},
		"one finds everything": {4, 800, func(i, j int) int64 { return int64(1 - min(i, 1)) },
			[]int{500, 100, 100, 100}},
		"in proportion": {2, 800, func(i, j int) int64 { return int64(3 - 2*i) }, []int{500, 300}},
	} {
		t.Run(name, func(t *testing.T) {
			had := play(NewRotation(records(test.n)), test.turns, test.finds)
			for i := range had {
				require.InDelta(t, test.want[i], had[i], 8, "%v", had)
			}
		})
	}
}

// Targets that reach what has changed have the half of the time that is not shared equally.
func TestRotationReach(t *testing.T) {
	s := NewRotation(records(4))
	s.Reach(2)
	had := play(s, 800, func(i, j int) int64 { return int64(1 - min(i, 1)) })
	inDelta(t, []int{100, 100, 500, 100}, had)
	s.Retire(2)
	sum := 0.0
	for _, i := range []int{0, 1, 3} {
		sum += s.Of(i)
	}
	require.InDelta(t, 1, sum, 1e-9)
}

// A target that finds nothing anymore soon gets no more turns than the others.
func TestRotationForgets(t *testing.T) {
	s := NewRotation(records(3))
	play(s, 300, func(i, j int) int64 { return int64(10 * (1 - min(i, 1))) })
	play(s, 100, func(i, j int) int64 { return 0 })
	had := play(s, 300, func(i, j int) int64 { return 0 })
	inDelta(t, []int{100, 100, 100}, had)
}

func inDelta(t *testing.T, want, got []int) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.InDelta(t, want[i], got[i], 8, "%d", got)
	}
}

// Every target has at least half of an equal share, and the shares sum to 1.
func TestRotationLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 50 {
		n := 1 + r.IntN(8)
		s := NewRotation(records(n))
		gift := r.IntN(n)
		had := play(s, 400, func(i, j int) int64 {
			if i == gift {
				return int64(r.IntN(1000))
			}
			return int64(r.IntN(2))
		})
		sum := 0.0
		for i := range had {
			require.GreaterOrEqual(t, float64(had[i]), 400/float64(2*n)-2, "round %d: %v", round, had)
			sum += s.Of(i)
		}
		require.InDelta(t, 1, sum, 1e-9)
	}
}

// Records of earlier runs count from the beginning.
func TestRotationResumes(t *testing.T) {
	rs := records(3)
	rs[0].CPU, rs[1].CPU, rs[2].CPU = 3, 1, 2
	s := NewRotation(rs)
	order := ""
	for range 3 {
		i, _ := s.Next()
		order += fmt.Sprint(i)
		s.Done(i, 1, 0, time.Second)
	}
	require.Equal(t, "120", order)

	rs = records(2)
	rs[1].add(100, time.Second)
	require.InDelta(t, 0.75, NewRotation(rs).Of(1), 1e-3)
}

func TestRotationRunning(t *testing.T) {
	s := NewRotation(records(3))
	a, ok := s.Next()
	require.True(t, ok)
	b, ok := s.Next()
	require.True(t, ok)
	require.NotEqual(t, a, b)
	s.Retire(2)
	_, ok = s.Next()
	require.False(t, ok)
	require.False(t, s.Take(a), "it is running")
	require.False(t, s.Take(2), "it is retired")
	s.Done(a, 1, 0, 0)
	require.True(t, s.Take(a))
	require.False(t, s.Take(a))
	s.Done(b, 1, 0, 0)
	again, ok := s.Next()
	require.True(t, ok)
	require.Equal(t, b, again)
	require.InDelta(t, 0.5, s.Of(a), 1e-9)
}
