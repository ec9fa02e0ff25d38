package cron

import (
	"sync"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// The entries of a scheduler are asked for while it stops.
func TestRace(t *testing.T) {
	fuzzext.Concurrent(t, func(t *fuzzext.T) {
		c := New()
		if _, err := c.AddFunc("@hourly", func() {}); err != nil {
			t.Fatal(err)
		}
		c.Start()
		var wg sync.WaitGroup
		wg.Go(func() { c.Stop() })
		fuzzext.Equal(t, len(c.Entries()), 1)
		wg.Wait()
	})
}
