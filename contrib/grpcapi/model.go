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
	for _, name := range s.off {
		if !slices.Contains(checks, name) {
			return nil, fmt.Errorf("there is no check %q: want one of %s", name, strings.Join(checks, ", "))
		}
	}
	for _, name := range s.skip {
		if s.methods[name] == nil {
			return nil, fmt.Errorf("there is no method %q: want one of %q", name,
				slices.Sorted(maps.Keys(s.methods)))
		}
	}
	var methods []*method
	for _, name := range slices.Sorted(maps.Keys(s.methods)) {
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
		r := &run{C: c, off: s.off, pools: map[string]*callseq.Pool[*instance]{},
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
	off     []string
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
	requests := callseq.Arg(c, "requests", m.requests)
	var made *instance
	if m.makes {
		made = r.pools[m.noun].Add(&instance{kind: m.noun})
	}
	c.Do(func() { r.do(m, requests, named, made) })
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
func (r *run) do(m *method, requests []string, named map[string]*instance, made *instance) {
	var ids []string // that the request has
	for i, text := range requests {
		request := dynamicpb.NewMessage(m.desc.Input())
		if err := unmarshal(text, request); err != nil {
			r.Fatalf("the request is no %s: %v", m.desc.Input().FullName(), err)
		}
		for f, kind := range m.named(m.desc.Input()) {
			if n := named[kind]; n != nil && n.known {
				set(request, f, n.id)
			}
			if kind == m.noun {
				ids = append(ids, request.Get(f).String())
			}
		}
		requests[i] = format(request)
	}
	code := fmt.Sprintf("server.Call(%q", m.name)
	for _, text := range requests {
		code += ", " + quoted(text)
	}
	code = strings.ReplaceAll(code+")", "%", "%%")
	r.Code(code)
	responses, err := r.server.Call(m.name, requests...)
	r.Code(code + " // " + strings.ReplaceAll(answer(responses, err), "%", "%%"))
	for _, check := range checks {
		if slices.Contains(r.off, check) {
			continue
		}
		if wrong := r.examine(check, m, ids, responses, err); wrong != "" {
			if t, ok := r.C.TB.(interface{ Class(name string) }); ok {
				t.Class(check + ": " + m.name)
			}
			r.Errorf("%s: %s: %s", check, m.name, wrong)
			return
		}
	}
	if err == nil {
		r.live(m, ids, responses, made)
	}
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
func (r *run) live(m *method, ids []string, responses []proto.Message, made *instance) {
	var names []protoreflect.Value
	for _, response := range responses {
		for _, thing := range things(response.ProtoReflect(), m.noun) {
			if id, ok := identify(thing, m.noun); ok {
				names = append(names, id)
			}
		}
	}
	if made != nil && len(names) > 0 {
		made.id, made.known = names[0], true
	}
	switch m.verb {
	case "Get", "List":
	case "Create":
		for _, id := range names {
			r.lives[m.noun+" "+id.String()] = life{createdBy: m.name}
		}
	case "Delete":
		clear(r.lives) // what else has gone with it, no descriptor says
		for _, id := range ids {
			r.lives[m.noun+" "+id] = life{deletedBy: m.name}
		}
	default:
		clear(r.lives)
	}
}

// checks are the names of the checks, in the order in which they examine a call.
var checks = []string{
	"not_a_server_error", "no_internals", "response_rules_conformance", "use_after_free",
	"ensure_resource_availability",
}

var internals = regexp.MustCompile(`goroutine \d+ \[|/[\w.-]+\.go:\d+|runtime error: |invalid memory address`)

// examine returns what is wrong with a call according to a check, or "".
func (r *run) examine(
	check string, m *method, ids []string, responses []proto.Message, err error,
) string {
	code := status.Code(err)
	var of life
	if len(ids) == 1 {
		of = r.lives[m.noun+" "+ids[0]]
	}
	switch check {
	case "not_a_server_error":
		if code == codes.Unknown || code == codes.Internal || code == codes.DataLoss {
			return err.Error()
		}
	case "no_internals":
		if err != nil && internals.MatchString(err.Error()) {
			return err.Error()
		}
	case "response_rules_conformance":
		for _, response := range responses {
			text := format(response)
			dynamic := dynamicpb.NewMessage(m.desc.Output())
			if err := unmarshal(text, dynamic); err != nil {
				return fmt.Sprintf("the response %s is no %s: %v", text, m.desc.Output().FullName(), err)
			}
			if err := bigen.Check(m.response, dynamic); err != nil {
				return fmt.Sprintf("the response %s: %v", text, err)
			}
		}
	case "use_after_free":
		if m.verb == "Get" && err == nil && of.deletedBy != "" {
			return of.deletedBy + " has deleted it"
		}
	case "ensure_resource_availability":
		if m.verb == "Get" && code == codes.NotFound && of.createdBy != "" {
			return of.createdBy + " has created it"
		}
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
