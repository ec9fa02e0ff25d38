package engine

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

// A Clock sees to it that no input exceeds limits. It uses no goroutine while an input is within
// them, so that code that counts goroutines sees none.
type Clock struct {
	// Time is how much CPU time an input may take. An input that waits may take as much of the
	// clock, and any input ten times as much.
	Time time.Duration
	// Memory is how many bytes an input may use besides what was in use before; 0 for no limit.
	Memory uint64
	// CPU returns the CPU time of the process, if it is known.
	CPU func() (used time.Duration, known bool)
	// Over is called with a failure when an input has exceeded a limit. It must not return.
	Over func(Failure)

	mu      sync.Mutex
	timer   *time.Timer
	running bool
	began   time.Time
	cpu     time.Duration
	known   bool
	before  uint64 // memory
	half    string // the stacks once half of the time was over
}

const (
	ticks      = 8                    // looks at an input until its time is over
	memoryTick = 5 * time.Millisecond // between looks at the memory
	starved    = 10                   // times the limit that the clock may take
)

// Start begins the run of an input.
func (c *Clock) Start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running, c.began, c.half = true, time.Now(), ""
	if c.Memory > 0 {
		c.before = heap()
	}
	if c.timer == nil {
		c.timer = time.AfterFunc(c.tick(), c.look)
	} else {
		c.timer.Reset(c.tick())
	}
	c.known = false
}

// Stop ends the run of an input.
func (c *Clock) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Memory > 0 && heap() > c.before+c.Memory {
		c.Over(c.failure("memory", "", c.exceeded()))
	}
	c.running = false
	c.timer.Stop()
}

// exceeded says that an input has used more memory than it may.
func (c *Clock) exceeded() string {
	const megabyte = 1 << 20
	limit := fmt.Sprintf("%d bytes", c.Memory)
	if c.Memory%megabyte == 0 {
		limit = fmt.Sprintf("%d MB", c.Memory/megabyte)
	}
	return fmt.Sprintf("the input has used more than %s of memory", limit)
}

func (c *Clock) tick() time.Duration {
	if c.Memory > 0 {
		return min(memoryTick, c.Time/ticks)
	}
	return c.Time / ticks
}

// look ends the process if the input that runs has exceeded a limit.
func (c *Clock) look() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running {
		return
	}
	if c.Memory > 0 && heap() > c.before+c.Memory {
		c.Over(c.failure("memory", stacks(), c.exceeded()))
	}
	cpu, known := c.CPU()
	if !c.known {
		c.cpu, c.known = cpu, known // what it took until now does not count
	}
	wall, used := time.Since(c.began), cpu-c.cpu
	if c.half == "" && wall > c.Time/2 {
		c.half = stacks()
	}
	most := c.Time - 2*c.tick() // the first tick was not measured, this one may be early
	waits := used < wall/50
	if wall >= c.Time && (!known || used >= most || waits || wall > starved*c.Time) {
		c.Over(c.failure("hang", stacks(), fmt.Sprintf("the input has not returned after %v, with "+
			"%v of CPU time", wall.Round(time.Millisecond), used.Round(time.Millisecond))))
	}
	c.timer.Reset(c.tick())
}

// failure returns the failure of the input that runs.
func (c *Clock) failure(what, stack, message string) Failure {
	f := Failure{Class: what, Log: message, Hangs: true}
	logs := []string{stack}
	if c.half != "" {
		logs = append(logs, c.half)
	}
	function, place := HangPlace(logs...)
	if place != "" {
		f.Class, f.Place = what+" in "+function, place
		f.Log += "\nit is in " + function + ", " + place
	}
	if stack != "" {
		f.Log += "\n\n" + stack
	}
	return f
}

// heap returns how many bytes objects and stacks take, with what waits for garbage collection.
func heap() uint64 {
	samples := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/stacks:bytes"},
	}
	metrics.Read(samples)
	total := uint64(0)
	for _, s := range samples {
		if s.Value.Kind() == metrics.KindUint64 {
			total += s.Value.Uint64()
		}
	}
	return total
}

// stacks returns the stacks of all goroutines.
func stacks() string {
	b := make([]byte, 1<<20)
	return string(b[:runtime.Stack(b, true)])
}
