// Package page is what the pages of corpusgen share: how they look, and how they draw a chart.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/internal/safefile"
)

// Style is the style sheet of all pages.
//
//go:embed style.css
var Style string

// Script lets a reader copy the text before a button, follow links into closed parts, and filter
// the targets of a page.
//
//go:embed page.js
var Script string

// Replaceable returns an error if there is a file at path that is not a page of a command. The page
// has a line that names the command as its generator.
func Replaceable(path, command string) error {
	return safefile.Replaceable(path, "<!DOCTYPE html>\n",
		fmt.Sprintf(`<meta name="generator" content="corpusgen %s">`, command))
}

// Write writes a page of a command to the file at path, in place of an older one, and of no other
// file.
func Write(path, command string, page []byte) error {
	if err := Replaceable(path, command); err != nil {
		return err
	}
	return safefile.Write(path, page)
}

//go:embed chart.html
var source string

var figure = template.Must(template.New("chart").Parse(source))

// A Chart is a drawing, with a text for those who do not see it.
type Chart struct {
	ID, Title, Text string
	Caption         string
	W, H            int
	Grid            []Segment
	Bars            []Bar
	Lines           []Line
	Words           []Word

	ticked float64 // where the last tick ends
}

type (
	// A Segment is a line of the grid.
	Segment struct{ X1, Y1, X2, Y2 float64 }
	// A Bar is a rectangle. Class is a class of the style, such as corpus.
	Bar struct {
		X, Y, W, H float64
		Class, Tip string
	}
	// A Line joins points.
	Line struct{ Points, Class string }
	// A Word is text in a drawing. Anchor is start, middle or end.
	Word struct {
		X, Y         float64
		Anchor, Text string
	}
)

// The size of a drawing, in the units of its parts.
const (
	Width  = 440
	Height = 210
)

const (
	left   = 60
	right  = 12
	top    = 12
	bottom = 34
)

// X maps a share, of 0 to 1, of a horizontal axis to the drawing.
func X(share float64) float64 { return left + share*(Width-left-right) }

// Y maps a share of the vertical axis.
func Y(share float64) float64 { return Height - bottom - share*(Height-top-bottom) }

// Bar draws a rectangle, with a tip for who points at it.
func (c *Chart) Bar(x, y, w, h float64, class, tip string) {
	c.Bars = append(c.Bars, Bar{x, y, w, h, class, tip})
}

// Line joins points, as in the attribute of an SVG polyline.
func (c *Chart) Line(points, class string) { c.Lines = append(c.Lines, Line{points, class}) }

// Word writes a text that starts, ends or has its middle at a place.
func (c *Chart) Word(x, y float64, anchor, text string) {
	c.Words = append(c.Words, Word{x, y, anchor, text})
}

// Tick writes a number below the horizontal axis, unless it would touch the one before. Numbers go
// from left to right.
func (c *Chart) Tick(x float64, text string) {
	const digit = 7.5 // the font has 12
	half := digit * float64(utf8.RuneCountInString(text)) / 2
	if from := x - half; c.ticked == 0 || from >= c.ticked+digit {
		c.ticked = x + half
		c.Word(x, Height-16, "middle", text)
	}
}

// Whole labels an axis of numbers up to most, those that are not whole by nothing.
func Whole(most float64) func(share float64) string {
	return func(share float64) string {
		if x := share * most; x == math.Trunc(x) {
			return fmt.Sprint(int64(x))
		}
		return ""
	}
}

// Axis draws the vertical axis. Label says what a share of it stands for.
func (c *Chart) Axis(label func(share float64) string) {
	last := ""
	for _, share := range []float64{0, 1, 0.5} {
		y := Y(share)
		c.Grid = append(c.Grid, Segment{left, y, Width - right, y})
		if text := label(share); text != "" && (share != 0.5 || text != last && text != label(0)) {
			c.Word(left-6, y+4, "end", text)
			last = text
		}
	}
}

// Draw returns the chart as part of a page.
func (c *Chart) Draw() (template.HTML, error) {
	var b strings.Builder
	err := figure.Execute(&b, c)
	return template.HTML(b.String()), err
}
