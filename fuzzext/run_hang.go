package fuzzext

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
)

// maxStackLines is how many lines of a stack are shown.
const maxStackLines = 40

// stackOf returns the stack of the goroutine in which a method of this package runs on the
// receiver: what is above it, and above another method that it may call.
func stackOf(receiver any, method, called string) string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	this, all := "", ""
	for _, g := range strings.Split(string(buf), "\n\n") {
		above, call, ok := strings.Cut(g, "\n"+thisPackage+method)
		if !ok {
			continue
		}
		above, _, _ = strings.Cut(above, "\n"+thisPackage+called)
		lines := strings.Split(above, "\n")
		if len(lines) > maxStackLines {
			lines = append(lines[:maxStackLines], "...")
		}
		above = strings.Join(lines, "\n") + "\n"
		all += above
		if strings.HasPrefix(call, fmt.Sprintf("%p", receiver)) {
			this = above
		}
	}
	return cmp.Or(this, all) // the runtime does not always know the arguments
}
