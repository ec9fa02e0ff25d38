// Package message is where bigen/bigenpb leaves what other packages need to know of protobuf
// messages. So they do not depend on protobuf. Set it in an init function only.
package message

import "reflect"

// Is reports whether a *t is a message.
func Is(t reflect.Type) bool {
	_, ok := reflect.PointerTo(t).MethodByName("ProtoReflect")
	return ok
}

// Equal reports whether a and b are messages, and then, whether they are equal. Their memory does
// not tell: messages keep caches.
var Equal = func(a, b any) (equal, known bool) { return false, false }

// Text returns v, a message whose fields Go code cannot reach, as a call of a function of bigenpb.
// The name is that of its type. If no Go code makes the message, the text is a comment. Text
// reports false if v is something else.
var Text = func(v any, typeName string) (text string, comment, ok bool) { return "", false, false }
