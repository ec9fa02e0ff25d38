package containers

import (
	"encoding/json"
	"os"
	"syscall"
	"testing"

	"github.com/espalier-go/espalier/bigen/callseq/api"
)

// orderEnv makes the test binary generate sequences instead of running tests. Its value is
// the JSON of an order. It writes the classes of errors to standard output, as JSON.
const orderEnv = "ESPALIER_BENCH_API"

type order struct {
	Seed       uint64
	Seconds    float64 // of CPU time
	Undirected bool
	Newness    api.Newness
}

func TestMain(m *testing.M) {
	text := os.Getenv(orderEnv)
	if text == "" {
		os.Exit(m.Run())
	}
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic(err)
	}
	suite := calls.Generate(api.Options{Seed: o.Seed, Stop: after(o.Seconds), Undirected: o.Undirected, Newness: o.Newness, Coverage: testing.Coverage})
	classes := []string{}
	for _, e := range suite.Errors {
		classes = append(classes, e.Class)
	}
	if err := json.NewEncoder(os.Stdout).Encode(classes); err != nil {
		panic(err)
	}
}

// after returns a function that reports whether so many seconds of CPU time are over.
func after(seconds float64) func() bool {
	used := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			panic(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	}
	end := used() + seconds
	return func() bool { return used() >= end }
}
