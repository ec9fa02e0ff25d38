package fuzzext

import (
	"errors"
	"flag"
	"os"
	"strconv"
	"time"

	"github.com/espalier-go/espalier/internal/engine"
)

var flags struct {
	checks int
	seed   uint64
	time   time.Duration
	run    time.Duration // limit of a run
	print  bool
	keep   bool
	policy string // to save

	observe string
}

func init() {
	flag.Func("fuzzext.checks",
		"run each fuzzext.Check on `n` valid values, 1 or more (default 1000, and up to 2000 "+
			"until 50 ms have passed, or as few as 100 once a second has passed, and 10 after "+
			"five; 5000 with -fuzzext.keepgoing, or as "+
			"few as 100 once a minute has passed; a tenth of that with -short)",
		func(s string) (err error) {
			if flags.checks, err = strconv.Atoi(s); err != nil || flags.checks < 1 {
				return errors.New("want a number of values, 1 or more")
			}
			return nil
		})
	flag.Uint64Var(&flags.seed, "fuzzext.seed", 0,
		"make the random values of each fuzzext.Check from the seed `n`; 0 means another seed "+
			"in each run")
	flag.DurationVar(&flags.time, "fuzzext.time", 0,
		"run each fuzzext.Check for the duration `d`, on any number of values")
	limit, _ := time.ParseDuration(os.Getenv(engine.LimitTime)) // set by corpusgen fuzz
	flag.DurationVar(&flags.run, "fuzzext.timeout", limit,
		"fail a run of a property once it has used the CPU time `d`, or ten times as much of "+
			"the clock, in checks and fuzz targets; overrides fuzzext.Timeout")
	flag.BoolVar(&flags.print, "fuzzext.print", false,
		"print each value before the run on it: if a run ends the process, its value is the last")
	flag.BoolVar(&flags.keep, "fuzzext.keepgoing", false,
		"continue each fuzzext.Check after a failure, and report each class of failures once")
	flag.StringVar(&flags.policy, "fuzzext.savepolicy", "",
		"save what a guided fuzzext.Check has learned to `file`, relative to the package, for "+
			"fuzzext.WithPolicy")
	flag.StringVar(&flags.observe, "fuzzext.observe", "",
		"append each value and what becomes of it to `file`, relative to the package, as lines of "+
			"JSON that Tyche shows")
}
