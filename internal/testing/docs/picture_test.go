package docs

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/browser"
	"github.com/stretchr/testify/require"
)

// pictures is the directory of the pictures, from the root.
const pictures = "docs/pictures"

// The pictures of terminals show a session of the guide, whose output TestSessions compares with
// that of a run.
func TestTerminals(t *testing.T) {
	t.Parallel()
	for name, columns := range map[string]int{"deadlock.svg": 125, "deadlock-narrow.svg": 52} {
		session := sessionOf(t, "docs/concurrency.md", "sessions-move")
		path := filepath.Join(root, filepath.FromSlash(pictures), name)
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(svg(session, columns)), 0o666))
			continue
		}
		had, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, svg(session, columns), strings.ReplaceAll(string(had), "\r\n", "\n"),
			"%s is not of the session: run the test with -update", name)
	}
}

// sessionOf returns the session of a page whose command has the text.
func sessionOf(t *testing.T, path, text string) []string {
	t.Helper()
	for _, b := range readPage(t, path).blocks {
		if b.kind() == "console" && strings.Contains(b.lines[0], text) {
			return b.lines
		}
	}
	require.Fail(t, "there is no session", "%s of %s", text, path)
	return nil
}

// campaign is the command whose page is shown.
const campaign = "ESPALIER_PLANT=cache-stale go run ./cmd/corpusgen fuzz -keepgoing -run '^$' " +
	"-fuzz '^(FuzzCalls|FuzzUnion|FuzzParse|FuzzEval)$' -fuzztime 10s -html fuzz.html " +
	"./examples/planted ./examples/expr"

// screens are the pictures of that page: how wide they are, and how high.
var screens = map[string]image.Point{
	"fuzz.png":        {X: 880, Y: 640},
	"fuzz-narrow.png": {X: 390, Y: 790},
}

// Pictures of pages are small, and sharp on screens with two pixels for one.
func TestScreens(t *testing.T) {
	t.Parallel()
	if *update {
		takeScreens(t)
	}
	for name, size := range screens {
		file, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(pictures), name))
		require.NoError(t, err)
		require.Less(t, len(file), 150_000, name)
		config, err := png.DecodeConfig(bytes.NewReader(file))
		require.NoError(t, err)
		require.Equal(t, size.Mul(2), image.Pt(config.Width, config.Height), name)
	}
}

// takeScreens runs the campaign in a clone, and takes pictures of its page.
func takeScreens(t *testing.T) {
	t.Helper()
	const path = module + "/pictures" // whose fuzzer's cache no other test has
	dir := newModule(t, path, "examples/")
	require.NoError(t, os.RemoveAll(fuzzCache(t, path)))
	b := block{page: &page{path: pictures}, info: "sh", lines: []string{campaign}}
	list, err := b.commands()
	require.NoError(t, err)
	out, err := list[0].run(t, dir)
	require.Error(t, err, "the planted bug is not found:\n%s", out)
	file := filepath.Join(dir, "fuzz.html")
	text, err := os.ReadFile(file)
	require.NoError(t, err, "%s", out)
	require.NoError(t, os.WriteFile(file, bytes.ReplaceAll(text, []byte(path+"/"),
		[]byte(module+"/")), 0o666))
	for name, size := range screens {
		var small bytes.Buffer
		encoder := png.Encoder{CompressionLevel: png.BestCompression}
		require.NoError(t, encoder.Encode(&small, reduced(browser.Screenshot(t, file, size, 2))))
		require.NoError(t, os.WriteFile(filepath.Join(root, filepath.FromSlash(pictures), name), small.Bytes(), 0o666))
	}
}

// reduced returns the picture in the 256 colors that most of its pixels have, or come near to.
func reduced(full image.Image) image.Image {
	count := map[color.NRGBA]int{}
	bounds := full.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[color.NRGBAModel.Convert(full.At(x, y)).(color.NRGBA)]++
		}
	}
	colors := slices.SortedFunc(maps.Keys(count), func(a, b color.NRGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G),
			cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range colors[:min(256, len(colors))] {
		palette = append(palette, c)
	}
	small := image.NewPaletted(bounds, palette)
	draw.Draw(small, bounds, full, bounds.Min, draw.Src)
	return small
}
