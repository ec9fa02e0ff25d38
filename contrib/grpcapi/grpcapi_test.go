package grpcapi_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigenpb"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/contrib/grpcapi"
	"github.com/espalier-go/espalier/contrib/grpcapi/internal/pets"
)

func TestPets(t *testing.T) { grpcapi.Check(t, pets.Register(pets.None)) }
func FuzzPets(f *testing.F) { grpcapi.Fuzz(f, pets.Register(pets.None)) }

// A recorder is a test whose failures are kept.
type recorder struct {
	testing.TB
	failed bool
	log    bytes.Buffer
}

func (r *recorder) Helper()                      {}
func (r *recorder) Failed() bool                 { return r.failed }
func (r *recorder) Log(args ...any)              { fmt.Fprintln(&r.log, args...) }
func (r *recorder) Error(args ...any)            { r.failed = true; r.Log(args...) }
func (r *recorder) Errorf(f string, args ...any) { r.Error(fmt.Sprintf(f, args...)) }
func (r *recorder) Fatal(args ...any)            { r.Error(args...); runtime.Goexit() }
func (r *recorder) Fatalf(f string, args ...any) { r.Fatal(fmt.Sprintf(f, args...)) }
func (r *recorder) Output() io.Writer            { return &r.log }

// run runs a sequence, and returns what its failure says.
func run(t *testing.T, m *callseq.Model, calls callseq.Calls) (said string) {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if err := recover(); err != nil {
				r.Error("panic:", err)
			}
		}()
		m.Run(r, calls)
	}()
	if <-done; r.failed {
		return r.log.String()
	}
	return ""
}

// fails runs random sequences until one fails, and returns what it says.
func fails(t *testing.T, m *callseq.Model, sequences int) string {
	random := rand.New(rand.NewPCG(1, 0))
	for range sequences {
		if said := run(t, m, bigen.Sample(m.Gen(), random)); said != "" {
			return said
		}
	}
	return ""
}

// Each bug is found, by the check that is for it.
func TestBugs(t *testing.T) {
	t.Parallel()
	for bug, want := range map[pets.Bug]string{
		pets.Crash:   "panic: runtime error: integer divide by zero",
		pets.Unknown: "not_a_server_error: /pets.v1.Pets/CreatePet: rpc error: code = Unknown",
		pets.Leak:    "no_internals: /pets.v1.Pets/CreatePet: rpc error: code = InvalidArgument",
		pets.Partial: "response_rules_conformance: /pets.v1.Pets/",
		pets.Zombie:  "use_after_free: /pets.v1.Pets/GetPet: /pets.v1.Pets/DeletePet has deleted it",
		pets.Lost:    "ensure_resource_availability: /pets.v1.Pets/GetPet: /pets.v1.Pets/CreatePet has created",
	} {
		m, err := grpcapi.Model(t, pets.Register(bug))
		require.NoError(t, err)
		assert.Contains(t, fails(t, m, 500), want, "%s", bug)
	}
	require.Len(t, pets.Bugs, 6)
	m, err := grpcapi.Model(t, pets.Register(pets.None))
	require.NoError(t, err)
	require.Empty(t, fails(t, m, 300))
	m, err = grpcapi.Model(t, pets.Register(pets.Zombie), grpcapi.Without("use_after_free"))
	require.NoError(t, err)
	require.Empty(t, fails(t, m, 100))
}

// A rule that the service does not check is found, and by no other check. Without one, each rule has
// a violation, and none is accepted.
func TestNegative(t *testing.T) {
	t.Parallel()
	const create = "/pets.v1.Pets/CreatePet"
	require.Len(t, pets.Rules(), 7)
	for _, rule := range pets.Rules() {
		m, err := grpcapi.Model(t, pets.Register(pets.Forgets(rule)))
		require.NoError(t, err)
		said := fails(t, m, 500)
		assert.Contains(t, said, "negative_data_rejection: "+create+
			": the request is accepted, and breaks the rule "+rule, "%s", rule)
		m, err = grpcapi.Model(t, pets.Register(pets.Forgets(rule)),
			grpcapi.Without("negative_data_rejection", create))
		require.NoError(t, err)
		assert.Empty(t, fails(t, m, 50), "%s", rule)
	}
	m, err := grpcapi.Model(t, pets.Register(pets.Forgets(pets.Rules()[0])),
		grpcapi.Without("negative_data_rejection", "/pets.v1.Pets/GetPet"))
	require.NoError(t, err)
	require.NotEmpty(t, fails(t, m, 500))
	var requests, refused int
	m, err = grpcapi.Model(t, pets.Register(pets.None), grpcapi.Unary(func(
		ctx context.Context, request any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler,
	) (any, error) {
		response, err := handler(ctx, request)
		if info.FullMethod == create {
			if requests++; status.Code(err) == codes.InvalidArgument {
				refused++
			}
		}
		return response, err
	}))
	require.NoError(t, err)
	require.Empty(t, fails(t, m, 300))
	require.Greater(t, requests, 300)
	require.InDelta(t, 0.2, float64(refused)/float64(requests), 0.07)
}

// A request that breaks a rule names what is there, so that it is not refused for another reason.
func TestNegativeNames(t *testing.T) {
	t.Parallel()
	m, err := grpcapi.Model(t, pets.Register(pets.Forgets("grams: range")))
	require.NoError(t, err)
	require.Contains(t, fails(t, m, 1000), "negative_data_rejection: /pets.v1.Pets/Feed: "+
		"the request is accepted, and breaks the rule grams: range")
}

// A report has the calls as Go code.
func TestReport(t *testing.T) {
	t.Parallel()
	m, err := grpcapi.Model(t, pets.Register(pets.Zombie))
	require.NoError(t, err)
	said := run(t, m, callseq.Calls{
		{"/pets.v1.Pets/CreatePet", "", []string{`pet_name:"50% \"x\"" owner:{}`}, callseq.Name("pet1")},
		{"/pets.v1.Pets/DeletePet", callseq.Name("pet1"), "", []string{""}},
		{"/pets.v1.Pets/GetPet", callseq.Name("pet1"), "", []string{"id:9"}},
	})
	require.Equal(t, `use_after_free: /pets.v1.Pets/GetPet: /pets.v1.Pets/DeletePet has deleted it
calls:
    server := grpcapi.NewServer(t, register)
    server.Call("/pets.v1.Pets/CreatePet", `+"`"+`pet_name:"50% \"x\"" owner:{}`+"`"+`) // {id:1 name:"50% \"x\""}
    server.Call("/pets.v1.Pets/DeletePet", "id:1") // {}
    server.Call("/pets.v1.Pets/GetPet", "id:1") // {id:1 name:"50% \"x\""}
    // then: use_after_free: /pets.v1.Pets/GetPet: /pets.v1.Pets/DeletePet has deleted it
`, said)
}

// Interceptors are called in order, and streams end.
func TestCall(t *testing.T) {
	t.Parallel()
	var called []string
	s := grpcapi.NewServer(t, pets.Register(pets.None),
		grpcapi.Unary(func(
			ctx context.Context, request any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler,
		) (any, error) {
			called = append(called, "first "+info.FullMethod)
			return handler(ctx, request)
		}),
		grpcapi.Unary(func(
			ctx context.Context, request any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler,
		) (any, error) {
			called = append(called, "second")
			return handler(ctx, request)
		}),
		grpcapi.Stream(func(
			service any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler,
		) error {
			called = append(called, "stream "+info.FullMethod)
			return handler(service, stream)
		}))
	_, err := s.Call("/pets.v1.Pets/CreatePet", "owner:{}")
	require.NoError(t, err)
	responses, err := s.Call("/pets.v1.Pets/Feed", `pet_id: "1"`, `pet_id: "1"`)
	require.NoError(t, err)
	require.Len(t, responses, 2)
	responses, err = s.Call("/pets.v1.Pets/Feed", `pet_id: "1"`, `pet_id: "2"`)
	require.Equal(t, codes.NotFound, status.Code(err))
	require.Len(t, responses, 1)
	require.Equal(t, []string{"first /pets.v1.Pets/CreatePet", "second", "stream /pets.v1.Pets/Feed",
		"stream /pets.v1.Pets/Feed"}, called)
	_, err = s.Call("/pets.v1.Pets/None")
	require.Equal(t, codes.Unimplemented, status.Code(err))
	_, err = s.Call("/pets.v1.Pets/GetPet", "none: 1")
	require.ErrorContains(t, err, "unknown field: none")
}

// What options name must be there.
func TestErrors(t *testing.T) {
	t.Parallel()
	create := grpcapi.Skip("/pets.v1.Pets/GetPet", "/pets.v1.Pets/DeletePet", "/pets.v1.Pets/ListPets",
		"/pets.v1.Pets/Feed") // all but CreatePet
	for _, c := range []struct {
		register grpcapi.Register
		opts     []grpcapi.Option
		want     string
	}{
		{pets.Register(pets.None), []grpcapi.Option{grpcapi.Skip("none")}, `there is no method "none": want one of ["/pets`},
		{pets.Register(pets.None), []grpcapi.Option{grpcapi.Without("none")}, `there is no check "none": want one of not_a`},
		{pets.Register(pets.None), []grpcapi.Option{grpcapi.Without("no_internals", "none")},
			`there is no method "none": want one of ["/pets`},
		{func(testing.TB, grpc.ServiceRegistrar) {}, nil, "no method is registered"},
		{pets.Register(pets.None), []grpcapi.Option{create, grpcapi.Messages(bigenpb.Field("name", bigen.String(3)))},
			"the pets.v1.CreatePetRequest and the messages in it have no such field"},
		{pets.Register(pets.None), []grpcapi.Option{create, grpcapi.Messages(bigenpb.Field("pet_name", bigen.String(3)))},
			"the pets.v1.Pet and the messages in it have no such field"},
		{func(_ testing.TB, s grpc.ServiceRegistrar) {
			s.RegisterService(&grpc.ServiceDesc{ServiceName: "none.None",
				Methods: []grpc.MethodDesc{{MethodName: "Get"}}}, nil)
		}, nil, "/none.None/Get: the descriptor of its service: "},
	} {
		_, err := grpcapi.Model(t, c.register, c.opts...)
		require.ErrorContains(t, err, c.want)
	}
}
