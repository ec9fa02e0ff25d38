package live

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/page"
	"github.com/espalier-go/espalier/internal/testing/require"
)

func get(t *testing.T, url, host string) (int, string) {
	t.Helper()
	r, err := http.NewRequest("GET", url, nil)
	require.NoError(t, err)
	r.Host = host
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(b)
}

func TestServe(t *testing.T) {
	p, err := Serve("0")
	require.NoError(t, err)
	defer p.Close()
	require.True(t, strings.HasPrefix(p.URL, "http://127.0.0.1:"), p.URL)
	p.Update(func(s *State) {
		s.Targets = []*Target{{Name: "FuzzX", Figures: Figures{Executions: 7}, Points: []Point{{Seconds: 0.1, Found: 3}}}}
	})
	code, text := get(t, p.URL, "")
	require.Equal(t, 200, code)
	require.Contains(t, text, "<title>corpusgen fuzz</title>")
	require.Contains(t, text, page.Style)
	require.NotRegexp(t, `(src|href)="`, text, "the page needs no network")

	code, text = get(t, p.URL+"state", "localhost:80")
	require.Equal(t, 200, code)
	var s State
	require.NoError(t, json.Unmarshal([]byte(text), &s))
	require.Equal(t, int64(7), s.Targets[0].Executions)
	require.Contains(t, s.Targets[0].Chart, "<svg ")
	require.Contains(t, s.Targets[0].Chart, "3 new entries after ")
	require.Regexp(t, `<polyline class="corpus" points="60\.0,176\.0 (\d+\.\d,176\.0 )(\d+\.\d,12\.0 )428\.0,12\.0"/>`, string(s.Targets[0].Chart), "a step")
	require.False(t, s.Now.Before(s.Started))

	// Neither another path, nor a name that another site gave to this address.
	code, _ = get(t, p.URL+"other", "")
	require.Equal(t, 404, code)
	for _, host := range []string{"evil.example", "evil.example:80", "192.0.2.1"} {
		code, _ = get(t, p.URL+"state", host)
		require.Equal(t, 403, code, host)
	}
	r, err := http.Post(p.URL+"state", "text/plain", nil)
	require.NoError(t, err)
	require.Equal(t, 405, r.StatusCode)
}

func TestServeTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, err = Serve(l.Addr().String())
	require.Error(t, err)
	_, err = Serve("nonsense:port:here")
	require.Error(t, err)
}

// However long a campaign runs, the points are few, and the last one is kept.
func TestPoints(t *testing.T) {
	var target Target
	for i := range 10_000 {
		target.Add(Point{Seconds: float64(i), Found: int64(i)})
		require.LessOrEqual(t, len(target.Points), maxPoints)
		require.Equal(t, int64(i), target.Points[len(target.Points)-1].Found)
	}
	require.Greater(t, len(target.Points), maxPoints/4)
	for i := 1; i < len(target.Points); i++ {
		require.Greater(t, target.Points[i].Seconds, target.Points[i-1].Seconds)
	}
}
