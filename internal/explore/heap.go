package explore

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
)

// A collector sets how often the garbage collector runs, in a process with much garbage
// and few live objects. A small heap may grow by 800 percent before it is collected,
// instead of 100. The collector does nothing if the user has set GOGC.
type collector struct {
	sample  []metrics.Sample
	percent int
}

const (
	smallHeap   = 16 << 20 // bytes that are in use
	usualGrowth = 100      // percent
	largeGrowth = 800
)

func newCollector() *collector {
	c := &collector{sample: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}
	if os.Getenv("GOGC") == "" {
		c.percent = usualGrowth
	}
	return c
}

// adjust sets the growth by the size of the heap. It should be called now and then.
func (c *collector) adjust() {
	if c.percent == 0 {
		return
	}
	metrics.Read(c.sample)
	percent := usualGrowth
	if v := c.sample[0].Value; v.Kind() == metrics.KindUint64 && v.Uint64() < smallHeap {
		percent = largeGrowth
	}
	if percent != c.percent {
		c.percent = percent
		debug.SetGCPercent(percent)
	}
}
