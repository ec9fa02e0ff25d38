package tune

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// An Objective is a property that values should have (a bias objective of GödelTest, section
// V-A): a measure, and the target of its mean.
type Objective struct {
	Name    string
	Target  float64
	Tags    []string                            // none if it counts all but first alternatives, or no tags
	measure func(t choices.Tree, v any) float64 // nil of Cover, Variety and Valid
	covers  func(t choices.Tree, v any) []int   // what a value covers; only of Cover and Variety
}

// Size counts the picks that have taken one of the tags. Without tags, it counts the picks that
// have taken an alternative other than the first of several, or the only one.
func Size(target float64, tags ...string) Objective {
	return Objective{Name: nameOf("size", tags), Target: target, Tags: slices.Clone(tags),
		measure: func(t choices.Tree, _ any) float64 {
			n := 0
			for i := range t {
				if counts(&t[i], tags) {
					n++
				}
			}
			return float64(n)
		}}
}

// Height counts how deep such picks nest.
func Height(target float64, tags ...string) Objective {
	return Objective{Name: nameOf("height", tags), Target: target, Tags: slices.Clone(tags),
		measure: func(t choices.Tree, _ any) float64 {
			heights := []int{0} // of the whole, and of the enclosing choices
			deepest := 0
			for i, around := range t.Walk() {
				heights = heights[:len(around)+1]
				h := heights[len(around)]
				if counts(&t[i], tags) {
					h++
				}
				heights = append(heights, h)
				deepest = max(deepest, h)
			}
			return float64(deepest)
		}}
}

// Measure is an objective on values of type A.
func Measure[A any](name string, target float64, f func(v A) float64) Objective {
	return Objective{Name: name, Target: target,
		measure: func(_ choices.Tree, v any) float64 { return f(v.(A)) }}
}

// Valid is the objective that the property assumes values; see [OfValid]. Its measure is 1 for
// those, and 0 for others. In a [Front], it competes with other objectives. Other searches follow
// only values that the property assumes, so they need it only if there is no other objective.
func Valid() Objective { return Objective{Name: "valid", Target: 1} }

func counts(c *choices.Choice, tags []string) bool {
	switch {
	case c.Kind != choices.Pick:
		return false
	case len(tags) == 0:
		return c.N > 0 || c.Hi == 0
	}
	return slices.Contains(tags, c.Tag)
}

func nameOf(name string, tags []string) string {
	if len(tags) == 0 {
		return name
	}
	return fmt.Sprintf("%s(%s)", name, strings.Join(tags, ","))
}

// String returns the objective as in "size(node)=100".
func (o Objective) String() string {
	if o.measure == nil {
		return o.Name
	}
	return fmt.Sprintf("%s=%v", o.Name, o.Target)
}

// distance returns how far a measure is from the target, as a share of it. What is to be covered
// has no target.
func (o Objective) distance(x float64) float64 {
	if o.covers != nil {
		return 0
	}
	return math.Abs(x-o.Target) / max(1, math.Abs(o.Target))
}
