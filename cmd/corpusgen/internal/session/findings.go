package session

import (
	"io"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
)

// A Findings is the failures that a command has found, for others than the terminal.
type Findings struct {
	list  finding.List
	Sarif string // file of -sarif, absolute; or ""
}

// Locate fixes the directory to which paths are relative, and checks the flag.
func (f *Findings) Locate() (err error) {
	if f.list.Root, err = os.Getwd(); err != nil {
		return err
	}
	if f.Sarif == "" {
		return nil
	}
	if err := finding.CheckSARIF(f.Sarif); err != nil {
		return UsageError{"-sarif: " + err.Error()}
	}
	f.Sarif, err = filepath.Abs(f.Sarif)
	return err
}

// Add adds a finding, and annotates it where GitHub Actions runs corpusgen.
func (f *Findings) Add(o *Output, x finding.Finding) {
	f.list.Add(x)
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		var w io.Writer = os.Stdout
		if o.Json != nil {
			w = os.Stderr
		}
		o.Print(w, f.list.Annotation(x))
	}
}

// Write writes the file of -sarif.
func (f *Findings) Write() error {
	if f.Sarif == "" {
		return nil
	}
	return f.list.WriteSARIF(f.Sarif)
}
