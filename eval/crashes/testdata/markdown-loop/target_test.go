package markdown_test

import (
	"testing"

	"github.com/gomarkdown/markdown"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte("# Title\n\nSome *text* and a [link](https://example.org).\n"))
	f.Add([]byte("* one\n* two\n\n~~~\ncode\n~~~\n\n1. one\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		markdown.Parse(b, nil)
	})
}
