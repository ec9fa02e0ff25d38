package main

import "github.com/espalier-go/espalier/internal/job"

// The events of commands that make entries.
type (
	entryEvent struct {
		event
		Entry job.Entry
	}
	entriesEvent struct {
		event
		Files []string // that are new
		End   *job.End
	}
)

func (t *userTarget) event(name string) event { return newEvent(name, t.pkg.Path, t.name) }
