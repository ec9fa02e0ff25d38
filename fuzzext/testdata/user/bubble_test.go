package user

import (
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

var genWaits = bigen.SliceOf(bigen.IntRange(0, 1000), 0, 10)

// waits sleeps for so many minutes. It fails, or waits forever, if one of them is large.
func waits(fail func(t *fuzzext.T)) func(t *fuzzext.T, v []int) {
	return func(t *fuzzext.T, v []int) {
		start, sum := time.Now(), time.Duration(0)
		for _, n := range v {
			sum += time.Duration(n) * time.Minute
			time.Sleep(time.Duration(n) * time.Minute)
			if n >= 100 {
				fail(t)
			}
		}
		ticks := 0
		go func() {
			for range time.Tick(time.Second) {
				if ticks++; ticks == 10 {
					return
				}
			}
		}()
		time.Sleep(time.Minute)
		synctest.Wait()
		if d := time.Since(start); d != sum+time.Minute || ticks != 10 {
			t.Errorf("%v have passed, with %d ticks", d, ticks)
		}
	}
}

func TestBubblePasses(t *testing.T) {
	fuzzext.Check(t, genWaits, waits(func(t *fuzzext.T) {}), fuzzext.Bubble(), fuzzext.NoLeaks())
}

func TestBubbleFails(t *testing.T) {
	fuzzext.Check(t, genWaits, waits(func(t *fuzzext.T) { t.Fatal("large") }), fuzzext.Bubble())
}

func TestBubblePanics(t *testing.T) {
	fuzzext.Check(t, genWaits, waits(func(t *fuzzext.T) { panic("large") }), fuzzext.Bubble())
}

func TestBubbleDeadlock(t *testing.T) {
	home, _ := os.Getwd()
	fuzzext.Check(t, genWaits, waits(func(t *fuzzext.T) {
		c := make(chan bool)
		t.Cleanup(func() { close(c) }) // would end the process outside of the bubble
		dir := t.TempDir()
		t.Chdir(dir)
		<-t.Context().Done()
	}), fuzzext.Bubble())
	if now, _ := os.Getwd(); now != home {
		t.Errorf("it has moved to %s", now)
	}
}

func TestBubbleLeaves(t *testing.T) {
	fuzzext.Check(t, genWaits, waits(func(t *fuzzext.T) {
		var wg sync.WaitGroup
		wg.Add(1)
		go wg.Wait()
	}), fuzzext.Bubble())
}

func TestBubbleHangs(t *testing.T) {
	fuzzext.Check(t, genWaits, waits(func(t *fuzzext.T) {
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
	}), fuzzext.Bubble())
}

// The cleanups and the context belong to the bubble. A value that is not assumed may leave
// goroutines.
func TestBubbleEnds(t *testing.T) {
	fuzzext.Check(t, genWaits, func(t *fuzzext.T, v []int) {
		stop := make(chan bool)
		go func() { <-stop }()
		ctx := t.Context()
		go func() { <-ctx.Done() }()
		t.Assume(len(v) < 9)
		t.Cleanup(func() {
			time.Sleep(time.Hour)
			close(stop)
		})
	}, fuzzext.Bubble())
}

func FuzzBubble(f *testing.F) {
	fuzzext.Fuzz(f, genWaits, waits(func(t *fuzzext.T) { t.Fatal("large") }), fuzzext.Bubble())
}

func FuzzBubbleDeadlock(f *testing.F) {
	f.Add([]byte("a"))
	f.Fuzz(fuzzext.Valid(genWaits, waits(func(t *fuzzext.T) { select {} }), fuzzext.Bubble()))
}

// Without the option: a Check in a bubble, a fuzz function in a bubble, and a bubble in a property.
func TestInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { fuzzext.Check(t, genWaits, func(t *fuzzext.T, v []int) {}) })
}

func TestInBubbleOfOther(t *testing.T) {
	synctest.Test(t, func(*testing.T) { fuzzext.Check(t, genWaits, func(t *fuzzext.T, v []int) {}) })
}

func FuzzInBubble(f *testing.F) {
	f.Add([]byte("a"))
	fuzz := fuzzext.Valid(genWaits, func(t *fuzzext.T, v []int) {})
	f.Fuzz(func(t *testing.T, b []byte) { synctest.Test(t, func(t *testing.T) { fuzz(t, b) }) })
}

func TestBubbleWithin(t *testing.T) {
	fuzzext.Check(t, genWaits, func(_ *fuzzext.T, v []int) {
		synctest.Test(t, func(t *testing.T) {
			if len(v) > 2 {
				t.Error("long")
			}
		})
	})
}

func TestBubbleTwice(t *testing.T) {
	fuzzext.Check(t, genWaits, func(_ *fuzzext.T, v []int) {
		synctest.Test(t, func(t *testing.T) {})
	}, fuzzext.Bubble())
}

// Other goroutines may be too many to know the goroutines of the bubble.
func TestBubbleCrowd(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	for range 10000 {
		go func() { <-end }()
	}
	fuzzext.Check(t, genWaits, func(t *fuzzext.T, v []int) { go func() { <-make(chan int) }() }, fuzzext.Bubble())
}
