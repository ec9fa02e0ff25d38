// Package openapi tests HTTP services by their descriptions in OpenAPI. A value is a sequence of
// requests: they fit the description, or break it in one named way, and later requests name what
// earlier ones have made. The service is an [http.Handler] in the test's own process, so the fuzzer
// sees its coverage:
//
//	func newHandler(testing.TB) http.Handler { return pets.New() }
//
//	func TestPets(t *testing.T) { openapi.Check(t, description, newHandler) }
//	func FuzzPets(f *testing.F) { openapi.Fuzz(f, description, newHandler) }
//
// A failure is shrunk to a few requests, and written as Go code, which calls [Send], and as commands
// for curl.
//
// # How requests follow from responses
//
// What a parameter of a path stands for is a kind of thing: /pets/{petId} is a pet. A request makes
// one if a link in the description says so, if it is a POST to /pets, or a PUT to /pets/{petId}; a
// list that GET returns has some. What names it is where the link says, the end of the header
// Location, or a property of the response, or else of the request, with a name such as petId, pet_id
// or id. Then it takes the place of the parameter in other paths, and of what is called petId or the
// like in queries, headers and bodies.
//
// # Checks
//
// Each response is examined by these checks, in this order, whose names are those of Schemathesis
// where it has the same:
//
//	not_a_server_error            the status is below 500; nor does the handler panic
//	no_internals                  the body has no stack trace, path or error of a database
//	ignored_auth                  without credentials, or with wrong ones, the request fails
//	negative_data_rejection       a request that breaks the description fails
//	positive_data_acceptance      one that does not is no bad request; off without [With]
//	use_after_free                what has been deleted cannot be read
//	ensure_resource_availability  what has been created can be read, unless it may be gone
//	idempotence                   a PUT that succeeds does so again
//	status_code_conformance       the description has the status
//	content_type_conformance      it has the media type
//	response_headers_conformance  headers are there, and have the values that it has
//	response_schema_conformance   the body is valid
//	unsupported_method            a method that it does not have fails
//
// A sequence goes on after a failure, and is then failed for the worst one, in this order. A panic
// fails it at once, with the stack. [Without] switches checks off, [Examine] adds one.
package openapi

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

// Check tests a service by random sequences of requests, as [fuzzext.Sequence] does. newHandler
// returns the service in its first state, anew for each sequence. It may call the methods of t, such
// as Cleanup. For a service that runs elsewhere, return a proxy of package httputil.
//
// Check logs which statuses the operations have answered; go test -v shows it. It fails the test if
// none has succeeded, and at once if [Spec.Model] returns an error.
func Check(
	t *testing.T, s *Spec, newHandler func(t testing.TB) http.Handler, opts ...Option,
) {
	t.Helper()
	sequence(t, s, newHandler, opts)
}

// Fuzz is [Check] as a fuzz target: the fuzzer mutates sequences of requests, and keeps those that
// reach new code of the service.
func Fuzz(
	f *testing.F, s *Spec, newHandler func(t testing.TB) http.Handler, opts ...Option,
) {
	f.Helper()
	sequence(f, s, newHandler, opts)
}

func sequence(
	tb testing.TB, s *Spec, newHandler func(t testing.TB) http.Handler, opts []Option,
) {
	tb.Helper()
	v, err := s.service(newHandler, opts)
	if err != nil {
		tb.Fatalf("openapi: %v", err)
	}
	if _, isTest := tb.(*testing.T); isTest {
		defer func() {
			tb.Helper()
			tb.Log(v.summary())
			if text := v.untested(); text != "" {
				tb.Error(text)
			}
		}()
	}
	examples, err := v.recorded()
	if err != nil {
		tb.Fatalf("openapi.Recorded: %v", err)
	}
	fuzzext.Sequence(tb, v.model(), fuzzext.Examples(examples...))
}

// fewest is how many requests must have failed to say that none succeeds.
const fewest = 200

// untested says why nothing is tested, or "".
func (v *service) untested() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	byStatus, all := map[int]int{}, 0
	for _, statuses := range v.answered {
		for status, n := range statuses {
			byStatus[status] += n
			if all += n; status/100 == 2 {
				return ""
			}
		}
	}
	often := func(status int) bool { return 2*byStatus[status] > all }
	switch {
	case all < fewest:
		return ""
	case often(http.StatusNotFound):
		return fmt.Sprintf("openapi: no operation has succeeded, most answer 404 Not Found: is %q the path "+
			"below which the service has all others? If not, use openapi.Base", v.base)
	case often(http.StatusUnauthorized) || often(http.StatusForbidden):
		return "openapi: no operation has succeeded, most ask for credentials: use openapi.Credentials"
	}
	return "openapi: no operation has succeeded, so next to nothing is tested: go test -v shows what they answer"
}

// summary says which statuses the operations have answered.
func (v *service) summary() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	succeeded := 0
	var lines []string
	for _, m := range v.makers {
		var counts []string
		ok := false
		for _, status := range slices.Sorted(maps.Keys(v.answered[m.name])) {
			ok = ok || status/100 == 2
			counts = append(counts, fmt.Sprintf("%d (%d)", status, v.answered[m.name][status]))
		}
		if ok {
			succeeded++
		}
		lines = append(lines, "  "+m.name+": "+strings.Join(counts, ", "))
	}
	return fmt.Sprintf("openapi: %d of %d operations have succeeded\n%s", succeeded, len(v.makers),
		strings.Join(lines, "\n"))
}
