// Package exchange turns corpus entries into files of other tools and machines, and such files into
// entries.
package exchange

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/safefile"
)

// An exchange makes the corpora of a target and its shared corpora have the same inputs.
type exchange struct {
	*syncer
	ctx    context.Context
	t      *session.Target
	shared []*sharedCorpus
	local  []string        // directories of entries
	inputs []input         // that local corpora have
	known  map[string]bool // the names of the inputs that have been read
	pushed int             // files, to all shared corpora
	pulled []string        // paths of new entries
}

// run exchanges inputs. It pulls first: if a shared file stands for the same arguments as a
// local entry, but is not what that would be exported as, the entry need not be pushed.
func (x *exchange) run() error {
	errs := []error{inputs(x.t, x.local, func(in input) error {
		x.known[in.name()] = true
		x.inputs = append(x.inputs, in)
		return x.ctx.Err()
	})}
	errs = append(errs, x.pull())
	for _, in := range x.inputs {
		x.put(in)
	}
	for _, c := range x.shared {
		errs = append(errs, c.err)
	}
	return errors.Join(errs...)
}

// shares says how many files each shared directory got, if there are several.
func (x *exchange) shares() string {
	if len(x.shared) < 2 || x.pushed == 0 {
		return ""
	}
	var shares []string
	for _, c := range x.shared {
		shares = append(shares, fmt.Sprintf("%d to %s", c.pushed, c.name))
	}
	return " (" + strings.Join(shares, ", ") + ")"
}

// put adds an input to the shared corpora that lack it. Those that cannot be written are left
// out from then on.
func (x *exchange) put(in input) {
	name := in.name()
	for _, c := range x.shared {
		if c.err != nil || x.ctx.Err() != nil || c.files[name] {
			continue
		}
		path, isNew, err := corpus.Add(c.dir, name, in)
		if err != nil && !errors.Is(err, fs.ErrExist) { // otherwise, perhaps another process writes it
			c.err = err
			continue
		}
		c.files[name] = true
		if isNew {
			x.pushed++
			c.pushed++
			x.show(path)
		}
	}
}

// pull adds the inputs of shared corpora to a local one, and to each other.
func (x *exchange) pull() error {
	var to *GoCorpus // once there is something to add
	var errs []error
	for c, name := range x.offered() {
		if x.ctx.Err() != nil {
			return nil
		}
		if x.known[name] {
			continue
		}
		in, err := c.read(name)
		if err != nil || in == nil {
			errs = append(errs, err)
			continue
		}
		if to == nil {
			if to, err = x.receiver(); err != nil {
				return errors.Join(append(errs, err)...)
			}
		}
		err = x.receive(c, to, in)
		errs = append(errs, err)
		if cannotWrite(err) {
			break
		}
	}
	return errors.Join(errs...)
}

// offered yields the names of the inputs of each shared corpus, in order.
func (x *exchange) offered() iter.Seq2[*sharedCorpus, string] {
	return func(yield func(*sharedCorpus, string) bool) {
		for _, c := range x.shared {
			for _, name := range slices.Sorted(maps.Keys(c.files)) {
				if !yield(c, name) {
					return
				}
			}
		}
	}
}

// receive adds an input of a shared corpus to a local one, and to the other shared ones.
func (x *exchange) receive(from *sharedCorpus, to *GoCorpus, in input) error {
	from.files[in.name()] = true
	from.files[to.exported(in).name()] = true
	if x.known[in.name()] {
		return nil
	}
	x.known[in.name()] = true
	path, isNew, err := to.Add(in)
	if cannotWrite(err) {
		return err
	}
	if isNew {
		x.pulled = append(x.pulled, path)
		x.show(path)
	}
	x.put(in)
	return err
}

// receiver returns the local corpus to which inputs are added.
func (x *exchange) receiver() (*GoCorpus, error) {
	types, err := Types(x.t, x.local...)
	if err != nil {
		return nil, err
	}
	to := &GoCorpus{Dir: x.t.Cache(), Types: types}
	if x.Dir != "" {
		to.Dir = x.t.Place()
	}
	to.Open(x.local...)
	return to, nil
}

func (x *exchange) show(path string) {
	if x.Verbose {
		x.Printf("\t%s\n", path)
	}
}

// A sharedCorpus is a directory of inputs to which others add files, too. The name of a file
// tells its content. So files of the same name are equal, and it does not matter who writes
// one. Files appear whole: the unfinished ones are in the directory above.
type sharedCorpus struct {
	dir   string
	files map[string]bool // the names of its files, and of the inputs in files with other names
	err   error           // that ends its use

	name   string // for the user: of the directory that all targets share
	pushed int    // files
}

// openShared lists a directory, which need not exist, below the one that all targets share.
func openShared(root, dir string) *sharedCorpus {
	c := &sharedCorpus{dir: dir, files: map[string]bool{}}
	if c.err = safefile.Below(root, dir); c.err != nil {
		return c
	}
	files, err := os.ReadDir(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		c.err = err
	}
	for _, f := range files {
		if !f.IsDir() && !strings.HasPrefix(f.Name(), ".") { // rsync's unfinished files have a dot
			c.files[f.Name()] = true
		}
	}
	return c
}

// hashed is the name of a file that tells its content.
var hashed = regexp.MustCompile(`^[0-9a-f]{40}$`)

// read reads a file, also one of another name, such as the crash-HASH of libFuzzer. It returns
// nil if the file is gone: libFuzzer removes inputs for which it finds smaller ones.
func (c *sharedCorpus) read(name string) (input, error) {
	path := filepath.Join(c.dir, name)
	b, err := corpus.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if in := input(b); !hashed.MatchString(name) || in.name() == name {
		return append(input{}, in...), nil
	}
	return nil, fmt.Errorf("%s has another content than its name tells: it is being written, or "+
		"broken; if this error remains, remove the file", path)
}
