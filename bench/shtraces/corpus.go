package main

import (
	"errors"

	"github.com/espalier-go/espalier/bench/shprograms"
	"github.com/espalier-go/espalier/bench/traces"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"mvdan.cc/sh/v3/syntax"
)

// corpus makes programs until there are as many as the last of files says.
func corpus(gen bigen.Gen[*syntax.File], src choices.Source, counters traces.Counters, files []int) (c shprograms.Corpus, err error) {
	seen := map[uint64]bool{}
	var tree choices.Tree
	for _, n := range files {
		for c.Files < n {
			var f *syntax.File
			if f, tree, err = bigen.RunInto(tree, gen, src); err != nil {
				return c, err
			}
			text, err := shprograms.Print(f)
			if err != nil {
				return c, err
			}
			counters.Start()
			err = shprograms.Interpret(text)
			seen[counters.Stop()] = true
			c.Files++
			c.Bytes += len(text)
			c.Choices += len(tree)
			switch parse := (syntax.ParseError{}); {
			case errors.As(err, &parse):
				c.Invalid++
			case errors.Is(err, shprograms.ErrSteps):
				c.Stopped++
			case errors.Is(err, shprograms.ErrPanic):
				c.Panics++
			}
		}
		c.Traces = append(c.Traces, len(seen))
		c.Buckets = append(c.Buckets, counters.Reached())
	}
	return c, nil
}
