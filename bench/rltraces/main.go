// Rltraces runs a trial of a target of package rltargets and counts the traces of its valid
// inputs: the code that they execute, as far as it was compiled with -d=libfuzzer.
//
//	go build -gcflags=PACKAGES=-d=libfuzzer -ldflags=-checklinkname=0 ./rltraces
//	rltraces TARGET POLICY SEED INPUTS
//	rltraces TARGET POLICY SEED SECONDS,SECONDS...s
//
// It prints the trial as JSON, or its curve at these CPU times.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bench/rltrial"
	"github.com/espalier-go/espalier/bench/traces"
)

func main() {
	if len(os.Args) != 5 {
		fail("usage: rltraces TARGET POLICY SEED INPUTS, or SECONDS,...s in place of INPUTS")
	}
	seed, err := strconv.ParseUint(os.Args[3], 10, 64)
	if err != nil {
		fail(err)
	}
	at, timed := strings.CutSuffix(os.Args[4], "s")
	var inputs int
	var times []float64
	for _, s := range strings.Split(at, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			fail(err)
		}
		inputs, times = n, append(times, float64(n))
	}
	if os.Args[2] == rltrial.CheckMixture.Name && !timed {
		fail("a Check runs for some CPU time")
	}
	counters, ok := traces.New()
	if !ok {
		fail("no code is instrumented")
	}
	for _, t := range rltargets.All() {
		if t.Name == os.Args[1] {
			if timed {
				rltrial.PrintCurve(t, rltrial.ByName(os.Args[2]), seed, times, counters)
			}
			trial := rltrial.Run(t, rltrial.ByName(os.Args[2]), seed, inputs, counters)
			if err := json.NewEncoder(os.Stdout).Encode(trial); err != nil {
				fail(err)
			}
			return
		}
	}
	fail("no target " + os.Args[1])
}

func fail(problem any) {
	fmt.Fprintln(os.Stderr, "rltraces:", problem)
	os.Exit(1)
}
