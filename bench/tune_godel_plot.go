package main

import (
	"fmt"
	"slices"
	"strings"
)

// curve is the share of trees within each tolerance, as in GödelTest, figure 7.
type curve struct {
	name  string
	trees int
	near  [godelSteps + 1]int
}

var curves []*curve

// drawCurve adds the trees of a run to the curve of its method. The target is (100, 36).
func drawCurve(name string, run *godelTuned) {
	name, ok := strings.CutPrefix(name, godelLong.String()+" ")
	if !ok {
		return
	}
	at := slices.IndexFunc(curves, func(c *curve) bool { return c.name == name })
	if at < 0 {
		at, curves = len(curves), append(curves, &curve{name: name})
	}
	c := curves[at]
	c.trees += godelTrees
	for i, n := range run.near {
		c.near[i] += n
	}
}

// curvesSVG draws the curves. Its colors fit a light and a dark page.
func curvesSVG() []byte {
	const left, top, width, height = 60, 20, 440, 260
	var b strings.Builder
	printf := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`, left+width+140, top+height+60)
	printf(`<style>.grid { stroke: #8884 } text { fill: #777 } polyline { fill: none; stroke-width: 2 }</style>`)
	for i := range 6 {
		x, y := left+width*i/5, top+height-height*i/5
		printf(`<line class="grid" x1="%d" y1="%d" x2="%d" y2="%d"/>`, x, top, x, top+height)
		printf(`<line class="grid" x1="%d" y1="%d" x2="%d" y2="%d"/>`, left, y, left+width, y)
		printf(`<text x="%d" y="%d" text-anchor="middle">%d %%</text>`, x, top+height+18, 10*i)
		printf(`<text x="%d" y="%d" text-anchor="end">%d %%</text>`, left-6, y+4, 20*i)
	}
	printf(`<text x="%d" y="%d" text-anchor="middle">trees within this tolerance of size 100 and height 36</text>`, left+width/2, top+height+42)
	colors := []string{"#28c", "#d82", "#2a4", "#a3c", "#d22"}
	for k, c := range curves {
		color := colors[k%len(colors)]
		var points []string
		for i, n := range c.near {
			points = append(points, fmt.Sprintf("%.1f,%.1f", left+float64(width*i)/godelSteps, float64(top+height)-float64(height*n)/float64(c.trees)))
		}
		printf(`<polyline stroke="%s" points="%s"/>`, color, strings.Join(points, " "))
		printf(`<text x="%d" y="%d" style="fill: %s">%s</text>`, left+width+12, top+18*k+12, color, c.name)
	}
	printf(`</svg>`)
	return []byte(b.String())
}
