package main

import (
	"io"
	"net/http"
	"testing"

	"github.com/deepmap/oapi-codegen/examples/petstore-expanded/gin/api"
	"github.com/gin-gonic/gin"

	"github.com/espalier-go/espalier/contrib/openapi"
)

func init() {
	gin.SetMode(gin.ReleaseMode)
	gin.DefaultWriter = io.Discard
	gin.DefaultErrorWriter = io.Discard
}

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

func newHandler(testing.TB) http.Handler { return NewGinPetServer(api.NewPetStore(), 0).Handler }
