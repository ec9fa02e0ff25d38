//go:build ignore

// This file has what runs in the coordinator. It is compiled as part of internal/fuzz. The edits of
// package overlay call its functions; the other files of the overlay are the files of package
// engine.

package fuzz

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// espalierWriter and espalierReader replace the format of messages, in workers, too.
var espalierWriter, espalierReader = NewMessageWriter, NewMessageReader

// espalierUnfinished keeps an entry that a worker still ran when it was killed, or had ended.
func espalierUnfinished(killed bool, entry CorpusEntry) {
	if dir := os.Getenv(RunDir); killed && dir != "" && len(entry.Data) > 0 {
		espalierKeep(filepath.Join(dir, UnfinishedPrefix+entry.Path), entry.Data)
	}
}

// espalierSeedFails keeps an entry that fails before fuzzing begins.
func espalierSeedFails(entry CorpusEntry) {
	if dir := os.Getenv(RunDir); dir != "" && len(entry.Data) > 0 {
		espalierKeep(filepath.Join(dir, FailedSeedFile), entry.Data)
	}
}

// espalierCorpus returns the directory that is read instead of a target's seed corpus.
func espalierCorpus(dir string) string {
	if other := os.Getenv(CorpusDir); other != "" {
		return other
	}
	return espalierCorpusDir(dir)
}

// espalierHome is the directory in which the process has started. TestMain may change to another.
var espalierHome, _ = os.Getwd()

// espalierCorpusDir returns where a target's corpus is: below the directory to which TestMain has
// changed, where package testing looks for it, too; but nothing would stay in a temporary one.
func espalierCorpusDir(dir string) string {
	now, err := os.Getwd()
	if err != nil || now == espalierHome || espalierHome == "" || filepath.IsAbs(dir) {
		return dir
	}
	if tmp := os.TempDir(); espalierBelow(tmp, now) && !espalierBelow(tmp, espalierHome) {
		now = espalierHome
	}
	return filepath.Join(now, dir)
}

// espalierBelow reports whether a directory is below another.
func espalierBelow(root, dir string) bool {
	for _, path := range []*string{&root, &dir} {
		if real, err := filepath.EvalSymlinks(*path); err == nil {
			*path = real
		}
	}
	rel, err := filepath.Rel(root, dir)
	return err == nil && filepath.IsLocal(rel)
}

// espalierEnter makes a worker start where this process has started: its TestMain is the same.
func espalierEnter(cmd *exec.Cmd) {
	if now, err := os.Getwd(); err == nil && now != espalierHome {
		cmd.Dir = espalierHome
	}
}

// espalierSaid has the files to which workers print.
var espalierSaid struct {
	sync.Mutex
	files   map[*worker]string
	trimmed time.Time
}

// espalierHear keeps what a worker prints: TestMain may say why it ends.
func espalierHear(w *worker, cmd *exec.Cmd) {
	s := &espalierSaid
	s.Lock()
	defer s.Unlock()
	dir := os.Getenv(RunDir)
	if dir == "" {
		return
	}
	if s.files == nil {
		s.files = map[*worker]string{}
	}
	path, flags := s.files[w], os.O_WRONLY|os.O_CREATE|os.O_APPEND
	if path == "" { // what one before it has said, in this turn, stays
		path = filepath.Join(dir, SaidPrefix+strconv.Itoa(len(s.files)))
		s.files[w], flags = path, flags|os.O_TRUNC
	}
	if f, err := os.OpenFile(path, flags, 0o666); err == nil {
		cmd.Stdout, cmd.Stderr = f, f
	}
}

// espalierHeard completes the error of a worker that has ended before it fuzzed.
func espalierHeard(w *worker, err error) error {
	s := &espalierSaid
	s.Lock()
	defer s.Unlock()
	const most = 4 << 10 // bytes
	b, _ := os.ReadFile(s.files[w])
	if b = bytes.TrimSpace(b); len(b) == 0 {
		return err
	}
	return fmt.Errorf("%w\n%s\n%s", err, WorkerSaid, b[max(0, len(b)-most):])
}

// espalierTrim empties the files of workers that fuzz: what a target prints is of no use.
func espalierTrim() {
	const most = 1 << 20 // bytes
	s := &espalierSaid
	s.Lock()
	defer s.Unlock()
	if time.Since(s.trimmed) < time.Second {
		return
	}
	s.trimmed = time.Now()
	for _, path := range s.files {
		if info, err := os.Stat(path); err == nil && info.Size() > most {
			_ = os.Truncate(path, 0)
		}
	}
}

// espalierTake replaces vals, which have the types of the input, by the input that was
// run.
func espalierTake(mem *sharedMem, vals []any) {
	espalierTrim()
	region := espalierRegion(mem)
	if mem.header().count == 0 || region == nil {
		return // the worker has ended before it ran any
	}
	more := binary.LittleEndian.Uint64(region)
	b := region[8:]
	if more == 0 || more > 1+uint64(len(b)) {
		return
	}
	copy(vals, ReadArguments(b[:more-1], ArgumentTypes(vals)))
}

// espalierBound makes the engine run an input that is kept for its coverage once more, to
// see whether it has the coverage again, but not minimize it: the explorers do that as far
// as it pays. The engine's minimization takes longer than everything else, and removes what
// later mutations build on.
func espalierBound(input *fuzzMinimizeInput) {
	if input.keepCoverage != nil {
		input.limit = 1
	}
}

// espalierSeeds leaves out the seeds that known failures name.
func espalierSeeds(seeds []CorpusEntry) []CorpusEntry {
	known := espalierKnownClasses()
	var kept []CorpusEntry
	for _, s := range seeds {
		if _, ok := known[filepath.Base(s.Path)]; !ok {
			kept = append(kept, s)
		}
	}
	return kept
}

// espalierBase is what a turn leaves to the next one, which runs the same binary.
type espalierBase struct {
	Mask   []byte
	Hashes [][]byte // of the entries of the corpus
}

// espalierBaseline sets the coverage to the coverage of the last turn, if that has had all entries
// of the corpus, and returns how many entries are left to be run before fuzzing begins: all or
// none.
func espalierBaseline(
	log io.Writer, mask []byte, corpus map[[sha256.Size]byte]bool, entries, workers int,
) (left int) {
	dir := os.Getenv(RunDir)
	if dir == "" || len(mask) == 0 || entries == 0 {
		return entries
	}
	var base espalierBase
	b, err := os.ReadFile(filepath.Join(dir, BaselineFile))
	if err != nil || json.Unmarshal(b, &base) != nil || len(base.Mask) != len(mask) {
		return entries
	}
	had := make(map[string]bool, len(base.Hashes))
	for _, h := range base.Hashes {
		had[string(h)] = true
	}
	for h := range corpus {
		if !had[string(h[:])] {
			return entries
		}
	}
	copy(mask, base.Mask)
	fmt.Fprintf(log, "fuzz: elapsed: 0s, baseline coverage of the last turn: %d/%d completed, "+
		"now fuzzing with %d workers\n", entries, entries, workers)
	return 0
}

// espalierKeepBaseline leaves the coverage to the next turn, unless it has not been gathered.
func espalierKeepBaseline(mask []byte, corpus map[[sha256.Size]byte]bool, gathering bool) {
	dir := os.Getenv(RunDir)
	if dir == "" || len(mask) == 0 || gathering {
		return
	}
	base := espalierBase{Mask: mask}
	for h := range corpus {
		base.Hashes = append(base.Hashes, bytes.Clone(h[:]))
	}
	espalierWrite(dir, BaselineFile, base)
}
