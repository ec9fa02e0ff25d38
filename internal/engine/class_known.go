package engine

import "strings"

// A KnownClass is a class of failures that are passed over.
type KnownClass struct {
	Name  string // or the name of an entry of the corpus that fails
	Data  []byte `json:",omitempty"` // what fuzzext knows of it
	Times int64  `json:"-"`          // it has been met
}

// MaxMessages is how many messages in one place are told apart. With more, what a test says there
// seems to have more variety than its failures.
const MaxMessages = 8

// PassOver reports whether a failure of a class is known, and counts it: if its class is, or if
// [MaxMessages] of its place are. Then it counts as one of these.
func PassOver(known map[string]*KnownClass, class string) bool {
	if c := known[class]; c != nil {
		c.Times++
		return true
	}
	place, _ := cutPlace(class)
	if place == "" {
		return false
	}
	classes := 0
	var first *KnownClass
	for name, c := range known {
		if strings.HasPrefix(name, place+":") {
			classes++
			if first == nil || name < first.Name {
				first = c
			}
		}
	}
	if classes < MaxMessages {
		return false
	}
	first.Times++
	return true
}
