// Package grpcapi tests gRPC services by their descriptors. A value is a sequence of calls, whose
// requests keep the validation rules in the options of fields, or break one of them, and later calls
// name what earlier ones have made. The methods of the service are called in the test's own process, without a network, so
// the fuzzer sees their coverage, and a panic has its stack:
//
//	func register(_ testing.TB, s grpc.ServiceRegistrar) { pb.RegisterPetsServer(s, NewPets()) }
//
//	func TestPets(t *testing.T) { grpcapi.Check(t, register) }
//	func FuzzPets(f *testing.F) { grpcapi.Fuzz(f, register) }
//
// # How requests follow from responses
//
// What a method of the name CreatePet returns is a pet. If the message has a field id, name or uid,
// that takes the place of the field in requests for a pet, such as those of GetPet, and of pet_id in
// any request. What a method named List returns has such messages, too.
//
// # Checks
//
//	not_a_server_error            the status is not Unknown, Internal or DataLoss
//	no_internals                  its message has no stack trace and no error of the Go runtime
//	negative_data_rejection       a request that breaks a validation rule fails
//	response_rules_conformance    the response keeps the validation rules in options
//	use_after_free                what DeletePet has deleted, GetPet does not find
//	ensure_resource_availability  what CreatePet has made, GetPet finds, unless it may be gone
//
// They have the names of package openapi, which tests services over HTTP.
package grpcapi

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"

	"github.com/espalier-go/espalier/bigen/bigenpb"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/fuzzext"
)

// A Register function registers services in their first state. It is called anew for each sequence of
// calls, and may call the methods of t, such as Cleanup. A function that protoc-gen-go-grpc has made,
// such as RegisterPetsServer, takes s.
type Register func(t testing.TB, s grpc.ServiceRegistrar)

// Check tests services by random sequences of calls, as [fuzzext.Sequence] does. It fails the test at
// once if [Model] returns an error.
func Check(t *testing.T, register Register, opts ...Option) {
	t.Helper()
	fuzzext.Sequence(t, mustModel(t, register, opts))
}

// Fuzz is [Check] as a fuzz target.
func Fuzz(f *testing.F, register Register, opts ...Option) {
	f.Helper()
	fuzzext.Sequence(f, mustModel(f, register, opts))
}

func mustModel(t testing.TB, register Register, opts []Option) *callseq.Model {
	t.Helper()
	m, err := Model(t, register, opts...)
	if err != nil {
		t.Fatalf("grpcapi: %v", err)
	}
	return m
}

// An Option changes what [Model], [Check] and [Fuzz] do.
type Option func(c *config)

type config struct {
	skip         []string
	off          map[string][]string // methods, by the check; "" stands for all
	interceptors []grpc.UnaryServerInterceptor
	streams      []grpc.StreamServerInterceptor
	messages     []bigenpb.Option
}

// Skip leaves methods out. A method is named as in /pets.v1.Pets/CreatePet.
func Skip(methods ...string) Option { return func(c *config) { c.skip = append(c.skip, methods...) } }

// Without switches a check off, for all methods or for those named.
func Without(check string, methods ...string) Option {
	return func(c *config) {
		if c.off == nil {
			c.off = map[string][]string{}
		}
		if len(methods) == 0 {
			methods = []string{""}
		}
		c.off[check] = append(c.off[check], methods...)
	}
}

// applies reports whether a check is on for a method.
func (c *config) applies(check, method string) bool {
	off := c.off[check]
	return !slices.Contains(off, "") && !slices.Contains(off, method)
}

// check returns an error if an option names what is not there.
func (c *config) check(methods []string) error {
	named := slices.Clone(c.skip)
	for _, check := range slices.Sorted(maps.Keys(c.off)) {
		if !slices.Contains(checks, check) {
			return fmt.Errorf("there is no check %q: want one of %s", check, strings.Join(checks, ", "))
		}
		named = append(named, c.off[check]...)
	}
	for _, name := range named {
		if name != "" && !slices.Contains(methods, name) {
			return fmt.Errorf("there is no method %q: want one of %q", name, methods)
		}
	}
	return nil
}

// Messages sets how messages are made: with the option of the module contrib/protovalidate, requests
// also keep rules in CEL, and the check response_rules_conformance also demands these of responses.
// An option must suit the messages of all methods: [Model] returns an error if one has not the field
// that it names.
func Messages(opts ...bigenpb.Option) Option {
	return func(c *config) { c.messages = append(c.messages, opts...) }
}

// Unary adds an interceptor, as grpc.ChainUnaryInterceptor does for a server.
func Unary(i grpc.UnaryServerInterceptor) Option {
	return func(c *config) { c.interceptors = append(c.interceptors, i) }
}

// Stream adds an interceptor, as grpc.ChainStreamInterceptor does for a server.
func Stream(i grpc.StreamServerInterceptor) Option {
	return func(c *config) { c.streams = append(c.streams, i) }
}
