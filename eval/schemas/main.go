// Command schemas measures package bigen/jsonschema against schemas that others wrote. Run it in the
// directory eval:
//
//	go run ./schemas suite [-draft REGEXP] [-only REGEXP] [-values N] [-seeds N] [-markdown]
//
// suite takes the required tests of the JSON Schema Test Suite, of drafts 2020-12, 2019-09, 7, 6 and
// 4, from Go modules that ship it. A schema must be accepted if a test has a valid instance; then
// each valid instance must be one of the generator's, survive Encode and Decode, and no invalid one
// may be. Values that the generator makes must be valid in the eyes of one independent validator, or
// of two where the second one knows the draft, and must survive JSON.
//
// A row for each draft has tab-separated counts. After it, each failure
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
	draft, only   *regexp.Regexp
	values, seeds int
	markdown      bool
}

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("say what to measure: suite")
	}
	var o options
	var err error
	pattern := func(p **regexp.Regexp) func(text string) error {
		return func(text string) error { *p, err = regexp.Compile(text); return err }
	}
	o.draft, o.only = regexp.MustCompile(""), regexp.MustCompile("")
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.Func("only", "take only the schemas whose file and description match `REGEXP`", pattern(&o.only))
	flags.IntVar(&o.seeds, "seeds", 0, "the first seed of the values: each has the next one")
	flags.BoolVar(&o.markdown, "markdown", false, "print the table as Markdown")
	switch args[0] {
	case "worker":
		return work(in, out)
	case "suite":
		flags.Func("draft", "take only the drafts that match `REGEXP`", pattern(&o.draft))
	default:
		return fmt.Errorf("there is nothing named %q to measure: say suite", args[0])
	}
	flags.IntVar(&o.values, "values", 1000, "make `N` values of each schema")
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
	if err := errors.Join(suite(ctx, w, p, o), p.end()); err != nil {
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

// note prints a line that belongs to the row before, or keeps it. Each of its cells is one line.
func (p *printer) note(cells ...string) {
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
