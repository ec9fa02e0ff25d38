package main

import (
	"github.com/espalier-go/espalier/internal/campaign"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/gotest"
)

// A fuzzTarget is a target of a campaign.
type fuzzTarget struct {
	name     string
	label    string // names it in output; empty if it is the only one
	binary   *gotest.Binary
	state    *campaign.State
	record   *campaign.Record
	tally    campaign.Tally
	failures []engine.Failure
	unfit    string  // why the target cannot be fuzzed
	turns    int     // that have ended
	spent    float64 // of the limit
	idle     int     // turns in a row that ended with a failure that is known
}

func (t *fuzzTarget) pkg() gotest.Package { return t.binary.Package }
