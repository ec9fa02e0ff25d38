package others

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// MostReplay is how long the entries of a target may run.
const MostReplay = 10 * time.Minute

// A Reach is what entries reach.
type Reach struct {
	Statements, Reached int // of the module
	Entries, Unread     int // those that end the process are not read
}

// Reach runs the entries of a target in a copy of its module, which prepare makes, and those of a
// directory unless that is "".
func (l *Lab) Reach(
	ctx context.Context, t Target, prepare func(ctx context.Context, dir string) error, kept string,
) (all Reach, err error) {
	module := filepath.Join(l.Scratch, "covered")
	if err := prepare(ctx, module); err != nil {
		return all, err
	}
	binary := filepath.Join(l.Scratch, "covered.test")
	for _, covers := range []string{t.Module + "/...", "."} { // some modules compile only without
		_, err = Output(ctx, t.Dir(module), "go", "test", "-c", "-vet=off", "-o", binary,
			"-coverpkg="+covers, ".")
		if err == nil {
			break
		}
	}
	if err != nil {
		return all, err
	}
	covered := coverage{}
	run := func() error {
		profile := filepath.Join(l.Scratch, "profile")
		os.Remove(profile)
		cmd := exec.Command(binary, "-test.run=^"+t.Name+"$", "-test.coverprofile="+profile,
			"-test.timeout="+MostReplay.String())
		cmd.Dir, cmd.Env = t.Dir(module), Environment()
		done := Start(ctx, MostReplay, MostReplay, cmd)
		text, err := os.ReadFile(profile)
		if err != nil {
			return fmt.Errorf("no profile: %w: %s", done.Err, done.Tail())
		}
		return covered.read(string(text))
	}
	corpus := t.Entries(module)
	if err := run(); err != nil {
		return all, err
	}
	if kept != "" {
		names, err := Files(kept)
		if err != nil {
			return all, err
		}
		all.Entries = len(names)
		if err := os.MkdirAll(corpus, 0o777); err != nil {
			return all, err
		}
		var try func(names []string) error // halves what ends the process
		try = func(names []string) error {
			for _, name := range names {
				if err := os.Link(filepath.Join(kept, name), filepath.Join(corpus, "kept-"+name)); err != nil {
					return err
				}
			}
			err := run()
			for _, name := range names {
				os.Remove(filepath.Join(corpus, "kept-"+name))
			}
			switch {
			case err == nil || ctx.Err() != nil:
				return ctx.Err()
			case len(names) == 1:
				all.Unread++
				return nil
			}
			if err := try(names[:len(names)/2]); err != nil {
				return err
			}
			return try(names[len(names)/2:])
		}
		if len(names) > 0 {
			if err := try(names); err != nil {
				return all, err
			}
		}
	}
	all.Statements, all.Reached = covered.count()
	return all, nil
}

// coverage says which blocks have run. The name of a block ends with its number of statements.
type coverage map[string]bool

func (c coverage) count() (statements, reached int) {
	for block, is := range c {
		n, _ := strconv.Atoi(block[strings.LastIndexByte(block, ' ')+1:])
		if statements += n; is {
			reached += n
		}
	}
	return statements, reached
}

// read adds the blocks of a profile.
func (c coverage) read(profile string) error {
	for line := range strings.Lines(profile) {
		if strings.HasPrefix(line, "mode: ") {
			continue
		}
		block, count, ok := cutLast(strings.TrimSpace(line))
		if !ok {
			return fmt.Errorf("a line of a profile: %q", line)
		}
		c[block] = c[block] || count != "0"
	}
	return nil
}

// cutLast cuts a line at its last space.
func cutLast(line string) (before, after string, ok bool) {
	i := strings.LastIndexByte(line, ' ')
	if i < 0 {
		return line, "", false
	}
	return line[:i], line[i+1:], true
}
