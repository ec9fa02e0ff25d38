// Package bubble runs functions in bubbles of testing/synctest.
package bubble

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Run calls f in a goroutine of a new bubble. If goroutines of the bubble wait for each other in
// the end, f or others, it returns a function that returns their stacks, the stack of f first.
func Run(f func()) (waiting func() []string) {
	if Inside() {
		panic("a bubble of testing/synctest within another: one of fuzzext.Bubble, " +
			"callseq.Bubble and synctest.Test is too many")
	}
	header, ended := "", make(chan any)
	go func() { // which the test of the bubble ends if there has been a data race
		defer func() { ended <- recover() }()
		// The test of the bubble reports nothing, and the own one cannot have a bubble in a
		// cleanup.
		synctest.Test(new(testing.T), func(*testing.T) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				header = current()
				f()
			}()
			<-done
		})
	}()
	switch r := serve(ended); {
	case r == nil:
		return nil
	case strings.HasPrefix(fmt.Sprint(r), "deadlock: "):
		return func() []string { return stacks(header) }
	default:
		panic(r)
	}
}

// errands lead from bubbles to goroutines outside: what these are to call, and that it has
// returned.
var errands = make(chan chan func())

// serve runs errands until a bubble has ended.
func serve(ended <-chan any) any {
	for {
		errand := make(chan func())
		select {
		case errands <- errand:
			(<-errand)()
			close(errand)
		case r := <-ended:
			return r
		}
	}
}

// Apart calls f in a goroutine of its own. If the caller is in a bubble of [Run], that is in a new
// one, whose time begins anew, and no time passes meanwhile in the bubble of the caller. Apart
// reports whether a goroutine of the new bubble waits forever, and whether that is not known after
// so much time.
func Apart(most time.Duration, f func()) (hangs, unknown bool) {
	call := func(run func() bool) {
		done := make(chan bool, 1)
		go func() { done <- run() }()
		timer := time.NewTimer(most)
		defer timer.Stop()
		select {
		case hangs = <-done:
		case <-timer.C:
			unknown = true
		}
	}
	if !Inside() {
		call(func() bool { f(); return false })
		return false, unknown
	}
	errand := <-errands
	errand <- func() { call(func() bool { return Run(f) != nil }) }
	<-errand
	return hangs, unknown
}

// Wait is [synctest.Wait].
func Wait() { synctest.Wait() }

// Inside reports whether the calling goroutine is in a bubble. Most calls look at the clock alone:
// a stack takes microseconds. In a bubble, it begins in 2000, and is in 2099 or later once a run of
// package point has waited for what never happens.
func Inside() bool {
	now := time.Now().Unix()
	return (now < in2026 || now > in2090) && strings.Contains(current(), bubbled)
}

// Between these times there are no bubbles, in seconds: [time.Time.Year] would load the time zone.
const (
	in2026 = 1767225600
	in2090 = 3786912000
)

// bubbled precedes the number of a bubble in the first line of a stack.
const bubbled = ", synctest bubble "

// current returns the first line of the stack of the calling goroutine.
func current() string {
	var b [80]byte
	line, _, _ := strings.Cut(string(b[:runtime.Stack(b[:], false)]), "\n")
	return line
}

// stacks returns the stacks of the goroutines in the bubble of one that has had a first line. It
// leaves out those in which package testing waits.
func stacks(header string) (found []string) {
	id, _, _ := strings.Cut(header, " [")
	_, bubble, _ := strings.Cut(header, bubbled)
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	for _, g := range strings.Split(string(all), "\n\n") {
		line, _, _ := strings.Cut(g, "\n")
		switch _, its, _ := strings.Cut(line, bubbled); {
		case its != bubble || strings.Contains(g, "\ntesting.tRunner(") ||
			strings.Contains(g, "\ntesting/synctest.Test."):
		case strings.HasPrefix(line, id+" "):
			found = append([]string{g}, found...)
		default:
			found = append(found, g)
		}
	}
	return found
}
