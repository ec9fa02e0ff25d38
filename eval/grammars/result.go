package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/espalier-go/espalier/eval/others"
)

// A result is what became of a grammar.
type result struct {
	Converted, Compiled bool
	CompileCPU          float64 // seconds
	Says                string  // the converter
	Fault               string  // of the stage at which it ended
	Examples, Texts     []item
}

// An item is an example or a text.
type item struct{ Name, Says string }

func (i item) ok() bool { return i.Says == "ok" }

// A tally counts grammars.
type tally struct {
	grammars, converted, compiled         int
	examples, parsed, texts, back, allWay int
}

func (t *tally) add(r result) {
	t.grammars++
	if r.Converted {
		t.converted++
	}
	if r.Compiled {
		t.compiled++
	}
	t.examples += len(r.Examples)
	t.texts += len(r.Texts)
	for _, i := range r.Examples {
		if i.ok() {
			t.parsed++
		}
	}
	good := 0
	for _, i := range r.Texts {
		if i.ok() {
			good++
		}
	}
	if t.back += good; good == len(r.Texts) && r.Compiled {
		t.allWay++
	}
}

// halves are the rows of the table.
var halves = []string{"read", "read, with code", "held back", "held back, with code"}

func halfOf(g grammar) (i int) {
	if g.code {
		i = 1
	}
	if g.held() {
		i += 2
	}
	return i
}

// printReport writes a row for each half of the grammars, and then the reasons of what failed in the
// half that may be read, the most frequent first. Examples of a grammar that does not compile count
// as not parsed.
func printReport(
	out io.Writer, all []grammar, results string, matching *regexp.Regexp, markdown bool,
) error {
	tallies := make([]tally, len(halves))
	reasons := map[string][]string{}
	for _, g := range all {
		r, ok, err := others.Kept[result](results, fileName(g.name)+".json")
		if err != nil {
			return err
		} else if !ok || !matching.MatchString(g.name) {
			continue
		}
		if !r.Compiled {
			for _, path := range g.examples {
				r.Examples = append(r.Examples, item{Name: path})
			}
		}
		if tallies[halfOf(g)].add(r); !g.held() {
			collect(reasons, g, r)
		}
	}
	rows := []string{"grammars\tall\tconverted\tcompiled\texamples\tparsed\ttexts\tparsed back\t" +
		"grammars all of whose texts do"}
	for i, t := range tallies {
		rows = append(rows, fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d", halves[i], t.grammars,
			t.converted, t.compiled, t.examples, t.parsed, t.texts, t.back, t.allWay))
	}
	if err := others.PrintTable(out, rows, markdown); err != nil {
		return err
	}
	return printReasons(out, reasons)
}

// collect adds the reasons of what failed.
func collect(reasons map[string][]string, g grammar, r result) {
	note := func(stage, says, name string) {
		key := stage + ": " + skeleton(says)
		reasons[key] = append(reasons[key], g.name+" "+name)
	}
	if r.Fault != "" {
		note("grammar", r.Fault, r.Fault[:min(len(r.Fault), 100)])
	}
	for _, i := range r.Examples {
		if i.Says != "" && !i.ok() {
			note("example", i.Says, i.Name+": "+i.Says)
		}
	}
	for _, i := range r.Texts {
		if !i.ok() {
			note("text", i.Says, i.Name+": "+i.Says)
		}
	}
}

var specific = regexp.MustCompile(`"(?:\\.|[^"\\])*"|\w*\d[\w:.]*|\S+\.(?:g4|go)\S*|\bwant .*|rule \w+`)

// skeleton returns a message without what differs from case to case.
func skeleton(says string) string {
	text := specific.ReplaceAllString(says[:min(len(says), 200)], "#")
	return text[:min(len(text), 80)]
}

const shownCases = 3

func printReasons(out io.Writer, reasons map[string][]string) error {
	var keys []string
	for key := range reasons {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(reasons[b]), len(reasons[a])), cmp.Compare(a, b))
	})
	for _, key := range keys {
		cases := reasons[key]
		if _, err := fmt.Fprintf(out, "\n%d\t%s\n", len(cases), key); err != nil {
			return err
		}
		for _, c := range cases[:min(len(cases), shownCases)] {
			fmt.Fprintf(out, "\t%.200s\n", c)
		}
	}
	return nil
}
