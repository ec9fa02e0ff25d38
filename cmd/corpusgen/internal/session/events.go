package session

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/job"
)

// An EntryEvent is an entry.
type EntryEvent struct {
	Head
	Entry   job.Entry // without trees
	Choices string    `json:",omitempty"` // that make the value
}

// An EntriesEvent says what a command has made of a target's corpus.
type EntriesEvent struct {
	Head
	Files []string // that are new
	End   *job.End
}

func (t *Target) Head(name string) Head { return NewHead(name, t.Package.Path, t.Name) }

func (t *Target) EntryEvent(name string, e job.Entry) EntryEvent {
	ev := EntryEvent{Head: t.Head(name), Entry: e}
	if len(e.Tree) > 0 {
		ev.Choices = choices.Tree(e.Tree).String()
	}
	ev.Entry.Tree, ev.Entry.Parent = nil, nil
	return ev
}

// MaxShown is how many bytes of Go code show prints of a value.
const MaxShown = 64 << 10
