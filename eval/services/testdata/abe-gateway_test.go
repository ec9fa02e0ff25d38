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

func description(t testing.TB) *openapi.Spec {
	s, err := openapi.Load("../proto/examplepb/a_bit_of_everything.swagger.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func options(testing.TB) []openapi.Option { return nil }

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
