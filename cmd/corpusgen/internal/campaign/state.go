package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/livepage"
	"github.com/espalier-go/espalier/internal/safefile"
)

// A Record sums up the fuzzing of a target in all runs.
type Record struct {
	CPU        time.Duration
	Executions int64
	Found      int64 // inputs of interest
	// RecentFound is what has been found lately, RecentCPU in what time; see [Rotation].
	RecentFound float64
	RecentCPU   float64             // seconds
	Campaigns   []livepage.Campaign `json:",omitempty"` // the last ones
}

// maxCampaigns is how many campaigns a record keeps.
const maxCampaigns = 50

// end adds a campaign that has ended.
func (r *Record) end(c livepage.Campaign) {
	r.Campaigns = append(r.Campaigns, c)
	r.Campaigns = r.Campaigns[max(0, len(r.Campaigns)-maxCampaigns):]
}

// add counts a turn.
func (r *Record) add(found int64, cpu time.Duration) {
	r.CPU += cpu
	r.Found += found
	r.RecentFound = r.RecentFound/2 + float64(found)
	r.RecentCPU = r.RecentCPU/2 + cpu.Seconds()
}

// Yield returns what has lately been found per CPU second, by the first rule of [Rotation].
func (r *Record) Yield() float64 {
	const shortest = 0.1 // seconds; less says nothing
	return max(r.RecentFound/max(r.RecentCPU, shortest), 0.001)
}

func (r *Record) valid() bool {
	return r != nil && r.CPU >= 0 && r.Executions >= 0 && r.Found >= 0 && r.RecentFound >= 0 &&
		r.RecentCPU >= 0
}

// State has the records of the targets of a package.
type State struct {
	Version int
	Package string // import path
	Targets map[string]*Record

	path string
}

// stateVersion changes whenever [State] does.
const stateVersion = 1

// maxState bounds a file of states, in bytes.
const maxState = 16 << 20

// Load reads the state of the package with the import path pkg from dir, where [State.Save]
// has put it. If there is none, the State is empty. If there is an error, which is worth a
// warning, the State is empty and can be used.
func Load(dir, pkg string) (*State, error) {
	hash := sha256.Sum256([]byte(pkg))
	empty := &State{
		Version: stateVersion,
		Package: pkg,
		Targets: map[string]*Record{},
		path:    filepath.Join(dir, hex.EncodeToString(hash[:16])+".json"),
	}
	data, err := safefile.Read(empty.path, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if err != nil {
		return empty, err
	}
	s := &State{path: empty.path}
	if err := json.Unmarshal(data, s); err != nil {
		return empty, fmt.Errorf("%s: %w", s.path, err)
	}
	if s.Version != stateVersion || s.Package != pkg {
		return empty, fmt.Errorf("%s is of version %d for package %q, not %d for %q", s.path,
			s.Version, s.Package, stateVersion, pkg)
	}
	for name, r := range s.Targets {
		if !r.valid() {
			return empty, fmt.Errorf("%s: the record of %s is invalid", s.path, name)
		}
	}
	if s.Targets == nil {
		s.Targets = empty.Targets
	}
	return s, nil
}

// Record returns the record of a target, which Save will save.
func (s *State) Record(name string) *Record {
	if s.Targets[name] == nil {
		s.Targets[name] = &Record{}
	}
	return s.Targets[name]
}

// Save writes the state, whole or not at all. If several processes fuzz the same package,
// the one that saves last wins.
func (s *State) Save() error {
	data, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return err
	}
	return safefile.Write(s.path, append(data, '\n'))
}
