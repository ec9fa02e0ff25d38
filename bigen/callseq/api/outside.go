package api

import (
	"reflect"
	"regexp"

	"golang.org/x/exp/slices"
)

// outside matches a path that may lead out of the working directory, on any system.
var outside = regexp.MustCompile(`^([/\\\\~]|[A-Za-z]:)|(^|[/\\\\])\.\.([/\\\\]|$)`)

// leads reports whether a string that the sequence has given to a call so far may lead out of the working directory.
func (m *machine) leads() bool {
	return slices.ContainsFunc(m.given, func(g given) bool { return leadsOut(reflect.ValueOf(g.value.value()), maxDepth) })
}

// leadsOut reports whether a string in a value may lead out of the working directory.
func leadsOut(v reflect.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v.Kind() {
	case reflect.String:
		return outside.MatchString(v.String())
	case reflect.Pointer, reflect.Interface:
		return leadsOut(v.Elem(), depth-1)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if leadsOut(v.Index(i), depth-1) {
				return true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if leadsOut(it.Key(), depth-1) || leadsOut(it.Value(), depth-1) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if leadsOut(v.Field(i), depth-1) {
				return true
			}
		}
	}
	return false
}
