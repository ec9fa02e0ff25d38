package engine

import "strings"

// A KnownClass is a class of failures that are passed over, or a variant of one.
type KnownClass struct {
	Name  string // or the name of an entry of the corpus that fails
	Data  []byte `json:",omitempty"` // what fuzzext knows about it
	Times int64  `json:"-"`          // how often it has been met
}

// MaxMessages is how many messages in one place are told apart. If there are more, the messages
// seem to vary more than the failures.
const MaxMessages = 8

// PassOver reports whether a failure of a class is known, and counts it. It is known if its
// class is, or if [MaxMessages] classes of its place are. Then it counts as one of these.
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
