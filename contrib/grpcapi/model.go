package grpcapi

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

// Model returns the model of services: sequences of calls of the methods that register registers. t is
// for the call of register that finds these.
//
// It returns an error if no method is registered, if one has no descriptor, if no request of one can
// be made, or if an option names what is not there.
func Model(t testing.TB, register Register, opts ...Option) (*callseq.Model, error) {
	s := NewServer(t, register, opts...)
	names := slices.Sorted(maps.Keys(s.methods))
	if err := s.config.check(names); err != nil {
		return nil, err
	}
	var methods []*method
	for _, name := range names {
		if slices.Contains(s.skip, name) {
			continue
		}
		m, err := newMethod(name, s.messages)
		if err != nil {
			return nil, err
		}
		methods = append(methods, m)
	}
	if len(methods) == 0 {
		return nil, errors.New("no method is registered")
	}
	return callseq.New(func(c *callseq.C) {
		c.Code("server := grpcapi.NewServer(t, register)")
		r := &run{C: c, config: &s.config, pools: map[string]*callseq.Pool[*instance]{},
			lives: map[string]life{}}
		for _, m := range methods {
			if m.makes && r.pools[m.noun] == nil {
				r.pools[m.noun] = callseq.NewPool[*instance](c, m.noun)
			}
		}
		c.Do(func() { r.server = NewServer(c, register, opts...) })
		for _, m := range methods {
			op := c.Op(m.name, func() { r.call(m) })
			if m.verb == "Create" && m.makes {
				r.creates = append(r.creates, creating{op, r.pools[m.noun]})
			}
		}
		c.Scenario(0.6, r.next)
	}, callseq.Length(12, 200)), nil
}

// A run is one sequence of calls.
type run struct {
	*callseq.C
	config  *config
	server  *Server
	pools   map[string]*callseq.Pool[*instance] // by the kind
	lives   map[string]life                     // by the kind and what names a thing
	creates []creating
	begun   int // calls of the scenario
}

// A creating is a method that makes things.
type creating struct {
	*callseq.Op
	pool *callseq.Pool[*instance]
}

// next returns the first method that creates what there is not.
func (r *run) next() *callseq.Op {
	r.begun++
	for _, c := range r.creates {
		if !c.pool.Any() && r.begun <= 2*len(r.creates) {
			return c.Op
		}
	}
	return nil
}

// An instance is a thing that a call has made.
type instance struct {
	kind  string
	id    protoreflect.Value
	known bool // a response has said what names it
}

// A life is what is known of a thing.
type life struct{ createdBy, deletedBy string }

// call draws the arguments of a call, and makes it.
func (r *run) call(m *method) {
	c := r.C
	named := map[string]*instance{}
	for _, kind := range m.uses {
		if r.pools[kind] != nil {
			named[kind] = r.draw(kind)
		}
	}
	q := &call{method: m, named: named}
	var requests bigen.Gen[[]string]
	requests, q.broken = m.generator(callseq.Arg(c, "violation", m.choice))
	q.requests = callseq.Arg(c, "requests", requests)
	if q.broken == nil && m.makes {
		q.made = r.pools[m.noun].Add(&instance{kind: m.noun})
	}
	c.Do(func() { r.do(q) })
}

// A call is one that is made.
type call struct {
	*method
	requests []string
	named    map[string]*instance // what requests name, by the kind
	made     *instance            // what it may make, or nil
	broken   *violation           // or nil

	ids       []string // that requests name, of the kind noun
	responses []proto.Message
	err       error
}

// draw draws an instance of a kind, or none.
func (r *run) draw(kind string) *instance {
	names, instances := r.pools[kind].Names(), r.pools[kind].All()
	none := bigen.Tag("none", bigen.Just(callseq.Name("")))
	g := bigen.Pick(none)
	if len(names) > 0 {
		g = bigen.Pick(none, bigen.Tag("one", bigen.OneOf(names...)).Weight(8))
	}
	name := callseq.Arg(r.C, "the "+kind, g)
	if i := slices.Index(names, name); i >= 0 {
		return instances[i]
	}
	return nil
}

// do makes a call, and checks what it does.
func (r *run) do(q *call) {
	for i, text := range q.requests {
		q.requests[i] = r.name(q, text)
	}
	code := fmt.Sprintf("server.Call(%q", q.name)
	for _, text := range q.requests {
		code += ", " + quoted(text)
	}
	code = strings.ReplaceAll(code+")", "%", "%%")
	r.Code(code)
	q.responses, q.err = r.server.Call(q.name, q.requests...)
	r.Code(code + " // " + strings.ReplaceAll(answer(q.responses, q.err), "%", "%%"))
	for _, check := range checks {
		if !r.config.applies(check, q.name) {
			continue
		}
		if wrong := r.examine(check, q); wrong != "" {
			if t, ok := r.C.TB.(interface{ Class(name string) }); ok {
				t.Class(check + ": " + q.name)
			}
			r.Errorf("%s: %s: %s", check, q.name, wrong)
			return
		}
	}
	if q.err == nil {
		r.live(q)
	}
}

// name gives a request the names of what it is about, unless it then no longer breaks its rule, or
// breaks another one.
func (r *run) name(q *call, text string) string {
	request := dynamicpb.NewMessage(q.desc.Input())
	if err := unmarshal(text, request); err != nil {
		r.Fatalf("the request is no %s: %v", q.desc.Input().FullName(), err)
	}
	for f, kind := range q.method.named(q.desc.Input()) {
		if n := q.named[kind]; n != nil && n.known {
			old, had := request.Get(f), request.Has(f)
			set(request, f, n.id)
			if q.broken != nil && bigen.Check(q.broken.message, request) != nil {
				if request.Clear(f); had {
					request.Set(f, old)
				}
			}
		}
		if kind == q.noun {
			q.ids = append(q.ids, request.Get(f).String())
		}
	}
	return format(request)
}

// set sets a field to what names a thing, if that is of its type, or a text or a number that can be.
func set(m *dynamicpb.Message, f protoreflect.FieldDescriptor, id protoreflect.Value) {
	text := id.String()
	n, err := strconv.ParseInt(text, 10, 64)
	switch k := f.Kind(); {
	case k == protoreflect.StringKind:
		m.Set(f, protoreflect.ValueOfString(text))
	case err != nil:
	case k == protoreflect.Int64Kind || k == protoreflect.Sint64Kind || k == protoreflect.Sfixed64Kind:
		m.Set(f, protoreflect.ValueOfInt64(n))
	case k == protoreflect.Uint64Kind || k == protoreflect.Fixed64Kind:
		m.Set(f, protoreflect.ValueOfUint64(uint64(n)))
	case k == protoreflect.Int32Kind || k == protoreflect.Sint32Kind || k == protoreflect.Sfixed32Kind:
		m.Set(f, protoreflect.ValueOfInt32(int32(n)))
	case k == protoreflect.Uint32Kind || k == protoreflect.Fixed32Kind:
		m.Set(f, protoreflect.ValueOfUint32(uint32(n)))
	}
}

// live notes what a call that has succeeded says of things.
func (r *run) live(q *call) {
	var names []protoreflect.Value
	for _, response := range q.responses {
		for _, thing := range things(response.ProtoReflect(), q.noun) {
			if id, ok := identify(thing, q.noun); ok {
				names = append(names, id)
			}
		}
	}
	if q.made != nil && len(names) > 0 {
		q.made.id, q.made.known = names[0], true
	}
	switch q.verb {
	case "Get", "List":
	case "Create":
		for _, id := range names {
			r.lives[q.noun+" "+id.String()] = life{createdBy: q.name}
		}
	case "Delete":
		clear(r.lives) // what else has gone with it, no descriptor says
		for _, id := range q.ids {
			r.lives[q.noun+" "+id] = life{deletedBy: q.name}
		}
	default:
		clear(r.lives)
	}
}

// checks are the names of the checks, in the order in which they examine a call.
var checks = []string{
	"not_a_server_error", "no_internals", "negative_data_rejection", "response_rules_conformance",
	"use_after_free", "ensure_resource_availability",
}

var internals = regexp.MustCompile(`goroutine \d+ \[|/[\w.-]+\.go:\d+|runtime error: |invalid memory address`)

// examine returns what is wrong with a call according to a check, or "".
func (r *run) examine(check string, q *call) string {
	code := status.Code(q.err)
	var of life
	if len(q.ids) == 1 {
		of = r.lives[q.noun+" "+q.ids[0]]
	}
	switch check {
	case "not_a_server_error":
		if code == codes.Unknown || code == codes.Internal || code == codes.DataLoss {
			return q.err.Error()
		}
	case "no_internals":
		if q.err != nil && internals.MatchString(q.err.Error()) {
			return q.err.Error()
		}
	case "negative_data_rejection":
		if q.broken != nil && q.err == nil {
			return fmt.Sprintf("the request is accepted, and breaks the rule %s", q.broken.name)
		}
	case "response_rules_conformance":
		for _, response := range q.responses {
			if wrong := q.wrong(response); wrong != "" {
				return wrong
			}
		}
	case "use_after_free":
		if q.verb == "Get" && q.err == nil && of.deletedBy != "" {
			return of.deletedBy + " has deleted it"
		}
	case "ensure_resource_availability":
		if q.verb == "Get" && code == codes.NotFound && of.createdBy != "" && q.broken == nil {
			return of.createdBy + " has created it"
		}
	}
	return ""
}

// wrong returns what is wrong with a response by its rules, or "".
func (m *method) wrong(response proto.Message) string {
	text := format(response)
	dynamic := dynamicpb.NewMessage(m.desc.Output())
	if err := unmarshal(text, dynamic); err != nil {
		return fmt.Sprintf("the response %s is no %s: %v", text, m.desc.Output().FullName(), err)
	}
	if err := bigen.Check(m.response, dynamic); err != nil {
		return fmt.Sprintf("the response %s: %v", text, err)
	}
	return ""
}

// quoted returns a Go literal of a text, with backquotes if there is something to escape.
func quoted(s string) string {
	if q := strconv.Quote(s); !strings.Contains(q, `\`) || !strconv.CanBackquote(s) {
		return q
	}
	return "`" + s + "`"
}

// answer returns responses, or the status, in one line.
func answer(responses []proto.Message, err error) string {
	if err != nil {
		return strings.Join(strings.Fields(err.Error()), " ")
	}
	var all []string
	for _, m := range responses {
		all = append(all, "{"+format(m)+"}")
	}
	const most = 80 // bytes
	text := strings.Join(all, ", ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
