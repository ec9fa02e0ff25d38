// Package livepage keeps a page in a file that shows a campaign, also while it runs: each second,
// the page reads the [State] from a second file, its name and .js. It needs no server.
//
//	page, err := livepage.New("campaign.html")
//	page.Update(func(s *livepage.State) { s.Targets = … })
//	err = page.End()
package livepage

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/page"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/safefile"
)

// A State is what the page shows.
type State struct {
	Started time.Time
	Now     time.Time // when the state was asked for
	Limit   string    // of fuzzing, such as 10m0s; "" for none
	Ended   bool
	Targets []*Row
}

// A Row is the state of a target.
type Row struct {
	Package, Name string
	Running       bool
	Status        string // of the last turn: ok, failed, broken, skipped, interrupted; "" before
	Figures
	Again   []int64         // of each failure, how many further inputs are of its class
	Told    []Told          // of each failure
	History []Campaign      // earlier campaigns, the oldest first
	Points  []Point         `json:"-"` // over time, at most maxPoints
	Charts  []template.HTML // of Points, when the state was asked for
}

// Told is what the log of a failure says.
type Told struct {
	Message string        // in at most three lines
	Text    string        // of the input, if it has several lines
	Calls   []engine.Call // in the user's code, innermost first
}

// A Campaign is the result of fuzzing a target in a campaign that has ended.
type Campaign struct {
	Ended time.Time
	Counts
	Failures int
}

// Counts are what is counted of the fuzzing of a target.
type Counts struct {
	Executions int64
	Seconds    float64 // for which the target was fuzzed
	CPUSeconds float64 // 0 if that is unknown
	Found      int64   // new entries of the corpus
	Entries    int64   // of the corpus; 0 if that is unknown
	Covered    int     // blocks of code that inputs reach
	Blocks     int     // of the code that is followed; 0 if that is unknown, or says nothing
}

// Figures are the results of fuzzing a target so far.
type Figures struct {
	Counts
	Values    int64 // valid ones that were run; 0 if the inputs have no structure
	Operators []engine.OperatorStats
	Failures  []engine.Failure
	Unfit     string `json:",omitempty"` // why the target is not fuzzed any longer
}

// A Point is how far a target was at a time.
type Point struct {
	Seconds    float64 // since the campaign started
	Executions int64
	Found      int64
	Covered    int
}

// maxPoints bounds the points of a target. Beyond it, every other one goes.
const maxPoints = 400

// Add adds a point.
func (t *Row) Add(p Point) {
	t.Points = append(t.Points, p)
	if len(t.Points) <= maxPoints {
		return
	}
	kept := t.Points[:0]
	for i, p := range t.Points {
		if i%2 == 0 || i == len(t.Points)-1 {
			kept = append(kept, p)
		}
	}
	t.Points = kept
}

// Command is the command that writes pages, for package page.
const Command = "fuzz"

// A Page is a page in a file. A nil Page shows nothing.
type Page struct {
	path string

	mu    sync.Mutex
	state State
	done  chan struct{} // closed when the campaign has ended
	kept  chan struct{} // closed when nothing writes the state any longer
}

// states begins a file with a state.
const states = "show("

// New writes a page that shows a campaign, and its state from now on. The error says that it cannot
// be written, or that a file there is of another kind.
func New(path string) (*Page, error) {
	p := &Page{
		path:  path,
		state: State{Started: time.Now()},
		done:  make(chan struct{}),
		kept:  make(chan struct{}),
	}
	err := safefile.Replaceable(p.states(), states)
	if err == nil {
		err = page.Write(path, Command, []byte(document("null")))
	}
	if err == nil {
		err = p.keep()
	}
	if err != nil {
		return nil, err
	}
	go func() {
		defer close(p.kept)
		for {
			select {
			case <-p.done:
				return
			case <-time.After(time.Second):
				_ = p.keep() // what the page lacks now it shows at the end
			}
		}
	}()
	return p, nil
}

// states returns the file with the state of a campaign that runs.
func (p *Page) states() string { return p.path + ".js" }

// keep writes the state.
func (p *Page) keep() error {
	b, err := p.now()
	if err != nil {
		return err
	}
	return safefile.Write(p.states(), fmt.Appendf(nil, states+"%s)\n", b))
}

// Update changes the state, unless p is nil.
func (p *Page) Update(change func(*State)) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.state)
}

// End writes the page as it is when the campaign ends: with all that it shows, and nothing to read.
func (p *Page) End() error {
	if p == nil {
		return nil
	}
	close(p.done)
	<-p.kept
	p.Update(func(s *State) { s.Ended = true })
	b, err := p.now()
	if err == nil {
		err = page.Write(p.path, Command, []byte(document(string(b))))
	}
	if err != nil {
		return err
	}
	return os.Remove(p.states())
}

// document returns the page with a state as JSON, which has no <, or null if it must read that.
func document(state string) string {
	return strings.NewReplacer("/*style*/", page.Style, "/*script*/", page.Script, "/*state*/",
		state).Replace(source)
}

// now returns the state as JSON.
func (p *Page) now() ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.Now = time.Now()
	var err error
	for i, t := range p.state.Targets {
		t.Charts = nil
		for _, chart := range t.charts(i, p.state.Now.Sub(p.state.Started).Seconds()) {
			drawn, failed := chart.Draw()
			t.Charts, err = append(t.Charts, drawn), errors.Join(err, failed)
		}
	}
	b, failed := json.Marshal(&p.state)
	return b, errors.Join(err, failed)
}

//go:embed page.html
var source string

// charts draws what has grown over time, up to end, in seconds: the coverage, if it is known, and the
// corpus.
func (t *Row) charts(id int, end float64) (charts []*page.Chart) {
	if t.Covered > 0 {
		charts = append(charts, t.chart(fmt.Sprintf("covered%d", id), "Coverage", "blocks covered", end,
			func(p Point) int64 { return int64(p.Covered) }))
	}
	return append(charts, t.chart(fmt.Sprintf("found%d", id), "New entries", "new entries", end,
		func(p Point) int64 { return p.Found }))
}

// chart draws one figure of the points.
func (t *Row) chart(id, title, what string, end float64, of func(Point) int64) *page.Chart {
	last := int64(0)
	if n := len(t.Points); n > 0 {
		last = of(t.Points[n-1])
	}
	after := time.Duration(end) * time.Second
	c := &page.Chart{ID: id, W: page.Width, H: page.Height,
		Title:   title,
		Caption: fmt.Sprintf("%s%s over %v, up to %d.", strings.ToUpper(what[:1]), what[1:], after, last),
		Text:    fmt.Sprintf("%d %s after %v.", last, what, after)}
	most := float64(max(1, last))
	end = max(1, end)
	c.Axis(page.Whole(most))
	c.Word(page.X(1), page.Height-16, "end", after.String())
	var line strings.Builder
	before := int64(0)
	at := func(seconds float64, n int64) {
		fmt.Fprintf(&line, "%.1f,%.1f ", page.X(min(1, seconds/end)), page.Y(float64(n)/most))
	}
	at(0, 0)
	for _, p := range t.Points {
		at(p.Seconds, before)
		before = of(p)
		at(p.Seconds, before)
	}
	at(end, before)
	c.Line(strings.TrimSpace(line.String()), "corpus")
	return c
}
