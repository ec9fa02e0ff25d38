// Package kernels has small versions of bugs of concurrent programs, written anew after the collection of
// bugs of Go programs in "GoBench: A Benchmark Suite of Real-World Go Concurrency Bugs" (Yuan et
// al., CGO 2021), and others. Each has a correct version.
package kernels

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// A T is a test.
type T interface {
	Errorf(format string, args ...any)
}

// A Kernel runs code with a bug, or a correct version of it.
type Kernel struct {
	Name string
	Run  func(t T, fixed bool)
}

// Kernels are all of them.
var Kernels = []Kernel{
	{"counter", counter}, {"plain", plainCounter}, {"cache", cache}, {"aba", aba}, {"map", unlockedMap},
	{"lockorder", lockOrder}, {"rlock", recursiveRLock}, {"forgotten", forgottenResult}, {"broadcast", lockedBroadcast},
	{"keeper", tokenKeeper}, {"health", healthCheck}, {"reset", resetConnection}, {"doubleclose", doubleClose},
	{"sendclosed", sendOnClosed}, {"addlate", addTooLate}, {"wakeup", lostWakeUp}, {"signal", signalForAll},
	{"init", publishedEarly}, {"doublelock", doubleLock}, {"timer", timerAfterStop}, {"once", onceReset},
	{"pipeline", stuckPipeline}, {"select", drainOnStop}, {"pool", pooledTwice},
}

// counter reads a counter, and writes it afterwards.
func counter(t T, fixed bool) {
	var n atomic.Int64
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if fixed {
				n.Add(1)
			} else {
				n.Store(n.Load() + 1)
			}
		})
	}
	wg.Wait()
	if got := n.Load(); got != 3 {
		t.Errorf("%d", got)
	}
}

// plainCounter increments a variable without a lock.
func plainCounter(t T, fixed bool) {
	var mu sync.Mutex
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if fixed {
				mu.Lock()
				defer mu.Unlock()
			}
			n++
		})
	}
	wg.Wait()
	if n != 2 {
		t.Errorf("%d", n)
	}
}

// cache looks a value up under a lock, and adds one under another.
func cache(t T, fixed bool) {
	var mu sync.Mutex
	values, made := map[int]int{}, 0
	get := func(k int) int {
		mu.Lock()
		defer mu.Unlock()
		if v, ok := values[k]; ok {
			return v
		}
		if !fixed {
			mu.Unlock()
			mu.Lock()
		}
		made++
		values[k] = made
		return made
	}
	got := make(chan int)
	for range 2 {
		go func() { got <- get(1) }()
	}
	if a, b := <-got, <-got; a != b {
		t.Errorf("%d and %d", a, b)
	}
}

// stack is a lock-free stack whose nodes are used again.
type stack struct {
	top   atomic.Uint64
	nodes [4]struct {
		next  atomic.Uint64
		value int
	}
}

func (s *stack) push(i, count uint64) {
	for {
		old := s.top.Load()
		s.nodes[i].next.Store(old & 7)
		if s.top.CompareAndSwap(old, (old>>3+count)<<3|i) {
			return
		}
	}
}

func (s *stack) pop(count uint64) uint64 {
	for {
		old := s.top.Load()
		i := old & 7
		if i == 0 {
			return 0
		}
		next := s.nodes[i].next.Load()
		if s.top.CompareAndSwap(old, (old>>3+count)<<3|next) {
			return i
		}
	}
}

// aba has a compare-and-swap that does not notice that a node was removed and added meanwhile.
func aba(t T, fixed bool) {
	count := uint64(0)
	if fixed {
		count = 1
	}
	var s stack
	s.push(1, count)
	s.push(2, count)
	var wg sync.WaitGroup
	var popped [4]atomic.Int32
	wg.Go(func() { popped[s.pop(count)].Add(1) })
	wg.Go(func() {
		a := s.pop(count)
		popped[s.pop(count)].Add(1)
		if a != 0 {
			s.push(a, count)
		}
	})
	wg.Wait()
	for i := s.pop(count); i != 0; i = s.pop(count) {
		popped[i].Add(1)
	}
	for i := 1; i < 3; i++ {
		if n := popped[i].Load(); n != 1 {
			t.Errorf("%d was removed %d times", i, n)
			return
		}
	}
}

type element struct {
	key  int
	next *element
}

// unlockedMap has a list. An element is removed from it without the lock.
func unlockedMap(t T, fixed bool) {
	var mu sync.Mutex
	var list *element
	for k := range 3 {
		list = &element{k, list}
	}
	remove := func(k int) {
		if fixed {
			mu.Lock()
			defer mu.Unlock()
		}
		for p := &list; *p != nil; p = &(*p).next {
			if (*p).key == k {
				*p = (*p).next
				return
			}
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() { remove(1) })
	wg.Go(func() { remove(2) })
	wg.Wait()
	if list == nil || list.key != 0 || list.next != nil {
		t.Errorf("there are other elements")
	}
}

// lockOrder takes two locks in two orders (moby 4951, cockroach 10214).
func lockOrder(_ T, fixed bool) {
	var devices, info sync.Mutex
	done := make(chan bool)
	go func() {
		defer close(done)
		devices.Lock()
		defer devices.Unlock()
		info.Lock()
		defer info.Unlock()
	}()
	first, second := &info, &devices
	if fixed {
		first, second = second, first
	}
	first.Lock()
	second.Lock()
	second.Unlock()
	first.Unlock()
	<-done
}

// recursiveRLock reads under a lock that it holds for reading, while a writer waits (kubernetes 62464,
// cockroach 16167).
func recursiveRLock(_ T, fixed bool) {
	var mu sync.RWMutex
	state := 0
	read := func() int {
		mu.RLock()
		defer mu.RUnlock()
		return state
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.RLock()
		if fixed {
			_ = state
		} else {
			read()
		}
		mu.RUnlock()
	})
	wg.Go(func() {
		mu.Lock()
		state++
		mu.Unlock()
	})
	wg.Wait()
}

// forgottenResult has a result that nobody receives after a timeout (kubernetes 5316, grpc 660).
func forgottenResult(_ T, fixed bool) {
	ctx, cancel := context.WithCancel(context.Background())
	size := 0
	if fixed {
		size = 1
	}
	result := make(chan error, size)
	go func() { result <- errors.New("too late") }()
	go cancel()
	select {
	case <-result:
	case <-ctx.Done():
	}
}

// lockedBroadcast waits with a lock for a goroutine that needs it (etcd 6873).
func lockedBroadcast(_ T, fixed bool) {
	var mu sync.Mutex
	updates, stopped := make(chan int), make(chan bool)
	go func() {
		defer close(stopped)
		for range updates {
			mu.Lock()
			mu.Unlock()
		}
	}()
	updates <- 1
	mu.Lock()
	close(updates)
	if fixed {
		mu.Unlock()
		<-stopped
		return
	}
	<-stopped
	mu.Unlock()
}

// tokenKeeper adds a token under the lock that the keeper needs to remove one (etcd 7492).
func tokenKeeper(_ T, fixed bool) {
	var mu sync.Mutex
	tokens := map[int]bool{}
	add, stop, stopped := make(chan int), make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-add:
			case <-ticker.C:
				mu.Lock()
				clear(tokens)
				mu.Unlock()
			case <-stop:
				return
			}
		}
	}()
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			time.Sleep(time.Second)
			mu.Lock()
			tokens[i] = true
			if fixed {
				mu.Unlock()
				add <- i
				return
			}
			add <- i
			mu.Unlock()
		})
	}
	wg.Wait()
	close(stop)
	<-stopped
}

// healthCheck stops a goroutine, under a lock that it needs before it looks whether it should stop
// (moby 28462).
func healthCheck(_ T, fixed bool) {
	var mu sync.Mutex
	stop := make(chan bool)
	healthy := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				mu.Lock()
				healthy++
				mu.Unlock()
				time.Sleep(time.Second)
			}
		}
	})
	mu.Lock()
	if fixed {
		mu.Unlock()
		close(stop)
	} else {
		stop <- true
		mu.Unlock()
	}
	wg.Wait()
}

// resetConnection sends to a full channel with a lock, while the receiver takes the lock (kubernetes
// 6632).
func resetConnection(_ T, fixed bool) {
	var mu sync.Mutex
	resets := make(chan int, 1)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			mu.Lock()
			if fixed {
				mu.Unlock()
				resets <- i
				return
			}
			defer mu.Unlock()
			resets <- i
		})
	}
	wg.Go(func() {
		for range 2 {
			mu.Lock()
			mu.Unlock()
			<-resets
		}
	})
	wg.Wait()
}

// doubleClose looks whether a channel is closed, and closes it (cockroach 584, serving 2137).
func doubleClose(_ T, fixed bool) {
	done := make(chan bool)
	var once sync.Once
	stop := func() {
		if fixed {
			once.Do(func() { close(done) })
			return
		}
		select {
		case <-done:
		default:
			close(done)
		}
	}
	var wg sync.WaitGroup
	wg.Go(stop)
	wg.Go(stop)
	wg.Wait()
}

// sendOnClosed closes a channel while another goroutine may send (grpc 1859).
func sendOnClosed(_ T, fixed bool) {
	var mu sync.Mutex
	events := make(chan int, 4)
	closed := false
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		ok := !closed
		if fixed {
			defer mu.Unlock()
		} else {
			mu.Unlock()
		}
		if ok {
			events <- 1
		}
	})
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		closed = true
		close(events)
	})
	wg.Wait()
}

// addTooLate adds to a wait group in the goroutine that is waited for (etcd 6708 and many others).
func addTooLate(t T, fixed bool) {
	var wg sync.WaitGroup
	var done atomic.Int32
	for range 2 {
		if fixed {
			wg.Add(1)
		}
		go func() {
			if !fixed {
				wg.Add(1)
			}
			defer wg.Done()
			done.Add(1)
		}()
	}
	wg.Wait()
	if n := done.Load(); n != 2 {
		t.Errorf("%d of 2 are done", n)
	}
}

// lostWakeUp looks at a condition without the lock, and waits afterwards.
func lostWakeUp(_ T, fixed bool) {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	var ready atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		if fixed {
			mu.Lock()
			for !ready.Load() {
				cond.Wait()
			}
			mu.Unlock()
			return
		}
		if !ready.Load() {
			mu.Lock()
			cond.Wait()
			mu.Unlock()
		}
	})
	wg.Go(func() {
		mu.Lock()
		ready.Store(true)
		cond.Broadcast()
		mu.Unlock()
	})
	wg.Wait()
}

// signalForAll wakes one of those that wait, which may be one that waits for something else.
func signalForAll(_ T, fixed bool) {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	free := 0
	var wg sync.WaitGroup
	for need := 1; need <= 2; need++ {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for free < need {
				cond.Wait()
			}
			free -= need
			free += need
			if fixed {
				cond.Broadcast()
			}
		})
	}
	wg.Go(func() {
		for range 2 {
			mu.Lock()
			free++
			if fixed {
				cond.Broadcast()
			} else {
				cond.Signal()
			}
			mu.Unlock()
		}
	})
	wg.Wait()
}

type config struct{ port int }

// publishedEarly publishes an object, and fills it in afterwards.
func publishedEarly(t T, fixed bool) {
	var current atomic.Pointer[config]
	load := func() {
		c := &config{}
		if fixed {
			c.port = 80
			current.Store(c)
			return
		}
		current.Store(c)
		c.port = 80
	}
	var wg sync.WaitGroup
	wg.Go(load)
	wg.Go(func() {
		if c := current.Load(); c != nil && c.port != 80 {
			t.Errorf("%d", c.port)
		}
	})
	wg.Wait()
}

// doubleLock locks a second time where another goroutine has changed the state (cockroach 6181).
func doubleLock(_ T, fixed bool) {
	var mu sync.Mutex
	stale := false
	refresh := func() {
		mu.Lock()
		stale = false
		mu.Unlock()
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		if stale {
			if fixed {
				stale = false
			} else {
				refresh()
			}
		}
		mu.Unlock()
	})
	wg.Go(func() {
		mu.Lock()
		stale = true
		mu.Unlock()
		refresh()
	})
	wg.Wait()
}

// timerAfterStop has a timer whose function may run although it has been stopped.
func timerAfterStop(t T, fixed bool) {
	var mu sync.Mutex
	stopped, late := false, false
	timer := time.AfterFunc(time.Second, func() {
		mu.Lock()
		defer mu.Unlock()
		if fixed && stopped {
			return
		}
		late = late || stopped
	})
	time.Sleep(time.Second)
	mu.Lock()
	timer.Stop()
	stopped = true
	mu.Unlock()
	time.Sleep(time.Second)
	mu.Lock()
	defer mu.Unlock()
	if late {
		t.Errorf("the function has run after Stop")
	}
}

// onceReset starts again what may still be starting.
func onceReset(t T, fixed bool) {
	var mu sync.Mutex
	var once sync.Once
	started := 0
	start := func() {
		mu.Lock()
		started++
		mu.Unlock()
	}
	get := func() {
		if fixed {
			once.Do(start)
			return
		}
		mu.Lock()
		first := started == 0
		mu.Unlock()
		if first {
			start()
		}
	}
	var wg sync.WaitGroup
	wg.Go(get)
	wg.Go(get)
	wg.Wait()
	if started != 1 {
		t.Errorf("%d", started)
	}
}

// stuckPipeline has a stage that ends at an error while the stage before it still sends (moby 33293).
func stuckPipeline(_ T, fixed bool) {
	items, done := make(chan int), make(chan bool)
	var failed atomic.Bool
	go func() {
		defer close(items)
		for i := range 3 {
			if fixed {
				select {
				case items <- i:
				case <-done:
					return
				}
			} else {
				items <- i
			}
		}
	}()
	go failed.Store(true)
	for range items {
		if failed.Load() {
			break
		}
	}
	close(done)
}

// drainOnStop has a select statement that may leave an element when it should stop.
func drainOnStop(t T, fixed bool) {
	jobs, stop := make(chan int, 2), make(chan bool)
	done := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-jobs:
				done++
			case <-stop:
				for fixed && len(jobs) > 0 {
					<-jobs
					done++
				}
				return
			}
		}
	})
	jobs <- 1
	jobs <- 2
	close(stop)
	wg.Wait()
	if done != 2 {
		t.Errorf("%d of 2 are done", done)
	}
}

// pooledTwice puts a buffer back that is still in use.
func pooledTwice(t T, fixed bool) {
	pool := sync.Pool{New: func() any { return new([1]int) }}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			buf := pool.Get().(*[1]int)
			if !fixed {
				pool.Put(buf)
			}
			buf[0] = i
			if buf[0] != i {
				t.Errorf("another goroutine writes to the buffer")
			}
			if fixed {
				pool.Put(buf)
			}
		})
	}
	wg.Wait()
}
