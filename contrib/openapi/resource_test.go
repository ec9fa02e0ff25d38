package openapi_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/contrib/openapi"
)

// things is a service in which whatever is to be found has a name that no client guesses. Each way in
// which a client can learn it has a collection of its own.
func things(testing.TB) http.Handler {
	mux, last := http.NewServeMux(), 0
	names := map[string]bool{}
	invent := func(kind string) string {
		last++
		name := fmt.Sprintf("%s-%x", kind, last*7919)
		names[name] = true
		return name
	}
	created := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(v)
	}
	found := func(w http.ResponseWriter, name string) {
		if !names[name] {
			w.WriteHeader(http.StatusNotFound)
		}
	}
	mux.HandleFunc("POST /bodies", func(w http.ResponseWriter, _ *http.Request) {
		created(w, map[string]any{"data": map[string]any{"body_id": invent("b")}})
	})
	mux.HandleFunc("POST /texts", func(w http.ResponseWriter, _ *http.Request) { created(w, invent("t")) })
	mux.HandleFunc("POST /places", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://elsewhere/places/"+invent("p"))
		created(w, nil)
	})
	mux.HandleFunc("POST /offers/make", func(w http.ResponseWriter, _ *http.Request) {
		created(w, map[string]any{"deep": []any{map[string]any{"it": invent("o")}}})
	})
	mux.HandleFunc("GET /lists", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode([]any{map[string]any{"id": invent("l")}})
	})
	mux.HandleFunc("PUT /puts/{name}", func(_ http.ResponseWriter, r *http.Request) {
		names["u-"+r.PathValue("name")] = true
	})
	mux.HandleFunc("POST /sents", func(w http.ResponseWriter, r *http.Request) {
		var v struct{ Name string }
		if json.NewDecoder(r.Body).Decode(&v) != nil || v.Name == "" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		names["s-"+v.Name] = true
		w.WriteHeader(http.StatusCreated)
	})
	mux.HandleFunc("POST /bodies/{id}/parts", func(w http.ResponseWriter, r *http.Request) {
		if !names[r.PathValue("id")] {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		name := invent("part")
		names[r.PathValue("id")+name] = true
		created(w, map[string]any{"id": name})
	})
	mux.HandleFunc("GET /bodies/{id}/parts/{part}", func(w http.ResponseWriter, r *http.Request) {
		found(w, r.PathValue("id")+r.PathValue("part"))
	})
	mux.HandleFunc("GET /query", func(w http.ResponseWriter, r *http.Request) {
		found(w, r.URL.Query().Get("body-id"))
	})
	mux.HandleFunc("POST /field", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		var v struct {
			BodyID string `json:"bodyId"`
		}
		_ = json.Unmarshal(b, &v)
		found(w, v.BodyID)
	})
	for _, kind := range []string{"bodies", "texts", "places", "offers", "lists"} {
		mux.HandleFunc("GET /"+kind+"/{id}", func(w http.ResponseWriter, r *http.Request) {
			found(w, r.PathValue("id"))
		})
	}
	mux.HandleFunc("GET /puts/{id}", func(w http.ResponseWriter, r *http.Request) {
		found(w, "u-"+r.PathValue("id"))
	})
	mux.HandleFunc("GET /sents/{id}", func(w http.ResponseWriter, r *http.Request) {
		found(w, "s-"+r.PathValue("id"))
	})
	return mux
}

// describe returns a description of operations, each a method and a path with what is special.
func describe(t *testing.T, operations ...string) *openapi.Spec {
	paths := map[string]map[string]any{}
	for _, o := range operations {
		method, rest, _ := strings.Cut(o, " ")
		path, more, _ := strings.Cut(rest, " ")
		v := map[string]any{"responses": map[string]any{"default": map[string]any{"description": ""}}}
		if more != "" {
			require.NoError(t, json.Unmarshal([]byte(more), &v), more)
		}
		if paths[path] == nil {
			paths[path] = map[string]any{}
		}
		paths[path][strings.ToLower(method)] = v
	}
	b, err := json.Marshal(map[string]any{
		"openapi": "3.1.0", "info": map[string]any{"title": "", "version": ""}, "paths": paths,
	})
	require.NoError(t, err)
	s, err := openapi.Parse(b)
	require.NoError(t, err)
	return s
}

// Requests name what earlier ones have made, however these tell.
func TestDataFlow(t *testing.T) {
	t.Parallel()
	const field = `"content": {"application/json": {"schema": {"type": "object", "additionalProperties": false,
		"required": ["%[1]s"], "properties": {"%[1]s": {"type": "string", "minLength": 1}}}}}, "required": true`
	s := describe(t,
		`POST /bodies`, `GET /bodies/{id}`, `POST /texts`, `GET /texts/{textId}`, `POST /places`,
		`GET /places/{place}`, `GET /lists`, `GET /lists/{id}`, `PUT /puts/{name}`, `GET /puts/{name}`,
		`POST /offers/make {"responses": {"201": {"description": "", "links": {"next": {"operationId": "getOffer",
			"parameters": {"id": "$response.body#/deep/0/it"}}}}}}`,
		`GET /offers/{id} {"operationId": "getOffer"}`,
		`POST /bodies/{bodyId}/parts`, `GET /bodies/{bodyId}/parts/{id}`,
		`GET /query {"parameters": [{"name": "body-id", "in": "query", "required": true,
			"schema": {"type": "string", "minLength": 1}}]}`,
		`POST /field {"requestBody": {`+fmt.Sprintf(field, "bodyId")+`}}`,
		`POST /sents {"requestBody": {`+fmt.Sprintf(field, "name")+`}}`, `GET /sents/{name}`,
	)
	succeeded := map[string]int{}
	m, err := s.Model(things, openapi.Examine("count", func(x *openapi.Exchange) error {
		if x.Status/100 == 2 {
			succeeded[x.Operation]++
		}
		return nil
	}), openapi.Without("negative_data_rejection"))
	require.NoError(t, err)
	said, calls := fails(t, m, 1, 200)
	require.Empty(t, said, "%v", calls)
	for _, operation := range []string{
		"GET /bodies/{id}", "GET /texts/{textId}", "GET /places/{place}", "GET /lists/{id}",
		"GET /puts/{name}", "GET /offers/{id}", "GET /bodies/{bodyId}/parts/{id}", "GET /query", "POST /field",
		"GET /sents/{name}",
	} {
		assert.Positive(t, succeeded[operation], operation)
	}
}

// What names a thing is code in reports, so that they hold for services that invent names.
func TestNamesInReports(t *testing.T) {
	t.Parallel()
	for operations, want := range map[string]string{
		`POST /bodies;GET /bodies/{id}`:     `"GET", "/bodies/"+openapi.Value(body1, "/data/body_id"), "")`,
		`POST /texts;GET /texts/{id}`:       `"GET", "/texts/"+openapi.Value(text1, ""), "")`,
		`POST /places;GET /places/{id}`:     `"GET", "/places/"+path.Base(place1.Header().Get("Location")), "")`,
		`GET /lists;GET /lists/{id}`:        `"GET", "/lists/"+openapi.Value(list1, "/0/id"), "")`,
		`PUT /puts/{name};GET /puts/{name}`: `"GET", "/puts/`,
	} {
		m, err := describe(t, strings.Split(operations, ";")...).Model(things,
			openapi.Examine("none", func(x *openapi.Exchange) error {
				if x.Status == http.StatusOK && strings.HasSuffix(x.Operation, "}") && x.Request.Method == "GET" {
					return fmt.Errorf("found")
				}
				return nil
			}), openapi.Without("unsupported_method"))
		require.NoError(t, err)
		said, _ := fails(t, m, 1, 200)
		assert.Contains(t, said, want, operations)
	}
}
