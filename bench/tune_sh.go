package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/espalier-go/espalier/bench/shprograms"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
)

// shRows repeat section 8 of "Branching Processes for QuickCheck Generators" with the parser and
// the interpreter of mvdan.cc/sh/v3 in the place of GNU bash: how many distinct traces
// corpora have whose programs are made by weights tuned for the uniform cost, or as
// MegaDeTH makes them. The paper reports 35 to 41 % more. Here, nearly all files of both have a
// trace of their own, so that no such figure can be reached: the buckets of counters that
// corpora reach tell them apart.
func shRows(quick bool) []row {
	files := []int{100, 400, 1000}
	if quick {
		files = []int{100, 300}
	}
	var rows []row
	for i, n := range files {
		add := func(name string, g goal, of func(shprograms.Corpus) []int) {
			metric := fmt.Sprintf("tune/sh/%s %d", name, n)
			rows = append(rows, row{metric, "MegaDeTH", g, func(quick bool) (ours, base figure, err error) {
				corpora, err := shCorpora(quick, files)
				if err != nil {
					return ours, base, err
				}
				for k, f := range []*figure{&ours, &base} {
					var within float64
					f.value, within = meanWithin(corpora[k], func(c shprograms.Corpus) float64 { return float64(of(c)[i]) })
					fmt.Fprintf(os.Stderr, "%s: %s: %.1f ± %.1f of %d corpora\n", metric, shKinds[k], f.value, within, len(corpora[k]))
				}
				return ours, base, nil
			}})
		}
		add("traces", ratioAtLeast(1.35), func(c shprograms.Corpus) []int { return c.Traces })
		add("counter buckets", ratioAbove(1), func(c shprograms.Corpus) []int { return c.Buckets })
	}
	return rows
}

var shKinds = [2]string{"tuned", "megadeth"}

// meanWithin returns the mean and half the width of its 95 % confidence interval.
func meanWithin(corpora []shprograms.Corpus, of func(shprograms.Corpus) float64) (mean, within float64) {
	n := float64(len(corpora))
	for _, c := range corpora {
		mean += of(c) / n
	}
	variance := 0.0
	for _, c := range corpora {
		variance += (of(c) - mean) * (of(c) - mean) / (n - 1)
	}
	quantile := map[int]float64{3: 4.303, 30: 2.045}[len(corpora)] // of Student's t
	return mean, quantile * math.Sqrt(variance/n)
}

var shKnown [2][]shprograms.Corpus

// shCorpora returns corpora of each of shKinds. Those of fewer files are the beginnings of those
// of more.
func shCorpora(quick bool, files []int) ([2][]shprograms.Corpus, error) {
	if shKnown[0] != nil {
		return shKnown, nil
	}
	if err := shDescribe(); err != nil {
		return shKnown, err
	}
	corpora := 30
	if quick {
		corpora = 3
	}
	binary, err := shTracesBinary()
	if err != nil {
		return shKnown, err
	}
	var all [2][]shprograms.Corpus
	for k, kind := range shKinds {
		args := []string{kind, "1", strconv.Itoa(corpora)}
		for _, n := range files {
			args = append(args, strconv.Itoa(n))
		}
		cmd := exec.Command(binary, args...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return shKnown, fmt.Errorf("shtraces %s: %w", kind, err)
		}
		var sum shprograms.Corpus
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var c shprograms.Corpus
			if err := d.Decode(&c); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return shKnown, err
			}
			all[k] = append(all[k], c)
			sum.Files += c.Files
			sum.Bytes += c.Bytes
			sum.Choices += c.Choices
			sum.Invalid += c.Invalid
			sum.Stopped += c.Stopped
			sum.Panics += c.Panics
		}
		fmt.Fprintf(os.Stderr, "tune/sh: %s: of %d files, %d do not parse, %d are stopped and %d make the interpreter panic; on average, %d bytes and %d choices; %.3g CPU s\n",
			kind, sum.Files, sum.Invalid, sum.Stopped, sum.Panics, sum.Bytes/sum.Files, sum.Choices/sum.Files, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	}
	shKnown = all
	return shKnown, nil
}

// shDescribe prints how many derived programs survive, and how large the types are (Table 2).
func shDescribe() error {
	const programs = 1000
	survive, r, gen := 0, rand.New(rand.NewPCG(8, 1)), shprograms.Derived()
	for range programs {
		f, _, err := bigen.Run(gen, choices.Random(r))
		if err != nil {
			return err
		}
		if text, err := shprograms.Print(f); err == nil {
			if _, err := shprograms.Parse(text); err == nil {
				survive++
			}
		}
	}
	fmt.Fprintf(os.Stderr, "tune/sh: %d of %d derived programs survive printing and parsing\n", survive, programs)
	if g, err := predict.Read(gen); err != nil {
		fmt.Fprintf(os.Stderr, "tune/sh: the derived generator is refused: %v\n", err)
	} else {
		fmt.Fprintf(os.Stderr, "tune/sh: the derived generator is read as %d types\n", len(g.Types()))
	}
	g, err := predict.Read(shprograms.Gen())
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "tune/sh: with weights that do not depend on the depth, it is read as %d types\n", len(g.Types()))
	types, constructors := map[uint16]bool{}, 0
	for _, c := range g.Constructors() {
		if c.Place == 0 {
			types[c.Family] = true
			constructors++
		}
	}
	fmt.Fprintf(os.Stderr, "tune/sh: %d types of %d constructors, slices, pointers and types of one constructor left out (Bash in the paper: 31 of 136)\n", len(types), constructors)
	return nil
}

// shTracesBinary builds ./shtraces with mvdan.cc/sh/v3 instrumented, and returns the path in
// scratch.
func shTracesBinary() (string, error) {
	path := filepath.Join(scratch, "shtraces")
	cmd := exec.Command("go", "build", "-o", path, "-ldflags=-checklinkname=0", "-gcflags=mvdan.cc/sh/v3/...=-d=libfuzzer", "./shtraces")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building shtraces: %w\n%s", err, out)
	}
	return path, nil
}
