package html_test

import (
	"bytes"
	"testing"

	"golang.org/x/net/html"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte("<!DOCTYPE html><title>A page</title><p class=a>Some <b>text</b>."))
	f.Add([]byte("<table><tr><td>1<td>2</table><form><input name=a></form>"))
	f.Fuzz(func(t *testing.T, b []byte) {
		html.Parse(bytes.NewReader(b))
	})
}
