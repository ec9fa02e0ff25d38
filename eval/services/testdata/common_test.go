package services

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/contrib/openapi"
)

func TestService(t *testing.T) { openapi.Check(t, description(t), newHandler, options(t)...) }
func FuzzService(f *testing.F) { openapi.Fuzz(f, description(f), newHandler, options(f)...) }

func FuzzBytes(f *testing.F) {
	for _, operation := range description(f).Operations() {
		method, path, _ := strings.Cut(operation, " ")
		f.Add(fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
			"Content-Length: 2\r\n\r\n{}", method, path))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(b)))
		if err != nil {
			return
		}
		newHandler(t).ServeHTTP(httptest.NewRecorder(), r)
	})
}
