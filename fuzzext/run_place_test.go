package fuzzext

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestStandardTrimmed(t *testing.T) {
	old := mainModule
	defer func() { mainModule = old }()
	mainModule = func() string { return "user" }
	tests := []struct {
		function, file string
		want           bool
	}{
		{"fmt.Sprint", "/usr/local/go/src/fmt/print.go", true},
		{"encoding/json.Marshal", "C:/go/src/encoding/json/encode.go", true},
		{"encoding/json.(*Decoder).Decode", "encoding/json/stream.go", true}, // with -trimpath
		{"fmt.Sprint", "fmt/print.go", true},
		{"user.F", "user/f.go", false},
		{"user/part.F", "user/part/f.go", false},
		{"user/part.F", "/home/me/user/part/f.go", false},
		{"example.com/x.F", "example.com/x@v1.0.0/f.go", false},
		{"example.com/x.F", "example.com/x/f.go", false},
		{"username.F", "username/f.go", true},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, standard(runtime.Frame{Function: test.function, File: test.file}), "%s in %s", test.function, test.file)
	}
	mainModule = old
	assert.Equal(t, "github.com/espalier-go/espalier", mainModule())
}
