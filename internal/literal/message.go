package literal

import "reflect"

// Package bigenpb leaves here what this package and bigen need to know of protobuf messages. So
// neither depends on protobuf. Its init function sets EqualMessages and MessageText.

// IsMessage reports whether a *t is a message.
func IsMessage(t reflect.Type) bool {
	_, ok := reflect.PointerTo(t).MethodByName("ProtoReflect")
	return ok
}

// EqualMessages reports whether a and b are messages, and then, whether they are equal. Their
// memory does not tell, since messages keep caches.
var EqualMessages = func(a, b any) (equal, known bool) { return false, false }

// MessageText returns v, a message whose fields Go code cannot reach, as a call of a function of
// bigenpb, with the name of its type. If no Go code makes the message, the text is a comment.
// MessageText reports false if v is something else.
var MessageText = func(v any, typeName string) (text string, comment, ok bool) {
	return "", false, false
}
