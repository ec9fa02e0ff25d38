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
	makes      map[string]*source
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
			if src := v.makes[m.name]; src != nil && r.pools[src.kind] == nil {
				r.pools[src.kind] = callseq.NewPool[*instance](c, src.kind.name)
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
			if src := v.makes[m.name]; src != nil && m.method == http.MethodPost {
				r.first = append(r.first, making{op, r.pools[src.kind]})
			}
		}
		c.Scenario(0.6, r.next)
		c.End(r.tell)
		isPut := func(m *maker) bool { return m.method == http.MethodPut }
		if slices.ContainsFunc(v.makers, isPut) {
			c.Op("repeat", func() {
				o := last
				c.Do(func() { r.repeat(o) })
			}).When(func() bool { return last != nil && last.method == http.MethodPut }).Weight(0.5)
		}
		if len(v.methods) > 0 {
			c.Op("undeclared method", func() {
				last = nil
				m := v.methods[callseq.Arg(c, "method", bigen.IntRange(0, len(v.methods)-1))]
				named := r.names(m)
				values, _ := callseq.Arg(c, "request", m.valid).(map[string]any)
				c.Do(func() { r.do(m, values, named, nil, nil, nil, given) })
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
	from     *maker
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

// call draws the arguments of a request, and sends it.
func (r *run) call(m *maker) {
	c := r.C
	named := r.names(m)
	violation := callseq.Arg(c, "violation", m.choice)
	creds := given
	if m.secured() {
		creds = callseq.Arg(c, "credentials", credentials)
	}
	g, broken := m.generator(violation)
	values, _ := callseq.Arg(c, "request", g).(map[string]any)
	src := r.makes[m.name]
	var made *instance
	if src != nil && (m.method != http.MethodPut || named == nil || named[0] == nil) &&
		broken == nil && creds == given { // it may make something
		made = r.pools[src.kind].Add(&instance{kind: src.kind, likely: m.method == http.MethodPost})
	}
	c.Do(func() { r.do(m, values, named, src, made, broken, creds) })
}

// names draws the instances that a request names.
func (r *run) names(m *maker) (named []*instance) {
	for _, k := range r.uses[m.name] {
		if r.pools[k] != nil {
			named = append(named, r.name(k))
		}
	}
	return named
}

// name draws an instance of a kind, or none.
func (r *run) name(k *kind) *instance {
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
func (r *run) do(
	m *maker, values map[string]any, named []*instance, src *source, made *instance,
	broken *violation, creds string,
) {
	plain := len(object(values, "query"))+len(object(values, "header"))+len(object(values, "cookie")) == 0
	code := map[string]string{}
	var of *instance
	idle := "" // variables that the code does not use
	for i, n := range named {
		if n == nil || n.value == nil {
			continue
		}
		if m.inFields(n, values, broken); i == 0 {
			code, of = m.inPath(n, values, broken), n
		}
		if n.declared && code[m.param(n)] == "" {
			idle += fmt.Sprintf("_ = %s\n", r.pools[n.kind].Name(n))
		}
	}
	req := m.request(r.base, values)
	if creds != without {
		authorized, err := r.config.authorize(r.spec, m.operation, req, creds == wrong)
		if err != nil {
			r.Fatal(err)
		}
		if creds == wrong && !authorized {
			creds = given
		}
	}
	text, args := req.goCode(m.operation, r.base, code, of)
	x := r.send(m.operation, req, idle+text, args)
	x.Credentials, x.instance, x.plain = creds, of, plain
	if broken != nil {
		x.Violation = broken.name
	}
	if r.examine(m, x); made != nil {
		made.take(src, m, r.base, values, x)
		if made.code != "" && r.pools[src.kind].Name(made) != "" { // later requests use it
			made.declared = true
			r.Code(idle+"%v := "+text+x.comment(), append([]any{made}, args...)...)
		}
	}
	if r.last = nil; x.Status/100 == 2 {
		r.last, r.lastCode, r.lastArgs, r.from = req, text, args, m
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

	request  *request
	path     string // of the URL
	plain    bool   // it has no parameters but those of the path
	instance *instance
	maker    *maker
	repeated bool
}

// send sends a request. The code is that of c.Code.
func (r *run) send(o *operation, req *request, code string, args []any) *Exchange {
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
	w := httptest.NewRecorder()
	r.serve(w, hr)
	x := &Exchange{
		Operation: o.name, Request: hr, Sent: req.body, Status: w.Code, Header: w.Result().Header,
		Body: w.Body.Bytes(), request: req, path: req.path,
	}
	r.Code(code+x.comment(), args...)
	r.mu.Lock()
	if r.answered[o.name] == nil {
		r.answered[o.name] = map[int]int{}
	}
	r.answered[o.name][x.Status]++
	r.mu.Unlock()
	return x
}

// serve calls the handler. To end a response by a panic with http.ErrAbortHandler is allowed.
func (r *run) serve(w http.ResponseWriter, hr *http.Request) {
	defer func() {
		if err := recover(); err != nil && err != http.ErrAbortHandler {
			panic(err)
		}
	}()
	r.handler.ServeHTTP(w, hr)
}

// comment returns a comment with the answer, as a part of a format.
func (x *Exchange) comment() string { return " // " + verbatim(x.answer()) }

// answer returns the status and the beginning of the body, in one line.
func (x *Exchange) answer() string {
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
func (r *run) repeat(o *operation) {
	req := r.last
	if req == nil {
		r.Code("// nothing to repeat")
		return
	}
	x := r.send(o, req, r.lastCode, r.lastArgs)
	x.Credentials, x.repeated = given, true
	r.examine(r.from, x)
}
