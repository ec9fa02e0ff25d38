package user

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

// keepsFiles leaves a file and an attribute, and fails for large numbers.
func keepsFiles(t *fuzzext.T, n int) {
	file := filepath.Join(t.ArtifactDir(), "number")
	if _, err := os.Stat(file); err == nil {
		t.Error("the file of another run is there")
	}
	t.Cleanup(func() { // also at the end
		if err := os.WriteFile(filepath.Join(t.ArtifactDir(), "number"), fmt.Append(nil, n), 0o666); err != nil {
			t.Error(err)
		}
	})
	t.Attr("number", fmt.Sprint(n))
	if n >= 100 {
		t.Fatal("large")
	}
}

func TestFilesOfNone(t *testing.T) { fuzzext.Check(t, bigen.IntRange(0, 99), keepsFiles) }
func TestFiles(t *testing.T)       { fuzzext.Check(t, bigen.IntRange(0, 999), keepsFiles) }

func FuzzFiles(f *testing.F) {
	fuzzext.Fuzz(f, bigen.IntRange(0, 999), keepsFiles)
}

func TestBadAttr(t *testing.T) {
	fuzzext.Check(t, bigen.Bool(), func(t *fuzzext.T, b bool) { t.Attr("a key", "") })
}
