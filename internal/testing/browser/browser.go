// Package browser runs a page in Chromium, for tests of what a reader sees and does.
package browser

import (
	"errors"
	"fmt"
	"html"
	"image"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
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
	dom := chromium(t, "--window-size=1400,900", "--virtual-time-budget=10000", "--dump-dom", s.URL)
	m := result.FindSubmatch(dom)
	require.NotNil(t, m, "%s", dom)
	return html.UnescapeString(string(m[1]))
}

// Screenshot takes a picture of the top of a page, which is a file. It is so many CSS pixels wide and
// high, each of scale pixels in both directions. A picture of less than 500 has a margin cut off.
func Screenshot(t testing.TB, file string, size image.Point, scale int) image.Image {
	t.Helper()
	path, err := filepath.Abs(file)
	require.NoError(t, err)
	page := fmt.Sprintf(`<!DOCTYPE html><style>body { margin: 0; overflow: hidden } iframe { border: 0 }</style>`+
		`<iframe width="%d" height="%d" scrolling="no" src="%s"></iframe>`, size.X, size.Y,
		(&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String())
	dir := t.TempDir()
	frame, shot := filepath.Join(dir, "frame.html"), filepath.Join(dir, "shot.png")
	require.NoError(t, os.WriteFile(frame, []byte(page), 0o666))
	chromium(t, fmt.Sprintf("--window-size=%d,%d", max(size.X, 500), size.Y+200),
		fmt.Sprintf("--force-device-scale-factor=%d", scale), "--virtual-time-budget=3000",
		"--screenshot="+shot, frame)
	f, err := os.Open(shot)
	require.NoError(t, err)
	defer f.Close()
	full, err := png.Decode(f)
	require.NoError(t, err)
	cut := image.NewNRGBA(image.Rectangle{Max: size.Mul(scale)})
	draw.Draw(cut, cut.Bounds(), full, image.Point{}, draw.Src)
	return cut
}

// chromium runs Chromium without a screen, and returns what it prints. It skips the test if there is
// none.
func chromium(t testing.TB, args ...string) []byte {
	t.Helper()
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
	profile, err := os.MkdirTemp("", "espalier-browser")
	require.NoError(t, err)
	defer os.RemoveAll(profile) // processes that end late may still write there
	cmd := exec.Command(path, append([]string{"--headless", "--no-sandbox", "--disable-gpu",
		"--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + profile}, args...)...)
	cmd.WaitDelay = time.Second // of processes that hold its output
	out, err := cmd.Output()
	if !errors.Is(err, exec.ErrWaitDelay) {
		require.NoError(t, err)
	}
	return out
}
