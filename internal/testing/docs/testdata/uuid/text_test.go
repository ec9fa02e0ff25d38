package uuid_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/google/uuid"
)

const digits = `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`

// genText makes texts of all the forms that Parse reads.
var genText = bigen.Pick(
	bigen.Tag("usual", bigen.Matching(digits)),
	bigen.Tag("urn", bigen.Matching(`urn:uuid:`+digits)),
	bigen.Tag("braces", bigen.Matching(`\{`+digits+`\}`)),
	bigen.Tag("raw", bigen.Matching(`[0-9a-fA-F]{32}`)),
)

func FuzzText(f *testing.F) {
	f.Fuzz(fuzzext.Valid(genText, func(t *fuzzext.T, text string) {
		id, err := uuid.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := uuid.Parse(id.URN()); err != nil || again != id {
			t.Errorf("%v becomes %v: %v", id, again, err)
		}
		t.Label(id.Variant().String())
	}))
}
