package server

import (
	"context"
	"net/http"
	"testing"

	"google.golang.org/grpc/grpclog"

	examples "github.com/grpc-ecosystem/grpc-gateway/v2/examples/internal/proto/examplepb"
	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"

	"github.com/espalier-go/espalier/contrib/openapi"
)

func init() { grpclog.SetLoggerV2(grpclog.NewLoggerV2(none{}, none{}, none{})) }

type none struct{}

func (none) Write(b []byte) (int, error) { return len(b), nil }

// base precedes the paths of the description.
const base = ""

func description(t testing.TB) *openapi.Spec {
	s, err := openapi.Load("../proto/examplepb/a_bit_of_everything.swagger.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// skipped are operations whose parameters have a pattern with a slash: the gateway takes it for
// several segments of the path, and OpenAPI for one. Another one waits until the client leaves.
func skipped(t testing.TB) []string {
	all := []string{"GET /v2/example/timeout"}
	spec := description(t)
	for _, operation := range spec.Operations() {
		if _, err := spec.Model(newHandler, openapi.Only(operation)); err != nil {
			all = append(all, operation)
		}
	}
	return all
}

func options(t testing.TB) (all []openapi.Option) {
	for _, operation := range skipped(t) {
		all = append(all, openapi.Skip(operation))
	}
	return all
}

// newHandler does what RunInProcessGateway does.
func newHandler(t testing.TB) http.Handler {
	mux := runtime.NewServeMux()
	err := examples.RegisterABitOfEverythingServiceHandlerServer(context.Background(), mux,
		newABitOfEverythingServer())
	if err != nil {
		t.Fatal(err)
	}
	return mux
}
