package kernels

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Races are data races, which need not change what happens. Their correct versions synchronize by all
// that orders accesses.
var Races = []Kernel{
	{"plain", plainCounter}, {"map", mapBesideRead}, {"doublechecked", doubleChecked}, {"published", publishedPlain},
	{"writes", lockedWrites}, {"readers", writesUnderRLock}, {"stopped", stoppedFlag}, {"appended", appended},
	{"unbuffered", unbuffered}, {"received", received}, {"buffered", buffered}, {"tokens", tokens}, {"closed", closed},
	{"selected", selected}, {"group", waitGroup}, {"once", once}, {"oncefunc", onceFunc}, {"oncevalue", onceValue},
	{"condition", condition}, {"stored", stored}, {"swapped", swapped}, {"syncmap", syncMap}, {"pooled", pooled},
	{"cancelled", cancelled}, {"callback", callback}, {"timer", timerCallback}, {"reader", readerToWriter}, {"started", started},
	{"late", ordered},
}

// mapBesideRead reads a map beside a write.
func mapBesideRead(_ T, fixed bool) {
	var mu sync.RWMutex
	m := map[string]int{}
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		m["a"] = 1
	})
	wg.Go(func() {
		if fixed {
			mu.RLock()
			defer mu.RUnlock()
		}
		_ = m["b"]
	})
	wg.Wait()
}

// doubleChecked looks whether a value has been made before it takes the lock.
func doubleChecked(t T, fixed bool) {
	var mu sync.Mutex
	var made atomic.Bool
	var unsafe bool
	var value *config
	get := func() *config {
		if fixed && made.Load() || !fixed && unsafe {
			return value
		}
		mu.Lock()
		defer mu.Unlock()
		if value == nil {
			value = &config{80}
			made.Store(true)
			unsafe = true
		}
		return value
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if get().port != 80 {
				t.Errorf("it is not made")
			}
		})
	}
	wg.Wait()
}

// publishedPlain publishes an object by a pointer that is not atomic.
func publishedPlain(_ T, fixed bool) {
	var plain *config
	var current atomic.Pointer[config]
	var wg sync.WaitGroup
	wg.Go(func() {
		if fixed {
			current.Store(&config{80})
		} else {
			plain = &config{80}
		}
	})
	wg.Go(func() {
		c := current.Load()
		if !fixed {
			c = plain
		}
		if c != nil {
			_ = c.port
		}
	})
	wg.Wait()
}

// lockedWrites has a lock that covers writes only.
func lockedWrites(_ T, fixed bool) {
	var mu sync.Mutex
	total := 0
	add := func() {
		mu.Lock()
		defer mu.Unlock()
		total++
	}
	get := func() int {
		if fixed {
			mu.Lock()
			defer mu.Unlock()
		}
		return total
	}
	var wg sync.WaitGroup
	wg.Go(add)
	wg.Go(func() { get() })
	wg.Go(add)
	wg.Wait()
}

// writesUnderRLock counts hits under a lock for readers.
func writesUnderRLock(_ T, fixed bool) {
	var mu sync.RWMutex
	hits := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if fixed {
				mu.Lock()
				defer mu.Unlock()
			} else {
				mu.RLock()
				defer mu.RUnlock()
			}
			hits++
		})
	}
	wg.Wait()
}

// stoppedFlag stops a loop by a variable.
func stoppedFlag(_ T, fixed bool) {
	var atomically atomic.Bool
	plain := false
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 3 {
			if fixed && atomically.Load() || !fixed && plain {
				return
			}
		}
	})
	wg.Go(func() {
		atomically.Store(true)
		if !fixed {
			plain = true
		}
	})
	wg.Wait()
}

// appended collects results in a slice.
func appended(_ T, fixed bool) {
	var results []int
	each := make([]int, 2)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			if fixed {
				each[i] = i
			} else {
				results = append(results, i)
			}
		})
	}
	wg.Wait()
	_ = append(results, each...)
}

// handOff writes before it gives a signal, for which a reader waits, or, with the bug, afterwards.
func handOff(t T, fixed bool, signal, wait func()) {
	value := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		if fixed {
			value = 1
			signal()
		} else {
			signal()
			value = 1
		}
	})
	wg.Go(func() {
		wait()
		if got := value; fixed && got != 1 {
			t.Errorf("%d", got)
		}
	})
	wg.Wait()
}

func unbuffered(t T, fixed bool) {
	c := make(chan int)
	handOff(t, fixed, func() { c <- 1 }, func() { <-c })
}

// received waits until a receiver has received.
func received(t T, fixed bool) {
	c := make(chan int)
	handOff(t, fixed, func() { <-c }, func() { c <- 1 })
}

func buffered(t T, fixed bool) {
	c := make(chan int, 2)
	handOff(t, fixed, func() { c <- 1 }, func() { <-c })
}

// tokens is a semaphore: a receive precedes the send that it makes room for.
func tokens(t T, fixed bool) {
	c := make(chan int, 1)
	c <- 1
	handOff(t, fixed, func() { <-c }, func() { c <- 1 })
}

func closed(t T, fixed bool) {
	c := make(chan int)
	handOff(t, fixed, func() { close(c) }, func() {
		for range c {
		}
	})
}

func selected(t T, fixed bool) {
	a, b := make(chan int), make(chan int, 1)
	handOff(t, fixed, func() {
		select {
		case a <- 1:
		case b <- 1:
		}
	}, func() {
		select {
		case <-a:
		case <-b:
		}
	})
}

func waitGroup(t T, fixed bool) {
	var wg sync.WaitGroup
	wg.Add(1)
	handOff(t, fixed, wg.Done, wg.Wait)
}

// once writes within a function that is called once, or after it.
func once(_ T, fixed bool) {
	var o sync.Once
	onceBy(fixed, func(f func()) { o.Do(f) })
}

func onceFunc(_ T, fixed bool) {
	value := 0
	set := sync.OnceFunc(func() { value = 1 })
	onceBy(fixed, func(f func()) {
		if set(); !fixed {
			f()
		}
	})
	_ = value
}

func onceValue(_ T, fixed bool) {
	get := sync.OnceValue(func() *config { return &config{80} })
	onceBy(fixed, func(f func()) {
		if _ = get().port; !fixed {
			f()
		}
	})
}

func onceBy(fixed bool, do func(f func())) {
	value := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			do(func() { value = 1 })
			if _ = value; !fixed {
				value = 2
			}
		})
	}
	wg.Wait()
}

func condition(t T, fixed bool) {
	var mu sync.Mutex
	cond, ready := sync.NewCond(&mu), false
	handOff(t, fixed, func() {
		mu.Lock()
		ready = true
		mu.Unlock()
		cond.Broadcast()
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		for !ready {
			cond.Wait()
		}
	})
}

func stored(t T, fixed bool) {
	var ready atomic.Bool
	handOff(t, fixed, func() { ready.Store(true) }, func() {
		for !ready.Load() {
			runtime.Gosched()
		}
	})
}

func swapped(t T, fixed bool) {
	var ready int32
	handOff(t, fixed, func() { atomic.CompareAndSwapInt32(&ready, 0, 1) }, func() {
		for atomic.AddInt32(&ready, 0) == 0 {
			runtime.Gosched()
		}
	})
}

func syncMap(t T, fixed bool) {
	var m sync.Map
	handOff(t, fixed, func() { m.Store("a", 1) }, func() {
		for ok := false; !ok; _, ok = m.Load("a") {
			runtime.Gosched()
		}
	})
}

// pooled passes an object on by a pool.
func pooled(t T, fixed bool) {
	var pool sync.Pool
	handOff(t, fixed, func() { pool.Put(&config{80}) }, func() {
		for pool.Get() == nil {
			runtime.Gosched()
		}
	})
}

func cancelled(t T, fixed bool) {
	ctx, cancel := context.WithCancel(context.Background())
	handOff(t, fixed, cancel, func() { <-ctx.Done() })
}

func callback(t T, fixed bool) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan bool)
	context.AfterFunc(ctx, func() { done <- true })
	handOff(t, fixed, cancel, func() { <-done })
}

// timerCallback writes before it starts a timer, or afterwards.
func timerCallback(t T, fixed bool) {
	done := make(chan bool)
	handOff(t, fixed, func() { time.AfterFunc(time.Second, func() { done <- true }) }, func() { <-done })
}

// readerToWriter writes before readers have left.
func readerToWriter(_ T, fixed bool) {
	var mu sync.RWMutex
	value := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.RLock()
			if fixed {
				_ = value
			}
			mu.RUnlock()
			if !fixed {
				_ = value
			}
		})
	}
	wg.Go(func() {
		mu.Lock()
		value = 1
		mu.Unlock()
	})
	wg.Wait()
}

// started writes before it starts a goroutine, or afterwards.
func started(_ T, fixed bool) {
	value, done := 0, make(chan bool)
	if fixed {
		value = 1
	}
	go func() {
		_ = value
		done <- true
	}()
	if !fixed {
		value = 1
	}
	<-done
	value = 2
}

// ordered reads what another goroutine has written before it took a lock, also if that comes later. Only in
// such an order is there a data race.
func ordered(_ T, fixed bool) {
	var mu sync.Mutex
	value, written := 0, false
	var wg sync.WaitGroup
	wg.Go(func() {
		value = 1
		mu.Lock()
		defer mu.Unlock()
		written = true
	})
	wg.Go(func() {
		mu.Lock()
		ok := written
		mu.Unlock()
		if !fixed || ok {
			_ = value
		}
	})
	wg.Wait()
}
