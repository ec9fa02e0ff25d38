package restapi

import (
	"net/http"
	"testing"

	"github.com/go-openapi/loads"
	"github.com/go-swagger/go-swagger/examples/tutorials/todo-list/server-complete/models"
	"github.com/go-swagger/go-swagger/examples/tutorials/todo-list/server-complete/restapi/operations"

	"github.com/espalier-go/espalier/contrib/openapi"
)

// base precedes the paths of the description.
const base = ""

func description(t testing.TB) *openapi.Spec {
	s, err := openapi.Load("../swagger.yml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func skipped(testing.TB) []string { return nil }

func options(testing.TB) []openapi.Option { return nil }

func newHandler(t testing.TB) http.Handler {
	items, lastID = map[int64]*models.Item{}, 0
	spec, err := loads.Embedded(SwaggerJSON, FlatSwaggerJSON)
	if err != nil {
		t.Fatal(err)
	}
	api := operations.NewTodoListAPI(spec)
	api.Logger = func(string, ...any) {}
	return configureAPI(api)
}
