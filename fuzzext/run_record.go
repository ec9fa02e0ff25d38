package fuzzext

import (
	"cmp"
	"context"
	"os"

	"github.com/espalier-go/espalier/fuzzext/internal/values"
)

// A cause tells a failure from others in its place.
type cause struct {
	text    string
	message bool // only [engine.Plain] of the text counts,
	echoes  bool // less the words of the value
}

// A record holds what a run leaves, besides whether it has failed.
type record struct {
	log       []byte
	where     string    // the place of the first failure
	before    int       // of log, what precedes that
	cause     cause     // what tells it from others there
	class     string    // of a failure, by the property
	skips     string    // what Skip or Skipf has been given
	helpers   []uintptr // calls of Helper
	labels    []string
	unique    uint64 // a hash of the key that tells the value from others, or 0
	scores    []values.Score
	cleanups  []cleanup
	artifacts string      // their directory, or ""
	attrs     [][2]string // keys and values
	ctx       context.Context
	cancel    context.CancelFunc
}

// reset makes a record empty. It keeps the memory.
func (r *record) reset() {
	clear(r.labels)
	clear(r.cleanups[:cap(r.cleanups)])
	*r = record{
		log:      r.log[:0],
		helpers:  r.helpers[:0],
		labels:   r.labels[:0],
		scores:   r.scores[:0],
		cleanups: r.cleanups[:0],
	}
}

// removeArtifacts removes the directory of artifacts, if there is one.
func (r *record) removeArtifacts() {
	if r.artifacts != "" {
		_ = os.RemoveAll(r.artifacts) // the end of the trial tries again
		r.artifacts = ""
	}
}

// An account is what a run tells of its failure.
type account struct {
	log    string
	before int    // bytes of log, which precede the failure
	where  string // the place of the failure, or ""
}

// message returns the log from the failure on, or all of it if the failure says nothing.
func (a *account) message() string { return cmp.Or(a.log[a.before:], a.log) }

// A cleanup is a function to be called at the end of a run.
type cleanup struct {
	call func()
	own  bool // one of this package, which needs no goroutine of the run
}
