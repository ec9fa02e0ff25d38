package main

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/job"
)

// The events of commands that ask generators.
type (
	entryEvent struct {
		event
		Entry   job.Entry // without trees
		Choices string    `json:",omitempty"` // that make the value
	}
	entriesEvent struct {
		event
		Files []string // that are new
		End   *job.End
	}
	syncEvent struct {
		event
		Inputs int      // that all have
		Pushed int      // files
		Files  []string // that are new entries
	}
	tuneEvent struct {
		event
		Model string // its file
		Tuned *job.Tuned
	}
	minEvent struct {
		event
		Entries int
		Kept    []string // files
	}
	coverEvent struct {
		event
		Entries    int
		Reached    int // statements
		Statements int
		Functions  []coveredFunction
		Unreached  []part // of functions that are reached
	}
	coverDiffEvent struct {
		event
		Corpus string // directory
		Only   []part // that no entry of the other corpus reaches
	}
	diffEvent struct {
		event
		Old, New string // files
		Diff     string
	}
)

func (t *userTarget) event(name string) event { return newEvent(name, t.pkg.Path, t.name) }

func (t *userTarget) entryEvent(name string, e job.Entry) entryEvent {
	ev := entryEvent{event: t.event(name), Entry: e}
	if len(e.Tree) > 0 {
		ev.Choices = choices.Tree(e.Tree).String()
	}
	ev.Entry.Tree, ev.Entry.Parent = nil, nil
	return ev
}
