// Command minima minimizes failing values of documented bugs of public Go modules, and of properties
// that the minimizer was not built with, and says how many of the minimal values one edit by hand
// would make simpler. Run it in the directory above:
//
//	go run ./minima [-only REGEXP] [-seeds N]
//
// A line for each bug has its name, how many of the seeds found a failing value, how many of the
// minimal values have a simpler neighbor that fails, and the mean number of runs of the generator and
// of calls of the property. An example of a value and its neighbor follows. Each bug has a process of
// its own; one that takes longer than ten minutes is left out and named.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"time"

	"github.com/espalier-go/espalier/eval/bugs"
	"github.com/espalier-go/espalier/internal/testing/challenge"
)

const mostTime = 10 * time.Minute // for a bug, by the clock

func main() {
	only := flag.String("only", "", "take only the bugs whose names match `REGEXP`")
	seeds := flag.Uint64("seeds", challenge.Seeds, "how many values of each bug are minimized")
	bug := flag.String("bug", "", "minimize values of the bug of this `NAME`, in this process")
	flag.Parse()
	if err := run(*only, *bug, *seeds); err != nil {
		fmt.Fprintln(os.Stderr, "minima:", err)
		os.Exit(1)
	}
}

// A count is what became of the values of a bug, or of all.
type count struct{ values, simpler, remakes, calls int }

func (c *count) add(d count) {
	c.values, c.simpler = c.values+d.values, c.simpler+d.simpler
	c.remakes, c.calls = c.remakes+d.remakes, c.calls+d.calls
}

func run(only, name string, seeds uint64) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	var ofBugs []challenge.Challenge
	for _, b := range bugs.All() {
		if b.Challenge.Minimize != nil {
			ofBugs = append(ofBugs, b.Challenge)
		}
	}
	if name != "" {
		for _, c := range append(ofBugs, challenge.Unseen()...) {
			if c.Name == name {
				return minimize(c, seeds)
			}
		}
		return fmt.Errorf("no bug of values is named %q", name)
	}
	return errors.Join(group("bugs", ofBugs, pattern, seeds),
		group("unseen properties", challenge.Unseen(), pattern, seeds))
}

// group minimizes values of the challenges whose names match a pattern, and prints a summary.
func group(
	what string, list []challenge.Challenge, pattern *regexp.Regexp, seeds uint64,
) (err error) {
	var all count
	taken := 0
	for _, challenge := range list {
		if !pattern.MatchString(challenge.Name) {
			continue
		}
		c, failed := apart(challenge.Name, seeds)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", challenge.Name, failed))
		}
		if all.add(c); c.values > 0 {
			taken++
		}
	}
	if taken == 0 {
		return err
	}
	mean := func(sum int) float64 { return float64(sum) / float64(all.values) }
	fmt.Printf("%d %s, %d values, %d with a simpler neighbor: %.2f %% are minimal; "+
		"%.0f runs of the generator, %.0f calls\n", taken, what, all.values, all.simpler,
		100*(1-mean(all.simpler)), mean(all.remakes), mean(all.calls))
	return err
}

// apart minimizes values of a bug in a process of its own, and prints what that prints but for its
// first line, which is the count.
func apart(name string, seeds uint64) (c count, err error) {
	self, err := os.Executable()
	if err != nil {
		return c, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), mostTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "-bug", name, "-seeds", fmt.Sprint(seeds))
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return c, fmt.Errorf("%w: %.300s", err, out)
	}
	if _, err := fmt.Sscan(string(out), &c.values, &c.simpler, &c.remakes, &c.calls); err != nil {
		return c, fmt.Errorf("it prints %.300q: %w", out, err)
	}
	for i, b := range out {
		if b == '\n' {
			os.Stdout.Write(out[i+1:])
			break
		}
	}
	return c, nil
}

// minimize prints a line with the count, and then what a reader sees.
func minimize(c challenge.Challenge, seeds uint64) error {
	var n count
	example := ""
	for seed := range seeds {
		m, err := c.Minimize(seed)
		if errors.Is(err, challenge.ErrPasses) {
			continue
		} else if err != nil {
			return err
		}
		n.add(count{1, 0, m.Remakes, m.Calls})
		if s := c.Simpler(m.Tree); s != "" {
			n.simpler++
			example = fmt.Sprintf("\t%.300q\n\t%.300q\n", m.Value, s)
		}
	}
	mean := func(sum int) float64 { return float64(sum) / float64(max(1, n.values)) }
	fmt.Println(n.values, n.simpler, n.remakes, n.calls)
	fmt.Printf("%s\t%d of %d\t%d\t%.0f\t%.0f\n%s", c.Name, n.values, seeds, n.simpler, mean(n.remakes),
		mean(n.calls), example)
	return nil
}
