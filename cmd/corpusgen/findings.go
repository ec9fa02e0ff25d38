package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/campaign"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/finding"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/job"
)

// sarifUsage describes the flag that commands have which report failures.
const sarifUsage = `	-sarif file
		write the failures to file, in the format SARIF 2.1.0. In GitHub
		Actions, they are also shown at the lines that fail
`

// A findings is the failures that a command has found, for others than the terminal.
type findings struct {
	list  finding.List
	sarif string // file of -sarif, absolute; or ""
}

// locate fixes the directory to which paths are relative, and checks the flag.
func (f *findings) locate() (err error) {
	if f.list.Root, err = os.Getwd(); err != nil {
		return err
	}
	if f.sarif == "" {
		return nil
	}
	if err := finding.CheckSARIF(f.sarif); err != nil {
		return usageError{"-sarif: " + err.Error()}
	}
	f.sarif, err = filepath.Abs(f.sarif)
	return err
}

// add adds a finding, and annotates it where GitHub Actions runs corpusgen.
func (f *findings) add(o *output, x finding.Finding) {
	f.list.Add(x)
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		var w io.Writer = os.Stdout
		if o.json != nil {
			w = os.Stderr
		}
		o.print(w, f.list.Annotation(x))
	}
}

// write writes the file of -sarif.
func (f *findings) write() error {
	if f.sarif == "" {
		return nil
	}
	return f.list.WriteSARIF(f.sarif)
}

// findingOf returns a failure that fuzzing has found.
func findingOf(pkg gotest.Package, f engine.Failure) finding.Finding {
	x := finding.Finding{Target: f.Target, Package: pkg.Path, Dir: pkg.Dir, Place: f.Place, Message: campaign.Message(f.Log), Value: f.Value, File: f.File, Rerun: f.Rerun}
	if x.File != "" && !filepath.IsAbs(x.File) {
		x.File = filepath.ToSlash(gotest.Short(filepath.Join(pkg.Dir, filepath.FromSlash(x.File))))
	}
	return x
}

// findingIn returns a failure that an order has found.
func findingIn(t *userTarget, e job.Entry) finding.Finding {
	message, _, _ := strings.Cut(e.Why, "\n\n")
	x := finding.Finding{Target: t.name, Package: t.pkg.Path, Dir: t.pkg.Dir, Place: e.Place, Message: message, Value: e.Value}
	if e.Saved != "" {
		x.File = e.Saved
		if !filepath.IsAbs(x.File) && !strings.HasPrefix(filepath.ToSlash(x.File), filepath.ToSlash(t.seeds)) {
			x.File = filepath.ToSlash(gotest.Short(filepath.Join(t.pkg.Dir, filepath.FromSlash(x.File))))
		}
		x.Rerun = t.rerun(x.File)
	}
	return x
}
