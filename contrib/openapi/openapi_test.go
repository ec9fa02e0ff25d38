package openapi_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/contrib/openapi"
	"github.com/espalier-go/espalier/contrib/openapi/internal/pets"
)

func TestPets(t *testing.T) { openapi.Check(t, description(t), newPets, key) }
func FuzzPets(f *testing.F) { openapi.Fuzz(f, description(f), newPets, key) }

// newPets returns the service. It is called anew for each sequence of requests.
func newPets(testing.TB) http.Handler { return pets.New() }

// key is for the security scheme of that name in the description.
var key = openapi.Credentials("key", "secret")

func description(t testing.TB) *openapi.Spec {
	s, err := openapi.Load("internal/pets/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func with(bug pets.Bug) func(testing.TB) http.Handler {
	return func(testing.TB) http.Handler { return pets.With(bug) }
}

// A recorder is a test whose failures are kept.
type recorder struct {
	testing.TB
	failed bool
	class  string
	log    bytes.Buffer
}

func (r *recorder) Helper()                      {}
func (r *recorder) Class(name string)            { r.class = name }
func (r *recorder) Failed() bool                 { return r.failed }
func (r *recorder) Log(args ...any)              { fmt.Fprintln(&r.log, args...) }
func (r *recorder) Error(args ...any)            { r.failed = true; r.Log(args...) }
func (r *recorder) Errorf(f string, args ...any) { r.Error(fmt.Sprintf(f, args...)) }
func (r *recorder) Fatal(args ...any)            { r.Error(args...); runtime.Goexit() }
func (r *recorder) Fatalf(f string, args ...any) { r.Fatal(fmt.Sprintf(f, args...)) }
func (r *recorder) Output() io.Writer            { return &r.log }

// fails runs sequences until one fails, and returns what it says, and the sequence; or the sequences
// have all passed.
func fails(t *testing.T, m *callseq.Model, seed uint64, sequences int) (string, callseq.Calls) {
	random := rand.New(rand.NewPCG(seed, 0))
	for range sequences {
		calls := bigen.Sample(m.Gen(), random)
		if said := run(t, m, calls); said != "" {
			return said, calls
		}
	}
	return "", nil
}

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

// Each bug is found, by the check that is for it.
func TestBugs(t *testing.T) {
	t.Parallel()
	for bug, want := range map[pets.Bug]string{
		pets.Crash:       "panic: runtime error: invalid memory address",
		pets.Divide:      "panic: runtime error: integer divide by zero",
		pets.Schema:      "response_schema_conformance: P",
		pets.Header:      "response_headers_conformance: POST /pets answers 201",
		pets.Auth:        "ignored_auth: DELETE /pets/{petId} answers 204",
		pets.AnyKey:      "ignored_auth: GET /pets/{petId} answers 200 OK: the credentials are wrong",
		pets.Zombie:      "use_after_free: GET /pets/{petId} answers 200",
		pets.Lost:        "ensure_resource_availability: GET /pets/{petId} answers 404",
		pets.Lenient:     "negative_data_rejection: GET /pets answers 200",
		pets.NoName:      "negative_data_rejection: POST /pets answers 201",
		pets.Leak:        "no_internals: P",
		pets.Once:        "idempotence: PUT /pets/{petId} answers 400",
		pets.Undescribed: "content_type_conformance: POST /pets answers 200",
		pets.Patch:       "unsupported_method: PATCH /pets/{petId} answers 200",
	} {
		m, err := description(t).Model(with(bug), key)
		require.NoError(t, err)
		said, _ := fails(t, m, 1, 1000)
		assert.Contains(t, said, want, "%s", bug)
	}
	m, err := description(t).Model(with(pets.None), key)
	require.NoError(t, err)
	said, calls := fails(t, m, 1, 500)
	require.Empty(t, said, "%v", calls)
}

// A check that is switched off finds nothing.
func TestWithout(t *testing.T) {
	t.Parallel()
	for _, without := range []openapi.Option{
		openapi.Without("use_after_free"),
		openapi.Without("use_after_free", "getPet"),
		openapi.Without("use_after_free", "GET /pets/{petId}"),
		openapi.Skip("deletePet"),
		openapi.Only("listPets", "createPet", "getPet"),
	} {
		m, err := description(t).Model(with(pets.Zombie), key, without)
		require.NoError(t, err)
		said, _ := fails(t, m, 1, 100)
		require.Empty(t, said)
	}
}

// The report of a failure has the requests as Go code and for curl, as the guide shows.
func TestReport(t *testing.T) {
	t.Parallel()
	m, err := description(t).Model(with(pets.Zombie), key)
	require.NoError(t, err)
	pet := map[string]any{"body": map[string]any{
		"type": "application/json", "value": map[string]any{"name": "Rex"},
	}}
	path := map[string]any{"path": map[string]any{"petId": 7.0}}
	said := run(t, m, callseq.Calls{
		{"POST /pets", "", "given", pet, callseq.Name("pet1")},
		{"DELETE /pets/{petId}", callseq.Name("pet1"), "", "given", path},
		{"GET /pets/{petId}", callseq.Name("pet1"), "", "given", path},
	})
	page, err := os.ReadFile("../../docs/services.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "```text\n"+said+"```\n")
}

// A panic of the service is of a class of its operation and its place, and is reported like all
// other failures.
func TestPanics(t *testing.T) {
	t.Parallel()
	var none []int
	fail := func() { _ = strings.Repeat("x", -1) }
	m, err := describe(t, "GET /a", "GET /b", "GET /c").Model(func(testing.TB) http.Handler {
		mux := http.NewServeMux()
		mux.HandleFunc("GET /a", func(http.ResponseWriter, *http.Request) { _ = none[0] })
		mux.HandleFunc("GET /b", func(http.ResponseWriter, *http.Request) {
			defer func() {
				if err := recover(); err != nil {
					panic(err)
				}
			}()
			fail()
		})
		mux.HandleFunc("GET /c", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		return mux
	})
	require.NoError(t, err)
	report := func(path string) (class, said string) {
		r := &recorder{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			m.Run(r, callseq.Calls{{"GET /c", "", map[string]any{}}, {"GET " + path, "", map[string]any{}}})
		}()
		<-done
		return r.class, r.log.String()
	}
	class, said := report("/a")
	require.Regexp(t, `^panic: GET /a at openapi_test\.go:\d+$`, class)
	require.Contains(t, said, "panic: runtime error: index out of range [0] with length 0, in GET /a at "+
		"openapi_test.go:")
	require.Contains(t, said, "\ncurl 'http://localhost:8080/c'\ncurl 'http://localhost:8080/a'\n")
	require.Contains(t, said, "    openapi.Send(handler, \"GET\", \"/a\", \"\")\n    // then: panic: runtime error: index")
	require.NotContains(t, said, "(*run)")
	class, said = report("/b")
	require.Regexp(t, `^panic: GET /b at openapi_test\.go:\d+$`, class)
	require.Contains(t, said, "\nstrings.Repeat\n")
	class, said = report("/c")
	require.Empty(t, class+said)
}

// The reports of Check have the code of the sequence, with -fuzzext.keepgoing, too, and nothing that
// is of use only with fuzzext.Sequence.
func TestReportsOfCheck(t *testing.T) {
	const inner = "ESPALIER_OPENAPI_FAILS"
	if os.Getenv(inner) != "" {
		openapi.Check(t, describe(t, "GET /a", "PUT /a", "POST /a"),
			answers(map[string]string{"GET /a": "500|sorry", "PUT /a": "200", "POST /a": "200"}))
		return
	}
	t.Parallel()
	for _, option := range []string{"-fuzzext.keepgoing=false", "-fuzzext.keepgoing"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestReportsOfCheck$", option, "-fuzzext.checks=100")
		cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), inner+"=1")
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		said := strings.ReplaceAll(string(out), "\n    ", "\n")
		require.Contains(t, said, "not_a_server_error: GET /a answers 500 Internal Server Error: sorry\n")
		require.Contains(t, said, "curl 'http://localhost:8080/a'\n")
		require.Contains(t, said, "openapi.Send(handler, \"GET\", \"/a\", \"\") // 500 sorry\n")
		require.Contains(t, said, "// then: not_a_server_error: GET /a answers 500")
		require.NotContains(t, said, "fuzzext.Examples")
	}
}
