// Command protorules measures package bigen/bigenpb against the conformance tests of protovalidate.
// Run it in the directory eval:
//
//	go run ./protorules -dir DIR [-only REGEXP] [-half dev|unseen] [-cel] [-values N] [-seed N]
//	    [-broken] [-markdown]
//
// DIR/bufbuild/protovalidate is a checkout of the tests:
//
//	git clone https://github.com/bufbuild/protovalidate DIR/bufbuild/protovalidate
//	git -C DIR/bufbuild/protovalidate checkout ec950f2039c7cf07895f1f83ab565d7fc57628be
//
// Its own command prints the test cases: instances of messages, each with what a validator must say
// of it. A message must be accepted if one of its instances is valid; then each valid instance must
// be one of the generator's, survive Encode and Decode, and no invalid one may be. Values that the
// generator makes must be valid in the eyes of protovalidate for Go, v1.4. Messages whose rules are
// in error, as the tests say, are left out. A message that is refused, though no test has a valid
// instance of it, is unsatisfiable.
//
// Rules in CEL and predefined rules are those of the module contrib/protovalidate, with the flag -cel.
// Without it, they count as failures.
//
// With the flag -broken, it makes N values of each violation of a message, which all must be invalid
// in the eyes of protovalidate, and counts those of which it names one rule.
//
// The halves are by the first bit of the SHA-256 of a message's name. Who mends what the tests show
// looks at the half dev alone; the half unseen has the figures.
//
// A row for each part of the tests has tab-separated counts. After it, each failure has a line. The
// exit status is 1 if anything failed.
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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "protorules:", err)
		os.Exit(1)
	}
}

// options are what a user asks for.
type options struct {
	dir, half    string
	only         *regexp.Regexp
	values, seed int
	markdown     bool
	cel, broken  bool
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	o := options{only: regexp.MustCompile("")}
	flags := flag.NewFlagSet("protorules", flag.ContinueOnError)
	flags.StringVar(&o.dir, "dir", "", "the `DIR`ectory with the checkout bufbuild/protovalidate")
	flags.Func("only", "take only the messages whose part and name match `REGEXP`",
		func(text string) error { o.only, err = regexp.Compile(text); return err })
	flags.StringVar(&o.half, "half", "", "take only one half of the messages: dev or unseen")
	flags.IntVar(&o.values, "values", 2000, "make `N` values of each message")
	flags.IntVar(&o.seed, "seed", 0, "the seed of the first value of a message: each has the next one")
	flags.BoolVar(&o.markdown, "markdown", false, "print the table as Markdown")
	flags.BoolVar(&o.cel, "cel", false, "make what contrib/protovalidate makes of the rules")
	flags.BoolVar(&o.broken, "broken", false, "make values that break a rule")
	switch err := flags.Parse(args); {
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("there is no argument %q", flags.Arg(0))
	case o.half != "" && o.half != "dev" && o.half != "unseen":
		return fmt.Errorf("-half %s: say dev or unseen", o.half)
	}
	messages, err := load(ctx, o.dir)
	if err != nil {
		return err
	}
	return report(out, messages, o)
}

// A counter counts what becomes of the messages of a part of the tests.
type counter interface {
	add(m *message, o options)
	row(part string) string
	result() (messages int, lines []string, failed bool)
}

// report measures messages, and prints a row for each part of the tests.
func report(out io.Writer, messages []*message, o options) error {
	header := header
	if o.broken {
		header = brokenHeader
	}
	rows := []string{header}
	print := func(line string) {
		if !o.markdown {
			fmt.Fprintln(out, line)
		}
	}
	print(header)
	var notes []string
	failed := false
	for _, part := range parts(messages) {
		var t counter = &tally{}
		if o.broken {
			t = &brokenTally{}
		}
		for _, m := range messages {
			half := o.half == "" || o.half == m.half()
			if m.part == part && half && o.only.MatchString(m.part+" "+m.name()) {
				t.add(m, o)
			}
		}
		n, lines, fails := t.result()
		if n == 0 {
			continue
		}
		failed = failed || fails
		rows = append(rows, t.row(part))
		print(rows[len(rows)-1])
		for _, line := range lines {
			notes = append(notes, "\t"+part+"\t"+line)
			print("\t" + line)
		}
	}
	if o.markdown {
		if err := others.PrintTable(out, rows, true); err != nil {
			return err
		}
		fmt.Fprintln(out, "\n"+strings.Join(notes, "\n"))
	}
	if failed {
		return errFailed
	}
	return nil
}
