package engine

import "strings"

// A KnownClass is a class of failures that are passed over, or a variant of one.
type KnownClass struct {
	Name  string // or the name of an entry of the corpus that fails
	Words string `json:",omitempty"` // see [Failure]
	Place bool   `json:",omitempty"` // all failures in the place that is its name are of it
	Data  []byte `json:",omitempty"` // what fuzzext knows about it
	Times int64  `json:"-"`          // how often it has been met
}

// Has reports whether a failure is of the class, given the name of its class and its [Failure.Words].
func (c *KnownClass) Has(class, words string) bool {
	place, _ := cutPlace(class)
	return c.Name == class || words != "" && c.Words == words || c.Place && c.Name == place
}

// Texts returns those of the arguments of a target that are texts: messages may quote them.
func Texts(args []any) (texts []string) {
	for _, a := range args {
		switch a := a.(type) {
		case string:
			texts = append(texts, a)
		case []byte:
			texts = append(texts, string(a))
		}
	}
	return texts
}

// MaxMessages is how many messages in one place are told apart. If there are more, the messages
// seem to vary more than the failures.
const MaxMessages = 8

// PassOver reports whether a failure is known, given what the test has printed and the arguments of
// the target, and counts it. It is known if its class is, or if a known one has said the same to the
// word, or if [MaxMessages] classes of its place are known. Then it counts as one of these.
func PassOver(known map[string]*KnownClass, log string, args []any) bool {
	class, words := ClassOf(log, Texts(args)...), ClassOf(log)
	for _, c := range known {
		if c.Has(class, words) {
			c.Times++
			return true
		}
	}
	place, _ := cutPlace(class)
	if place == "" {
		return false
	}
	classes := 0
	var first *KnownClass
	for name, c := range known {
		if name == place || strings.HasPrefix(name, place+":") {
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
