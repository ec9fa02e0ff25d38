//go:build go1.18

// Package runtime is added to a package with mistakes: its files become files of that package.
package runtime

// The names of imports must not be names of the package.
import (
	espalierOS "os"
	espalierDebug "runtime/debug"
	espalierConv "strconv"
	espalierStrings "strings"
	espalierAtomic "sync/atomic"
)

// espalierOrder is what the environment variable ESPALIER_MISTAKE says: the number of the mistake to
// make, the steps, seconds of CPU time and bytes of data that the process may use, each 0 for any,
// and the file that is told what is reached.
var espalierOrder = espalierRead(espalierOS.Getenv("ESPALIER_MISTAKE"))

// espalierChosen is the mistake to make, 0 for none.
var espalierChosen = int(espalierOrder.numbers[0])

// espalierTells says that a file is told which mistakes are reached, and how many steps there are.
var espalierTells = espalierOrder.file != nil

var (
	espalierReached [espalierMistakes + 1]int32
	espalierSteps   int64
)

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
func espalierMistake(n int) bool {
	if espalierTells && espalierAtomic.SwapInt32(&espalierReached[n], 1) == 0 {
		espalierTell("reached", int64(n))
	}
	return n == espalierChosen
}

// espalierTurn counts a turn of a loop.
func espalierTurn() {
	n := espalierAtomic.AddInt64(&espalierSteps, 1)
	if most := espalierOrder.numbers[1]; most > 0 && n == most {
		espalierOS.Stderr.WriteString("espalier: a loop does not end\n")
		espalierOS.Exit(espalierEndless)
	}
	if espalierTells && n&(n-1) == 0 {
		espalierTell("steps", n)
	}
}

// espalierEndless is the status of a process with a loop that does not end.
const espalierEndless = 86

func espalierTell(what string, n int64) {
	_, _ = espalierOrder.file.WriteString(what + " " + espalierConv.FormatInt(n, 10) + "\n")
}
