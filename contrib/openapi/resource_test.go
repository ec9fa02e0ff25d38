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

	"github.com/espalier-go/espalier/bigen/callseq"
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

// All links of a response are followed, whatever they lead to.
func TestLinks(t *testing.T) {
	t.Parallel()
	handler := func(testing.TB) http.Handler {
		mux, n, have := http.NewServeMux(), 0, map[string]bool{}
		mux.HandleFunc("POST /send", func(w http.ResponseWriter, _ *http.Request) {
			n++
			id, other, owner := fmt.Sprintf("x%d", n*7919), fmt.Sprintf("y%d", n*7919), fmt.Sprintf("o%d", n*7919)
			for _, path := range []string{"/messages/" + id, "/views/" + other + ".html", "/views/" + id + ".html",
				"/of/" + owner + "/messages/" + id} {
				have[path] = true
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"ID": %q, "other": %q, "owner": %q}`, id, other, owner)
		})
		mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
			if !have[r.URL.Path] {
				w.WriteHeader(http.StatusNotFound)
			}
		})
		return mux
	}
	found := map[string]bool{}
	m, err := describe(t,
		`POST /send {"responses": {"200": {"description": "", "links": {
			"a": {"operationId": "message", "parameters": {"id": "$response.body#/ID"}},
			"b": {"operationId": "view", "parameters": {"id": "$response.body#/ID"}},
			"c": {"operationId": "view", "parameters": {"id": "$response.body#/other"}},
			"d": {"operationId": "ofOwner", "parameters": {"owner": "$response.body#/owner", "id": "$response.body#/ID"}}
			}}}}`,
		`GET /messages/{id} {"operationId": "message"}`, `GET /views/{id}.html {"operationId": "view"}`,
		`GET /of/{owner}/messages/{id} {"operationId": "ofOwner"}`,
	).Model(handler, openapi.Examine("found", func(x *openapi.Exchange) error {
		if x.Status == http.StatusOK {
			found[x.Operation+" "+strings.TrimLeft(x.Request.URL.Path, "/views")[:1]] = true
		}
		return nil
	}))
	require.NoError(t, err)
	said, _ := fails(t, m, 1, 200)
	require.Empty(t, said)
	for _, want := range []string{"GET /messages/{id} m", "GET /views/{id}.html x", "GET /views/{id}.html y",
		"GET /of/{owner}/messages/{id} o"} {
		assert.True(t, found[want], "%s: %v", want, found)
	}
}

// In a report, a response has a name for each thing that it has made, if later requests use them.
func TestLinksInReports(t *testing.T) {
	t.Parallel()
	m, err := describe(t,
		`POST /send {"responses": {"200": {"description": "", "links": {
			"a": {"operationId": "message", "parameters": {"id": "$response.body#/id"}},
			"b": {"operationId": "view", "parameters": {"id": "$response.body#/id"}}}}}}`,
		`GET /messages/{id} {"operationId": "message"}`, `GET /views/{id} {"operationId": "view"}`,
	).Model(func(testing.TB) http.Handler {
		found := 0
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			switch {
			case r.Method == "POST":
				_, _ = io.WriteString(w, `{"id": "a b"}`)
			case strings.HasSuffix(r.URL.Path, "/a b"):
				if found++; found == 2 {
					w.WriteHeader(http.StatusInternalServerError)
				}
			default:
				w.WriteHeader(http.StatusNotFound)
			}
		})
	})
	require.NoError(t, err)
	valid := map[string]any{}
	path := map[string]any{"path": map[string]any{"id": "x"}}
	said := run(t, m, callseq.Calls{
		{"POST /send", "", valid, callseq.Name("message1"), callseq.Name("view1")},
		{"GET /messages/{id}", callseq.Name("message1"), "", path},
		{"GET /views/{id}", callseq.Name("view1"), "", path},
	})
	require.Contains(t, said, `message1=$(curl -s -X POST 'http://localhost:8080/send' | jq -r '.id|@uri')`+
		" # .id of its response\nview1=$message1\n"+
		"curl \"http://localhost:8080/messages/${message1}\"\ncurl \"http://localhost:8080/views/${view1}\"\ncalls:")
	require.Contains(t, said, "    view1 := message1\n")
	require.Contains(t, said, `"/messages/"+openapi.Value(message1, "/id"), ""`)
	require.Contains(t, said, `"/views/"+openapi.Value(view1, "/id"), ""`)
}
