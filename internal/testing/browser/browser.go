// Package browser runs a page in Chromium, for tests of what a reader sees and does.
package browser

import (
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// harness shows the page in a frame, since a window without a screen has at least 500 pixels.
const harness = `<!DOCTYPE html><body><iframe id="frame" width="%d" height="844" src="/page"></iframe><output id="result"></output><script>
const frame = document.getElementById("frame");
const sleep = ms => new Promise(done => setTimeout(done, ms));
frame.onload = async () => {
  frame.onload = null;
  const win = frame.contentWindow, doc = frame.contentDocument;
  let result;
  try { result = await (async () => { %s })(); } catch (err) { result = "exception: " + err.stack; }
  document.getElementById("result").textContent = "[" + result + "]";
};
</script></body>`

var result = regexp.MustCompile(`(?s)<output id="result">\[(.*)\]</output>`)

// Run shows the page at / in so many pixels, and returns what a script returns. The script is the
// body of an asynchronous function that knows win and doc of the page, and sleep. It has ten
// seconds of a clock that does not wait. Run skips the test without ESPALIER_LONG=1, and if there
// is not a Chromium.
func Run(t testing.TB, page http.Handler, width int, script string) string {
	t.Helper()
	if !long.Enabled() {
		t.Skip("ESPALIER_LONG=1 runs pages in Chromium")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium")
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, harness, width, script)
	})
	mux.HandleFunc("GET /favicon.ico", http.NotFound)
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path = "/"
		r.Header.Del("If-Modified-Since") // a file may change twice in the second that this tells
		got := httptest.NewRecorder()
		page.ServeHTTP(got, r)
		for name, values := range got.Header() {
			for _, v := range values {
				w.Header().Add(name, strings.ReplaceAll(v, "frame-ancestors 'none'", "frame-ancestors 'self'"))
			}
		}
		w.WriteHeader(got.Code)
		got.Body.WriteTo(w)
	})
	mux.Handle("/", page)
	s := httptest.NewServer(mux)
	defer s.Close()
	profile, err := os.MkdirTemp("", "espalier-browser")
	require.NoError(t, err)
	defer os.RemoveAll(profile) // processes that end late may still write there
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+profile,
		"--window-size=1400,900", "--virtual-time-budget=10000", "--dump-dom", s.URL)
	cmd.WaitDelay = time.Second // of processes that hold its output
	dom, err := cmd.Output()
	if !errors.Is(err, exec.ErrWaitDelay) {
		require.NoError(t, err)
	}
	m := result.FindSubmatch(dom)
	require.NotNil(t, m, "%s", dom)
	return html.UnescapeString(string(m[1]))
}
