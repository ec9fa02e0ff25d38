package fuzzext

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// CPU time counts, and the clock after several times as long.
func TestBudget(t *testing.T) {
	const most = time.Hour // this test uses nothing to speak of
	for _, test := range []struct {
		wall, cpu time.Duration
		known     bool
		want      bool
	}{
		{most / 2, 2 * most, true, false},
		{2 * most, most / 2, true, false},
		{2 * most, 2 * most, true, true},
		{clockFactor * most, 0, true, true},
		{2 * most, 0, false, true},
	} {
		b := newBudget()
		b.began, b.cpu, b.known = b.began.Add(-test.wall), b.cpu-test.cpu, b.known && test.known
		assert.Equal(t, test.want, b.over(most), "%+v", test)
	}
}

// A run that could run hangs if it has had CPU time, one that waits if nothing happens.
func TestStarved(t *testing.T) {
	for _, test := range []struct {
		state string
		cpu   time.Duration
		want  bool
	}{
		{"running", 9 * time.Second, false},
		{"runnable", time.Second, true},
		{"chan receive, 2 minutes", 0, false},
		{"chan receive", 3 * time.Second, true}, // of what it waits for
		{"chan receive", 9 * time.Second, false},
	} {
		assert.Equal(t, test.want, starved("goroutine 7 ["+test.state+"]:\nmain.f()\n", 10*time.Second, test.cpu), "%+v", test)
	}
	assert.False(t, starved("", time.Minute, 10*time.Second))
}
