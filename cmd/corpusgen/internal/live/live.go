// Package live serves a page that shows a campaign while it runs. The page needs no network
// but the connection to this process, and asks it each second for the [State]. A file keeps the last
// state.
//
//	page, err := live.Serve("localhost:8080")
//	page.Update(func(s *live.State) { s.Targets = … })
//	page.Close()
package live

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/page"
	"github.com/espalier-go/espalier/internal/engine"
)

// A State is what the page shows.
type State struct {
	Started time.Time
	Now     time.Time // when the state was asked for
	Limit   string    // of fuzzing, such as 10m0s; "" for none
	Ended   bool
	Targets []*Target
}

// A Target is the state of a target.
type Target struct {
	Package, Name string
	Running       bool
	Status        string // of the last turn: ok, failed, broken, skipped, interrupted; "" before
	Figures
	Again   []int64       // of each failure, how many further inputs are of its class
	History []Run         // earlier campaigns, the oldest first
	Points  []Point       `json:"-"` // over time, at most maxPoints
	Chart   template.HTML // of Points, when the state was asked for
}

// A Run is the result of fuzzing a target in a campaign that has ended.
type Run struct {
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
	Blocks     int     // of the code that is followed; 0 if that is unknown
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
}

// maxPoints bounds the points of a target. Beyond it, every other one goes.
const maxPoints = 400

// Add adds a point.
func (t *Target) Add(p Point) {
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

// A Page is a page that is served, or kept in a file.
type Page struct {
	URL string // if it is served

	mu     sync.Mutex
	state  State
	server *http.Server
}

// New returns a page that is not served.
func New() *Page { return &Page{state: State{Started: time.Now()}} }

// Serve serves the page at an address, HOST:PORT or PORT. Without a host, only this machine
// can reach it. Port 0 is any that is free.
func Serve(addr string) (*Page, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		host, port = "", addr
	}
	if host == "" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	p := New()
	p.URL = "http://" + l.Addr().String() + "/"
	local := isLoopback(l.Addr())
	p.server = &http.Server{Handler: p.handler(local), ReadHeaderTimeout: 10 * time.Second}
	go p.server.Serve(l) // returns when Close closes it
	return p, nil
}

func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
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

// Close stops serving. The page keeps what it shows.
func (p *Page) Close() {
	if p != nil && p.server != nil {
		_ = p.server.Close()
	}
}

// Write writes the page to a file, as it is when the campaign ends.
func (p *Page) Write(path string) error {
	p.Update(func(s *State) { s.Ended = true })
	b, err := p.now()
	if err != nil {
		return err
	}
	return page.Write(path, Command, []byte(document(string(b))))
}

// document returns the page with a state as JSON, which has no <, or null if it is to ask for that.
func document(state string) string {
	return strings.NewReplacer("/*style*/", page.Style, "/*script*/", page.Script, "/*state*/", state).Replace(source)
}

// now returns the state as JSON.
func (p *Page) now() ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.Now = time.Now()
	var err error
	for i, t := range p.state.Targets {
		drawn, failed := t.chart(i, p.state.Now.Sub(p.state.Started).Seconds()).Draw()
		t.Chart, err = drawn, errors.Join(err, failed)
	}
	b, failed := json.Marshal(&p.state)
	return b, errors.Join(err, failed)
}

//go:embed page.html
var source string

// chart draws how many entries were new over time, up to end, in seconds.
func (t *Target) chart(id int, end float64) *page.Chart {
	found := int64(0)
	if n := len(t.Points); n > 0 {
		found = t.Points[n-1].Found
	}
	after := time.Duration(end) * time.Second
	c := &page.Chart{ID: fmt.Sprintf("found%d", id), W: page.Width, H: page.Height, Title: "New entries",
		Caption: fmt.Sprintf("New entries over %v, up to %d.", after, found), Text: fmt.Sprintf("%d new entries after %v.", found, after)}
	most := float64(max(1, found))
	end = max(1, end)
	c.Axis(page.Whole(most))
	c.Word(page.X(1), page.Height-16, "end", after.String())
	var line strings.Builder
	before := int64(0)
	at := func(seconds float64, found int64) {
		fmt.Fprintf(&line, "%.1f,%.1f ", page.X(min(1, seconds/end)), page.Y(float64(found)/most))
	}
	at(0, 0)
	for _, p := range t.Points {
		at(p.Seconds, before)
		at(p.Seconds, p.Found)
		before = p.Found
	}
	at(end, before)
	c.Line(strings.TrimSpace(line.String()), "corpus")
	return c
}

// handler answers requests. A page that only this machine reaches answers only requests that
// name it so: another site's script must not read it by a name that leads here.
func (p *Page) handler(local bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, document("null"))
	})
	mux.HandleFunc("GET /state", func(w http.ResponseWriter, r *http.Request) {
		b, err := p.now()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(b)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if local && !isLocalName(r.Host) {
			http.Error(w, fmt.Sprintf("this page is for requests to localhost, not to %q", r.Host), http.StatusForbidden)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		mux.ServeHTTP(w, r)
	})
}

// isLocalName reports whether the host of a request is this machine's own name for itself.
func isLocalName(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}
