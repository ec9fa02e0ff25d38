package schema_test

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/jsonschema"
	"github.com/espalier-go/espalier/examples/schema"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/stretchr/testify/require"
)

// remote reads schemas that others refer to by URL.
var remote = jsonschema.Remote(func(url string) (string, error) {
	text, err := os.ReadFile(filepath.Join("testdata", path.Base(url)))
	return string(text), err
})

// genService makes the configurations that the schema allows.
func genService(tb testing.TB) bigen.Gen[any] {
	text, err := os.ReadFile("testdata/service.json")
	require.NoError(tb, err)
	gen, err := jsonschema.Parse(string(text), remote)
	require.NoError(tb, err)
	return gen
}

// parses is a property: what the schema allows can be read, and written.
func parses(t *fuzzext.T, v any) {
	text, err := json.Marshal(v)
	require.NoError(t, err)
	service, err := schema.Parse(text)
	require.NoError(t, err)
	again, err := json.Marshal(service)
	require.NoError(t, err)
	require.JSONEq(t, string(text), string(again))
}

func FuzzParse(f *testing.F) { f.Fuzz(fuzzext.Valid(genService(f), parses)) }
func TestParse(t *testing.T) { fuzzext.Check(t, genService(t), parses) }

// A document that the schema forbids is refused with what is wrong.
func TestNotValid(t *testing.T) {
	var v any
	require.NoError(t, json.Unmarshal([]byte(`{"name": "web", "listen": [{"port": 0}]}`), &v))
	require.ErrorContains(t, bigen.Check(genService(t), v), `at "/listen/0/port": minimum: got 0, want 1`)
}
