package targets

import (
	"os"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

// ModelEnv is the environment variable that names the file of a model by which Check makes
// values.
const ModelEnv = "ESPALIER_MODEL"

func check[V any](t *testing.T, g bigen.Gen[V], prop func(*fuzzext.T, V)) {
	if file := os.Getenv(ModelEnv); file != "" {
		fuzzext.Check(t, g, prop, fuzzext.WithModel(file))
		return
	}
	fuzzext.Check(t, g, prop)
}
