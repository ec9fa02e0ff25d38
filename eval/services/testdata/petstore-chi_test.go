package main

import (
	"net/http"
	"testing"

	"github.com/deepmap/oapi-codegen/examples/petstore-expanded/chi/api"
	middleware "github.com/deepmap/oapi-codegen/pkg/chi-middleware"
	"github.com/go-chi/chi/v5"

	"github.com/espalier-go/espalier/contrib/openapi"
)

// base precedes the paths of the description.
const base = ""

func description(t testing.TB) *openapi.Spec {
	s, err := openapi.Load("../petstore-expanded.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func skipped(testing.TB) []string { return nil }

func options(testing.TB) []openapi.Option { return []openapi.Option{openapi.Base(base)} }

// newHandler does what main does.
func newHandler(t testing.TB) http.Handler {
	swagger, err := api.GetSwagger()
	if err != nil {
		t.Fatal(err)
	}
	swagger.Servers = nil
	r := chi.NewRouter()
	r.Use(middleware.OapiRequestValidator(swagger))
	return api.HandlerFromMux(api.NewPetStore(), r)
}
