package main

import (
	"io"
	"net/http"
	"testing"

	"github.com/deepmap/oapi-codegen/examples/authenticated-api/echo/api"
	"github.com/deepmap/oapi-codegen/examples/authenticated-api/echo/server"
	"github.com/labstack/echo/v4"

	"github.com/espalier-go/espalier/contrib/openapi"
)

// base precedes the paths of the description.
const base = ""

func description(t testing.TB) *openapi.Spec {
	s, err := openapi.Load("../api.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// keys are made once: main does so, too.
var keys, keysErr = server.NewFakeAuthenticator()

func skipped(testing.TB) []string { return nil }

func options(t testing.TB) []openapi.Option {
	if keysErr != nil {
		t.Fatal(keysErr)
	}
	token, err := keys.CreateJWSWithClaims([]string{"things:w"})
	if err != nil {
		t.Fatal(err)
	}
	return []openapi.Option{openapi.Credentials("BearerAuth", string(token))}
}

// newHandler does what main does, but for the log.
func newHandler(t testing.TB) http.Handler {
	e := echo.New()
	e.Logger.SetOutput(io.Discard)
	mw, err := server.CreateMiddleware(keys)
	if err != nil {
		t.Fatal(err)
	}
	e.Use(mw...)
	api.RegisterHandlers(e, server.NewServer())
	return e
}
