package bigenpb

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/espalier-go/espalier/internal/literal"
)

func init() {
	literal.EqualMessages = equal
	literal.MessageText = text
}

// equal compares messages by the bytes that they are marshaled to. So NaN equals itself, and -0
// differs from 0.
func equal(a, b any) (same, known bool) {
	x, ok1 := a.(proto.Message)
	y, ok2 := b.(proto.Message)
	if !ok1 || !ok2 {
		return false, false
	}
	if p, q := x.ProtoReflect(), y.ProtoReflect(); p.Descriptor() != q.Descriptor() ||
		p.IsValid() != q.IsValid() {
		return false, true
	}
	options := proto.MarshalOptions{Deterministic: true, AllowPartial: true}
	s, err1 := options.Marshal(x)
	t, err2 := options.Marshal(y)
	if err1 != nil || err2 != nil {
		return proto.Equal(x, y), true
	}
	return bytes.Equal(s, t), true
}

// MustParse returns the message that has the given text. Reports use it to print messages whose
// fields Go code cannot reach, such as messages of the opaque API. It panics if there is no such
// message.
func MustParse[M proto.Message](text string) M {
	var zero M
	m := zero.ProtoReflect().New().Interface().(M)
	if err := (prototext.UnmarshalOptions{AllowPartial: true}).Unmarshal([]byte(text), m); err != nil {
		panic("bigenpb.MustParse: " + err.Error())
	}
	return m
}

func text(v any, typeName string) (s string, partial, ok bool) {
	m, ok := v.(proto.Message)
	if !ok || open(reflect.TypeOf(m)) {
		return "", false, false
	}
	s = oneLine(prototext.MarshalOptions{
		Multiline:    true,
		AllowPartial: true,
		EmitUnknown:  true,
	}.Format(m))
	if _, ok := m.(*dynamicpb.Message); ok {
		return fmt.Sprintf("a %s: %s", m.ProtoReflect().Descriptor().FullName(), s), true, true
	}
	return fmt.Sprintf("MustParse[%s](%s)", typeName, strconv.Quote(s)), false, true
}

// open reports whether the fields of messages of a type are fields of a struct.
func open(t reflect.Type) bool {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return false
	}
	t = t.Elem()
	for i := range t.NumField() {
		if strings.HasPrefix(t.Field(i).Name, "xxx_hidden_") {
			return false
		}
	}
	return t != reflect.TypeFor[dynamicpb.Message]()
}

// oneLine returns a text of protobuf with single spaces. Package prototext varies the spaces, so
// that nobody relies on them.
func oneLine(s string) string {
	var b strings.Builder
	quoted, space := false, false
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case !quoted && (ch == ' ' || ch == '\n'):
			space = true
			continue
		case ch == '"':
			quoted = !quoted
		case quoted && ch == '\\':
			b.WriteByte(ch)
			i++
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteByte(s[i])
	}
	return b.String()
}
