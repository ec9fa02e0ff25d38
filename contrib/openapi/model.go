package openapi

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

// Model returns the model of a service: sequences of requests that fit the description, against a
// handler that newHandler returns anew for each sequence. The operations of the model are those of
// the description, and two more: "repeat" sends the last PUT again, and "undeclared method" sends
// what no operation describes.
//
// It returns an error if an option names what is not there, or if no request of an operation can be
// made; the error says which.
func (s *Spec) Model(
	newHandler func(t testing.TB) http.Handler, opts ...Option,
) (*callseq.Model, error) {
	v, err := s.service(newHandler, opts)
	if err != nil {
		return nil, err
	}
	return v.model(), nil
}

// A service is a description with options.
type service struct {
	spec       *Spec
	config     *config
	base       string
	newHandler func(t testing.TB) http.Handler
	makers     []*maker
	makes      map[string][]*source
	uses       map[string][]*kind
	methods    []*maker // as some at the same paths, but with methods that these do not have

	mu       sync.Mutex
	answered map[string]map[int]int // statuses, by operation
}

func (s *Spec) service(newHandler func(t testing.TB) http.Handler, opts []Option) (*service, error) {
	c := newConfig(opts)
	if err := c.check(s); err != nil {
		return nil, err
	}
	v := &service{spec: s, config: c, base: c.basePath(s), newHandler: newHandler,
		answered: map[string]map[int]int{}}
	var operations []*operation
	for _, o := range s.operations {
		if !c.selected(o) {
			continue
		}
		m, err := newMaker(o, s.requests, c.fixed)
		if err != nil {
			return nil, fmt.Errorf("%w\nTo leave it out, use openapi.Skip(%q)", err, o.name)
		}
		v.makers = append(v.makers, m)
		operations = append(operations, o)
	}
	if len(v.makers) == 0 {
		return nil, fmt.Errorf("no operation is left: the options leave all out")
	}
	v.makes, v.uses = kinds(operations)
	return v, v.findMethods()
}

// findMethods lists the methods that the description does not have at its paths.
func (v *service) findMethods() error {
	declared := map[string]bool{}
	for _, o := range v.spec.operations {
		declared[o.name] = true
	}
	for _, m := range v.makers {
		for _, method := range []string{"GET", "PUT", "POST", "DELETE", "PATCH"} {
			o := *m.operation
			if o.name = method + " " + o.path.text; declared[o.name] {
				continue
			}
			declared[o.name] = true
			o.method, o.bodies, o.needsBody, o.id = method, nil, false, ""
			other, err := newMaker(&o, v.spec.requests, v.config.fixed)
			if err != nil {
				return err
			}
			v.methods = append(v.methods, other)
			v.uses[o.name] = v.uses[m.name]
		}
	}
	return nil
}

func (v *service) model() *callseq.Model {
	return callseq.New(func(c *callseq.C) {
		r := &run{C: c, service: v}
		c.Code("handler := newHandler(t)")
		r.pools = map[*kind]*callseq.Pool[*instance]{}
		for _, m := range v.makers {
			for _, src := range v.makes[m.name] {
				if r.pools[src.kind] == nil {
					r.pools[src.kind] = callseq.NewPool[*instance](c, src.kind.name)
				}
			}
		}
		c.Do(func() {
			r.handler = v.newHandler(c)
			r.deleted = map[string]string{}
		})
		var last *operation
		for _, m := range v.makers {
			op := c.Op(m.name, func() {
				r.call(m)
				last = m.operation
			})
			for _, src := range v.makes[m.name] {
				if m.method == http.MethodPost {
					r.first = append(r.first, making{op, r.pools[src.kind]})
				}
			}
		}
		c.Scenario(0.6, r.next)
		c.End(r.tell)
		isPut := func(m *maker) bool { return m.method == http.MethodPut }
		if slices.ContainsFunc(v.makers, isPut) {
			c.Op("repeat", func() {
				c.Do(r.repeat)
			}).When(func() bool { return last != nil && last.method == http.MethodPut }).Weight(0.5)
		}
		if len(v.methods) > 0 {
			c.Op("undeclared method", func() {
				last = nil
				m := v.methods[callseq.Arg(c, "method", bigen.IntRange(0, len(v.methods)-1))]
				q := &call{maker: m, named: r.names(m), creds: given}
				q.values, _ = callseq.Arg(c, "request", m.valid).(map[string]any)
				c.Do(func() { r.do(q) })
			}).Weight(0.5)
		}
	}, callseq.Length(12, 200))
}

// A run is one sequence of requests.
type run struct {
	*callseq.C
	*service
	handler  http.Handler
	pools    map[*kind]*callseq.Pool[*instance]
	deleted  map[string]string // the operations that have deleted what paths name
	last     *request          // that has been answered by success
	lastCode string
	lastArgs []any
	first    []making
	begun    int // calls of the scenario
	failures []failure
	sent     []*Exchange
	lastCall *call
}

// A making is an operation that makes instances.
type making struct {
	*callseq.Op
	pool *callseq.Pool[*instance]
}

// next returns the first operation that makes something of which there is nothing, for as many calls
// as there are such operations, and some more: these may be wrong on purpose.
func (r *run) next() *callseq.Op {
	r.begun++
	for _, m := range r.first {
		if !m.pool.Any() && r.begun <= 2*len(r.first) {
			return m.Op
		}
	}
	return nil
}

// Credentials that a request has.
const (
	given   = "given"
	without = "none"
	wrong   = "wrong"
)

var credentials = bigen.Pick(
	bigen.Tag(given, bigen.Just(given)).Weight(8),
	bigen.Tag(without, bigen.Just(without)),
	bigen.Tag(wrong, bigen.Just(wrong)),
)

// A call is a request that is made.
type call struct {
	*maker
	values map[string]any // of the request
	named  []*instance    // what it names, or nil
	made   []*instance    // what it may make, one for each of its sources
	broken *violation     // or nil
	creds  string

	of    *instance         // of named, the one that the path has
	code  map[string]string // Go code of what that replaces in the path
	plain bool              // it has no parameters but those of the path
}

// call draws the arguments of a request, and sends it.
func (r *run) call(m *maker) {
	c := r.C
	q := &call{maker: m, named: r.names(m), creds: given}
	violation := callseq.Arg(c, "violation", m.choice)
	if m.secured() {
		q.creds = callseq.Arg(c, "credentials", credentials)
	}
	var g bigen.Gen[any]
	g, q.broken = m.generator(violation)
	q.values, _ = callseq.Arg(c, "request", g).(map[string]any)
	for _, src := range r.sources(q) {
		i := &instance{kind: src.kind, likely: m.method == http.MethodPost}
		q.made = append(q.made, r.pools[src.kind].Add(i))
	}
	c.Do(func() { r.do(q) })
}

// sources returns the sources of what a call may make.
func (v *service) sources(q *call) []*source {
	isNamed := len(q.named) > 0 && q.named[0] != nil
	if q.broken != nil || q.creds != given || q.method == http.MethodPut && isNamed {
		return nil
	}
	return v.makes[q.name]
}

// names draws the instances that a request names.
func (r *run) names(m *maker) (named []*instance) {
	for _, k := range r.uses[m.name] {
		if r.pools[k] != nil {
			named = append(named, r.draw(k))
		}
	}
	return named
}

// draw draws an instance of a kind, or none.
func (r *run) draw(k *kind) *instance {
	names, instances := r.pools[k].Names(), r.pools[k].All()
	var likely, others []callseq.Name
	for i, name := range names {
		if instances[i].likely {
			likely = append(likely, name)
		} else {
			others = append(others, name)
		}
	}
	alts := []bigen.Alt[callseq.Name]{bigen.Tag("none", bigen.Just(callseq.Name("")))}
	if len(likely) > 0 {
		alts = append(alts, bigen.Tag("made", bigen.OneOf(likely...)).Weight(8))
	}
	if len(others) > 0 {
		alts = append(alts, bigen.Tag("other", bigen.OneOf(others...)))
	}
	g := bigen.Pick(alts...)
	name := callseq.Arg(r.C, "the "+k.name, g)
	if i := slices.Index(names, name); i >= 0 {
		return instances[i]
	}
	return nil
}

// do sends a request, and checks what it does.
func (r *run) do(q *call) {
	q.plain = len(object(q.values, "query"))+len(object(q.values, "header"))+
		len(object(q.values, "cookie")) == 0
	idle := r.name(q)
	req := q.request(r.base, q.values)
	r.authorize(q, req)
	text, args := req.goCode(q.operation, r.base, q.code, q.of)
	x := r.send(q, req, idle+text, args)
	r.examine(x)
	declare, names := "", []any{}
	for n, i := range q.made {
		i.take(r.makes[q.name][n], q, r.base, x)
		if !i.from.known() || r.nameOf(i) == "" { // no later requests use it
			continue
		}
		i.declared = true
		if names = append(names, i); len(names) > 1 {
			declare += "\n%v := " + verbatim(string(r.nameOf(names[0].(*instance))))
		}
	}
	if len(names) > 0 {
		all := append(append(names[:1:1], args...), names[1:]...)
		r.Code(idle+"%v := "+text+x.comment()+declare, all...)
	}
	if r.last = nil; x.Status/100 == 2 {
		r.last, r.lastCode, r.lastArgs, r.lastCall = req, text, args, q
	}
}

// nameOf returns the name of an instance, or "" if it has none.
func (r *run) nameOf(i *instance) callseq.Name { return r.pools[i.kind].Name(i) }

// name puts what a request names into its values. It returns statements for variables that the code
// of the request does not have.
func (r *run) name(q *call) (idle string) {
	for i, n := range q.named {
		if n == nil || n.value == nil {
			continue
		}
		if q.inFields(n, q.values, q.broken); i == 0 {
			q.code, q.of = q.inPath(n, q.values, q.broken), n
		}
		if n.declared && q.code[q.param(n)] == "" {
			idle += fmt.Sprintf("_ = %s\n", r.nameOf(n))
		}
	}
	return idle
}

// authorize gives a request its credentials.
func (r *run) authorize(q *call, req *request) {
	if q.creds == without {
		return
	}
	authorized, err := r.config.authorize(r.spec, q.operation, req, q.creds == wrong)
	if err != nil {
		r.Fatal(err)
	}
	if q.creds == wrong && !authorized {
		q.creds = given
	}
}

// param returns the parameter of the path for which an instance stands, or "".
func (m *maker) param(i *instance) string {
	for _, name := range m.path.params() {
		if m.path.shape(name) == i.kind.shape {
			return name
		}
	}
	return ""
}

// An Exchange is a request and its response.
type Exchange struct {
	Operation   string // its method and path in the description
	Request     *http.Request
	Sent        []byte // the body of the request
	Violation   string // in what the request is not as the description asks, or ""
	Credentials string // given, none or wrong
	Status      int
	Header      http.Header
	Body        []byte // of the response

	*call
	request  *request
	urlPath  string
	repeated bool
}

// send sends a request. The code is that of c.Code.
func (r *run) send(q *call, req *request, code string, args []any) *Exchange {
	r.Code(code, args...)
	hr, err := http.NewRequestWithContext(context.Background(), req.method,
		"http://localhost"+req.target(), strings.NewReader(string(req.body)))
	if err != nil {
		r.Fatalf("the request cannot be sent: %v", err)
	}
	hr.RequestURI, hr.RemoteAddr = req.target(), "192.0.2.1:1234"
	for name := range req.header {
		hr.Header.Set(name, req.header.Get(name))
	}
	if r.config.edit != nil {
		r.config.edit(hr)
	}
	x := &Exchange{Operation: q.name, Request: hr, Sent: req.body, Credentials: q.creds, call: q,
		request: req, urlPath: req.path}
	if q.broken != nil {
		if x.Violation = q.broken.name; q.broken.why != nil {
			x.Violation += ": " + q.broken.why(req.body)
		}
	}
	r.sent = append(r.sent, x)
	w := httptest.NewRecorder()
	if p := r.serve(w, hr); p != nil {
		r.panicked(x, p)
	}
	x.Status, x.Header, x.Body = w.Code, w.Result().Header, w.Body.Bytes()
	r.Code(code+x.comment(), args...)
	r.mu.Lock()
	if r.answered[q.name] == nil {
		r.answered[q.name] = map[int]int{}
	}
	r.answered[q.name][x.Status]++
	r.mu.Unlock()
	return x
}

// comment returns a comment with the answer, as a part of a format.
func (x *Exchange) comment() string { return " // " + verbatim(x.summary()) }

// summary returns the status and the beginning of the body, in one line.
func (x *Exchange) summary() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", x.Status, oneLine(x.Body)))
}

// oneLine returns the beginning of a text in one line.
func oneLine(b []byte) string {
	const most = 80 // bytes
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(b), "?")), " ")
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// repeat sends the last request again.
func (r *run) repeat() {
	if r.last == nil {
		r.Code("// nothing to repeat")
		return
	}
	x := r.send(r.lastCall, r.last, r.lastCode, r.lastArgs)
	x.repeated = true
	r.examine(x)
}

// isMade reports whether an operation makes instances of a kind.
func (v *service) isMade(k *kind) bool {
	return slices.ContainsFunc(v.makers, func(m *maker) bool {
		return slices.ContainsFunc(v.makes[m.name], func(src *source) bool { return src.kind == k })
	})
}
