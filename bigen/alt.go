package bigen

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// NewAlt returns an alternative that a [Machine] offers. The weight is at least 0: random sources
// take alternatives in proportion to it.
func NewAlt(tag string, weight float64) choices.Alt {
	return choices.Alt{Tag: tag, Weight: weight, Code: hash.TagCode(tag)}
}

// elementAlts returns the alternatives of a pick that asks whether a sequence has another element:
// stop, of weight 1, and more. A user may have alternatives with the same tags: their field Element
// tells them apart.
func elementAlts(more float64) [2]choices.Alt {
	alts := [2]choices.Alt{NewAlt("stop", 1), NewAlt("more", more)}
	alts[0].Element, alts[1].Element = true, true
	return alts
}
