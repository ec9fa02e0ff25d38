// Package live serves a page that shows a campaign while it runs. The page needs no network
// but the connection to this process, and asks it each second for the [State].
//
//	page, err := live.Serve("localhost:8080")
//	page.Update(func(s *live.State) { s.Targets = … })
//	page.Close()
package live

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/espalier-go/espalier/internal/engine"
)

// A State is what the page shows.
type State struct {
	Started time.Time
	Now     time.Time // when the state was asked for
	Limit   string    // of fuzzing, such as 10m0s; "" for none
	Targets []*Target
}

// A Target is the state of a target.
type Target struct {
	Package, Name string
	Running       bool
	Status        string // of the last turn: ok, failed, broken, skipped, interrupted; "" before
	Unfit         string // why it is not fuzzed any longer, or ""
	Executions    int64
	Values        int64 // valid ones; 0 if the inputs have no structure
	Found         int64 // new entries of the corpus
	Entries       int64 // of the corpus; 0 if that is unknown
	Seconds       float64
	CPUSeconds    float64 // 0 if it is not known
	Points        []Point // over time, at most maxPoints
	Operators     []engine.OperatorStats
	Failures      []engine.Failure
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

// A Page is a page that is served.
type Page struct {
	URL string

	mu     sync.Mutex
	state  State
	server *http.Server
}

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
	p := &Page{URL: "http://" + l.Addr().String() + "/", state: State{Started: time.Now()}}
	local := isLoopback(l.Addr())
	p.server = &http.Server{Handler: p.handler(local), ReadHeaderTimeout: 10 * time.Second}
	go p.server.Serve(l) // returns when Close closes it
	return p, nil
}

func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// Update changes the state.
func (p *Page) Update(change func(*State)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.state)
}

// Close stops serving.
func (p *Page) Close() error { return p.server.Close() }

//go:embed page.html
var page []byte

// handler answers requests. A page that only this machine reaches answers only requests that
// name it so: another site's script must not read it by a name that leads here.
func (p *Page) handler(local bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(page)
	})
	mux.HandleFunc("GET /state", func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.state.Now = time.Now()
		b, err := json.Marshal(&p.state)
		p.mu.Unlock()
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
