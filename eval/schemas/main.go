// Command schemas measures package bigen/jsonschema against schemas that others wrote. Run it in the
// directory eval:
//
//	go run ./schemas suite [-draft REGEXP] [-only REGEXP] [-values N] [-seed N] [-markdown]
//	go run ./schemas wild [-only REGEXP] [-values N] [-seed N] [-markdown] [-dir DIR] [-format]
//	go run ./schemas wild -choose -dir DIR
//
// suite takes the required tests of the JSON Schema Test Suite, of drafts 2020-12, 2019-09, 7, 6 and
// 4, from Go modules that ship it. A schema must be accepted if a test has a valid instance; then
// each valid instance must be one of the generator's, survive Encode and Decode, and no invalid one
// may be. Values that the generator makes must be valid in the eyes of one independent validator, or
// of two where the second one knows the draft, and must survive JSON.
//
// wild takes the schemas that testdata/wild.tsv lists, which says how they were chosen. Those that are
// not in Go modules need checkouts, DIR/OWNER/NAME for a source git:OWNER/NAME@COMMIT:
//
//	git clone https://github.com/OWNER/NAME DIR/OWNER/NAME && git -C DIR/OWNER/NAME checkout COMMIT
//
// With -choose, it chooses them anew from testdata/sources.tsv, and prints the list.
//
// A row for each draft, or for each kind of schema, has tab-separated counts. After it, each failure
// has a line. The exit status is 1 if anything failed. Schemas run in a process of their own, which
// is replaced when it dies or hangs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/espalier-go/espalier/eval/others"
)

// errFailed says that the report has failures.
var errFailed = errors.New("there are failures: see the lines after each row")

func main() {
	err := run(os.Args[1:], os.Stdin, os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "schemas:", err)
		os.Exit(1)
	}
}

// options are what a user asks for.
type options struct {
	draft, only  *regexp.Regexp
	values, seed int
	markdown     bool
	dir          string
	format       bool
	choose       bool
}

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("say what to measure: suite or wild")
	}
	var o options
	var err error
	pattern := func(p **regexp.Regexp) func(text string) error {
		return func(text string) error { *p, err = regexp.Compile(text); return err }
	}
	o.draft, o.only = regexp.MustCompile(""), regexp.MustCompile("")
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.Func("only", "take only the schemas whose file and description match `REGEXP`", pattern(&o.only))
	flags.IntVar(&o.seed, "seed", 0, "the seed of the first value of a schema: each has the next one")
	flags.BoolVar(&o.markdown, "markdown", false, "print the table as Markdown")
	values := 1000
	switch args[0] {
	case "worker":
		return work(in, out)
	case "suite":
		flags.Func("draft", "take only the drafts that match `REGEXP`", pattern(&o.draft))
	case "wild":
		values = 200
		flags.StringVar(&o.dir, "dir", "", "the `DIR`ectory with the checkouts")
		flags.BoolVar(&o.choose, "choose", false, "print which schemas are chosen, and measure nothing")
		flags.BoolVar(&o.format, "format", false, "the keyword format is an assertion")
	default:
		return fmt.Errorf("there is nothing named %q to measure: say suite or wild", args[0])
	}
	flags.IntVar(&o.values, "values", values, "make `N` values of each schema")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%s takes no argument %q: its flags come before", args[0], flags.Arg(0))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	w := &worker{}
	defer w.kill()
	p := &printer{out: out, markdown: o.markdown}
	switch {
	case o.choose:
		return choose(ctx, out, o)
	case args[0] == "suite":
		err = suite(ctx, w, p, o)
	default:
		err = wild(ctx, w, p, o)
	}
	if err := errors.Join(err, p.end()); err != nil {
		return err
	}
	if p.failed {
		return errFailed
	}
	return nil
}

// A printer prints a table, with notes after each row. As Markdown, the notes come after the table.
type printer struct {
	out      io.Writer
	markdown bool
	failed   bool
	rows     []string
	notes    []string
}

// row prints a row, or keeps it.
func (p *printer) row(cells ...any) {
	text := strings.TrimSuffix(strings.Repeat("%v\t", len(cells)), "\t")
	if p.rows = append(p.rows, fmt.Sprintf(text, cells...)); !p.markdown {
		fmt.Fprintln(p.out, p.rows[len(p.rows)-1])
	}
}

// note prints a line that belongs to the row before, or keeps it. Each of its cells is one line. As
// Markdown, the first cell of the row is part of it.
func (p *printer) note(cells ...string) {
	if p.markdown {
		of, _, _ := strings.Cut(p.rows[len(p.rows)-1], "\t")
		cells = append([]string{of}, cells...)
	}
	for i, cell := range cells {
		cells[i] = strings.Join(strings.Fields(cell), " ")
	}
	if p.notes = append(p.notes, "\t"+strings.Join(cells, "\t")); !p.markdown {
		fmt.Fprintln(p.out, p.notes[len(p.notes)-1])
	}
}

// fail is note for a failure.
func (p *printer) fail(cells ...string) {
	p.failed = true
	p.note(cells...)
}

// end prints what has been kept.
func (p *printer) end() error {
	if !p.markdown || len(p.rows) == 0 {
		return nil
	}
	err := others.PrintTable(p.out, p.rows, true)
	for i, note := range p.notes {
		if i == 0 {
			fmt.Fprintln(p.out)
		}
		fmt.Fprintln(p.out, note)
	}
	return err
}
