package api

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/espalier-go/espalier/internal/job"
)

// Limits of the heap while an order is carried out, in bytes. What a sequence leaves, such
// as a goroutine, keeps its memory.
const (
	maxHeap = 1 << 30      // a sequence that takes more ends the process
	maxHeld = maxHeap / 2  // once sequences have left so much, another process resumes
	maxLeft = maxHeap / 16 // a sequence that leaves more is not extended, nor restored

	maxDisk    = 1 << 30 // bytes of files: then another process resumes without them
	maxFile    = 1 << 28 // bytes of a file
	diskLooked = 16      // sequences after which one looks
)

// memory is what the heap of the process has, in bytes.
type memory struct {
	made uint64 // ever
	live uint64 // when garbage was collected last
}

// heap returns what the metrics of the heap say now.
func heap() (all uint64, m memory) {
	samples := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"},
	}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), memory{samples[1].Value.Uint64(), samples[2].Value.Uint64()}
}

// exceeds returns how much of the heap is in use if that is more than so many bytes, or else 0.
func exceeds(most uint64) uint64 {
	if all, _ := heap(); all <= most {
		return 0
	}
	runtime.GC() // it may be garbage
	all, _ := heap()
	if all <= most {
		return 0
	}
	return all
}

// limitMemory ends the process if the heap takes more than so many bytes.
func limitMemory(most uint64) {
	for ; ; time.Sleep(20 * time.Millisecond) {
		if n := exceeds(most); n > 0 {
			exit(job.ExitMemory, fmt.Sprintf("the sequence takes %d MB of memory", n>>20))
		}
	}
}

// leaves reports whether the sequence that has run leaves much memory in use, also after a moment,
// in which its goroutines may end. Its values are not needed any more.
func (g *generator) leaves() (much bool) {
	if g.opts.full == nil {
		return false
	}
	for _, cells := range [][]cell{g.cells, g.all, g.some} {
		clear(cells[:cap(cells)])
	}
	clear(g.given[:cap(g.given)])
	g.err = nil // also after an assertion that has failed, it refers to the result
	before := g.heap
	_, g.heap = heap()
	much = g.heap.made > before.made+maxLeft
	for n := 0; much && n < 2; n++ {
		time.Sleep(time.Duration(n) * 5 * time.Millisecond)
		runtime.GC()
		_, g.heap = heap()
		much = g.heap.live > before.live+maxLeft
	}
	if much {
		g.left += g.heap.live - before.live
	}
	return much
}

// full reports whether sequences have left more than so many bytes.
func (g *generator) full(most uint64) bool { return g.opts.full != nil && exceeds(most) > 0 }

// fills reports whether the disk has become fuller: the files of sequences go with the process.
func (g *generator) fills() bool {
	if g.opts.full == nil || g.stats.Sequences%diskLooked != 0 {
		return false
	}
	now := g.opts.space()
	return now > 0 && now+maxDisk < g.free
}

// mostRestored is what sequences that are restored may leave, so that others can follow: beside
// what single ones leave, which are not restored again.
func (g *generator) mostRestored() uint64 { return min(maxHeld/2+g.left, maxHeap-maxHeld/2) }

// reportFull ends the process, because sequences have left too much memory in use.
func reportFull() { exit(job.ExitFull, "the memory or the disk is full") }
