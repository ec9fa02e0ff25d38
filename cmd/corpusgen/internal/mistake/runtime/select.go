//go:build go1.18

// Package runtime is added to a package with mistakes: its files become files of that package.
package runtime

// The names of imports must not be names of the package.
import (
	espalierOS "os"
	espalierDebug "runtime/debug"
	espalierConv "strconv"
	espalierStrings "strings"
	espalierSync "sync"
	espalierAtomic "sync/atomic"
)

// The order in which the variables of the package are initialized depends on which variables their
// initializers refer to, also if these have no initializers. So mistakes refer to none: they call
// these methods as those of an interface. The first call, which may be in an initializer, reads the
// order.
type (
	espalierChooser interface {
		mistake(n int) bool
		turn()
	}
	espalierState struct{}
)

var (
	espalierBegin espalierSync.Once

	// espalierOrder is what the environment variable ESPALIER_MISTAKE says: the number of the mistake
	// to make, 0 for none, the steps, seconds of CPU time and bytes of data that the process may use,
	// each 0 for any, and the file that is told what is reached.
	espalierOrder espalierOrders

	espalierReached [espalierMistakes + 1]int32
	espalierSteps   int64
)

func init() { espalierBegin.Do(espalierStart) }

func espalierStart() { espalierOrder = espalierRead(espalierOS.Getenv("ESPALIER_MISTAKE")) }

// espalierStackMost bounds the stack of a goroutine, also where no mistake is made.
const espalierStackMost = 256 << 20

type espalierOrders struct {
	numbers [4]int64
	file    *espalierOS.File
}

func espalierRead(text string) (o espalierOrders) {
	fields := espalierStrings.SplitN(text, " ", len(o.numbers)+1)
	for i := range o.numbers {
		if i < len(fields) {
			o.numbers[i], _ = espalierConv.ParseInt(fields[i], 10, 64)
		}
	}
	if text != "" {
		espalierDebug.SetMaxStack(espalierStackMost)
		espalierLimit(o.numbers[2], o.numbers[3])
	}
	if len(fields) > len(o.numbers) {
		o.file, _ = espalierOS.OpenFile(fields[len(o.numbers)], espalierOS.O_WRONLY|espalierOS.O_APPEND, 0)
	}
	return o
}

// espalierMistake reports whether the mistake of a number is made.
func espalierMistake(n int) bool { return espalierChooser(espalierState{}).mistake(n) }

func (espalierState) mistake(n int) bool {
	espalierBegin.Do(espalierStart)
	if espalierOrder.file != nil && espalierAtomic.SwapInt32(&espalierReached[n], 1) == 0 {
		espalierTell("reached", int64(n))
	}
	return int64(n) == espalierOrder.numbers[0]
}

// espalierTurn counts a turn of a loop.
func espalierTurn() { espalierChooser(espalierState{}).turn() }

func (espalierState) turn() {
	espalierBegin.Do(espalierStart)
	n := espalierAtomic.AddInt64(&espalierSteps, 1)
	if most := espalierOrder.numbers[1]; most > 0 && n == most {
		espalierOS.Stderr.WriteString("espalier: a loop does not end\n")
		espalierOS.Exit(espalierEndless)
	}
	if espalierOrder.file != nil && n&(n-1) == 0 {
		espalierTell("steps", n)
	}
}

// espalierEndless is the status of a process with a loop that does not end.
const espalierEndless = 86

func espalierTell(what string, n int64) {
	_, _ = espalierOrder.file.WriteString(what + " " + espalierConv.FormatInt(n, 10) + "\n")
}
