package engine

import "strings"

// MaxPlaceClasses is how many classes of failures in one place are told apart. What a test says
// there seems to have more variety than its failures.
const MaxPlaceClasses = 20

// PassOver reports whether a failure of a class is known, and counts it: if its class is, or if
// [MaxPlaceClasses] of its place are. Then it counts as one of these.
func PassOver(known map[string]int64, class string) bool {
	if _, ok := known[class]; ok {
		known[class]++
		return true
	}
	place, _ := cutPlace(class)
	if place == "" {
		return false // the property has named the class
	}
	classes, first := 0, ""
	for c := range known {
		if strings.HasPrefix(c, place+":") {
			classes++
			if first == "" || c < first {
				first = c
			}
		}
	}
	if classes < MaxPlaceClasses {
		return false
	}
	known[first]++
	return true
}
