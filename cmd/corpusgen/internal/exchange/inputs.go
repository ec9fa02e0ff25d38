package exchange

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/safefile"
)

// An input is the arguments of a fuzz target as one string of bytes: what a binary of corpusgen
// libfuzzer takes. See [engine.AppendArguments].
type input []byte

// name is the name that libFuzzer gives to the input's file.
func (in input) name() string { return fmt.Sprintf("%x", sha1.Sum(in)) }

// inputs calls do for the inputs of the corpora in dirs, each once, until do returns an error.
// The error joins that one, and the errors of files that are not entries of the target.
func inputs(t *session.Target, dirs []string, do func(input) error) error {
	types, _ := Types(t, dirs...) // if nothing tells them, there is no entry
	paths, err := session.FilesIn(dirs...)
	errs := []error{err}
	seen := map[string]bool{}
	for _, path := range paths {
		args, err := readArgs(path)
		if err == nil && types != nil && !slices.Equal(types, engine.ArgumentTypes(args)) {
			err = fmt.Errorf("%s holds (%s), but %s takes (%s): remove it", path,
				TypeList(engine.ArgumentTypes(args)), t.Name, TypeList(types))
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		in := input(engine.AppendArguments(nil, args))
		if seen[string(in)] {
			continue
		}
		seen[string(in)] = true
		if err := do(in); err != nil {
			return errors.Join(append(errs, err)...)
		}
	}
	return errors.Join(errs...)
}

// Types returns the types of the arguments that the target takes: as its source tells, or
// otherwise as its entries in dirs do.
func Types(t *session.Target, dirs ...string) ([]reflect.Type, error) {
	if types, ok := signatureOf(t.Package.Dir, t.Name, t.Session.Tags); ok {
		return types, nil
	}
	paths, _ := session.FilesIn(dirs...) // there may be none
	for _, path := range paths {
		if args, err := readArgs(path); err == nil {
			return engine.ArgumentTypes(args), nil
		}
	}
	return nil, fmt.Errorf("%s: its source does not tell which arguments it takes: call f.Fuzz "+
		"in %s itself, with a function of its package, or add an entry to %s", t.Label, t.Name, t.Seeds)
}

// readArgs reads an entry of a corpus.
func readArgs(path string) ([]any, error) {
	file, err := corpus.ReadFile(path)
	if err != nil {
		return nil, err
	}
	args, err := corpus.UnmarshalArgs(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", safefile.Quoted(path), err)
	}
	return args, nil
}

// TypeList prints types as in the source of a function.
func TypeList(types []reflect.Type) string {
	var names []string
	for _, typ := range types {
		names = append(names, strings.ReplaceAll(typ.String(), "[]uint8", "[]byte"))
	}
	return strings.Join(names, ", ")
}

// cannotWrite reports whether an error is of the file system, so that no other file can be
// written, either.
func cannotWrite(err error) bool {
	var path *fs.PathError
	var link *os.LinkError
	return errors.As(err, &path) || errors.As(err, &link)
}

// A GoCorpus is a directory of entries to which inputs are added.
type GoCorpus struct {
	Dir   string
	Types []reflect.Type
	known map[string]string // the paths of the files that have been read or written, by content
}

// Open reads the corpora that know inputs already. Files that are not entries are left to those
// who read them.
func (c *GoCorpus) Open(dirs ...string) {
	c.known = map[string]string{}
	paths, _ := session.FilesIn(dirs...) // there may be none
	for _, path := range paths {
		if args, err := readArgs(path); err == nil {
			c.known[string(corpus.MarshalArgs(args))] = path
		}
	}
}

// exported returns the input that is exported once this one has been added: [engine.ReadArguments]
// ignores parts of some inputs.
func (c *GoCorpus) exported(in input) input {
	return engine.AppendArguments(nil, engine.ReadArguments(in, c.Types))
}

// Add writes an entry, unless it is known. It returns its path, and whether it is new.
func (c *GoCorpus) Add(in input) (path string, isNew bool, err error) {
	args := engine.ReadArguments(in, c.Types)
	file := string(corpus.MarshalArgs(args))
	if path, known := c.known[file]; known {
		return path, false, nil
	}
	if path, isNew, err = corpus.WriteArgs(c.Dir, args); err == nil {
		c.known[file] = path
	}
	return path, isNew, err
}
