// Shtraces makes corpora of shell programs and counts their traces: the code of
// mvdan.cc/sh/v3 that parses and interprets a program.
//
//	go build -gcflags=mvdan.cc/sh/v3/...=-d=libfuzzer -ldflags=-checklinkname=0 ./shtraces
//	shtraces tuned|megadeth SEED CORPORA FILES...
//
// A corpus has as many files as the last of FILES says. Shtraces prints a [shprograms.Corpus] for
// each, as JSON.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	"github.com/espalier-go/espalier/bench/shprograms"
	"github.com/espalier-go/espalier/bench/traces"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/minimize"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
)

// size is that of the paper for Bash.
const size = 10

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "shtraces:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var numbers []int
	for _, a := range args[min(1, len(args)):] {
		n, err := strconv.Atoi(a)
		if err != nil {
			return err
		}
		numbers = append(numbers, n)
	}
	if len(numbers) < 3 {
		return errors.New("usage: shtraces tuned|megadeth SEED CORPORA FILES, and more FILES")
	}
	gen := shprograms.Gen()
	prior, err := priorOf(args[0], gen)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(numbers[0]), 8))
	for range numbers[1] {
		counters, ok := traces.New(traces.AFL)
		if !ok {
			return fmt.Errorf("no code is instrumented")
		}
		c, err := corpus(gen, choices.RandomBy(r, prior), counters, numbers[2:])
		if err != nil {
			return err
		}
		if err := json.NewEncoder(os.Stdout).Encode(c); err != nil {
			return err
		}
	}
	return nil
}

func priorOf[A any](name string, gen bigen.Gen[A]) (choices.Prior, error) {
	switch name {
	case "megadeth":
		return shprograms.MegaDeTH(size), nil
	case "tuned":
		g, err := predict.Read(gen)
		if err != nil {
			return nil, err
		}
		w, err := minimize.Weights(g, predict.Uniform(size))
		if err != nil {
			return nil, err
		}
		return g.With(w.Weights).Prior(size), nil
	}
	return nil, fmt.Errorf("%s is neither tuned nor megadeth", name)
}
