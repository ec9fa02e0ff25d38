package fuzzext

import (
	"flag"
	"time"
)

var flags struct {
	checks int
	seed   uint64
	time   time.Duration
	print  bool

	savePolicy string
}

func init() {
	flag.IntVar(&flags.checks, "fuzzext.checks", 0,
		"run each fuzzext.Check on `n` valid values; with 0, on 1000, or, once a second has passed, on as few as 100, and -short divides these by 10")
	flag.Uint64Var(&flags.seed, "fuzzext.seed", 0,
		"make the values of each fuzzext.Check from this `number`; 0 is another in each run")
	flag.DurationVar(&flags.time, "fuzzext.time", 0,
		"run each fuzzext.Check for this `duration`, whatever the number of values")
	flag.StringVar(&flags.savePolicy, "fuzzext.savepolicy", "",
		"save what a fuzzext.Check whose property assumes has learned to this `file`, in the directory of the package, for fuzzext.WithPolicy")
	flag.BoolVar(&flags.print, "fuzzext.print", false,
		"print each value before the property runs on it, to see on which one the process ends")
}
