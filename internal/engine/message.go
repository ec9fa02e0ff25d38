package engine

import (
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
)

// A MessageWriter and a MessageReader carry the messages between the coordinator and its workers.
// The native engine writes them in JSON. They have the coverage of an input, and package
// encoding/json may be instrumented, because the code under test uses it: then, writing and reading
// takes longer than most inputs do.
//
// A message is a value of a type that has booleans, integers, texts, slices of bytes, and structs
// and pointers of these. Both processes run the same binary, so nothing describes the type.
type MessageWriter struct {
	w io.Writer
	b []byte
}

// NewMessageWriter returns a MessageWriter that writes to w.
func NewMessageWriter(w io.Writer) *MessageWriter { return &MessageWriter{w: w} }

// Encode writes a message, by one call of Write. It panics if the type is not one of a message.
func (m *MessageWriter) Encode(v any) error {
	m.b = appendMessage(append(m.b[:0], 0, 0, 0, 0, 0, 0, 0, 0), reflect.ValueOf(v))
	binary.LittleEndian.PutUint64(m.b, uint64(len(m.b)-messageHead))
	_, err := m.w.Write(m.b)
	return err
}

// messageHead is the length of the length of a message.
const messageHead = 8

func appendMessage(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(b, v.Uint())
	case reflect.String:
		return append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case reflect.Slice: // 0 is nil, and n+1 a slice of n bytes
		if v.IsNil() {
			return append(b, 0)
		}
		return append(binary.AppendUvarint(b, uint64(v.Len())+1), v.Bytes()...)
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendMessage(append(b, 1), v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendMessage(b, v.Field(i))
		}
		return b
	}
	panic(fmt.Sprintf("a message has no values of type %v", v.Type()))
}

// A MessageReader reads what a MessageWriter has written.
type MessageReader struct {
	r    io.Reader
	head [messageHead]byte
}

// NewMessageReader returns a MessageReader that reads from r, and no further than a message.
func NewMessageReader(r io.Reader) *MessageReader { return &MessageReader{r: r} }

// Decode reads a message of the type that the pointer v has. Its error is io.EOF if there is none.
func (m *MessageReader) Decode(v any) error {
	if _, err := io.ReadFull(m.r, m.head[:]); err != nil {
		return err
	}
	b := make([]byte, binary.LittleEndian.Uint64(m.head[:]))
	if _, err := io.ReadFull(m.r, b); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	readMessage(b, reflect.ValueOf(v).Elem())
	return nil
}

// readMessage reads a value, and returns the bytes after it. Slices share the bytes.
func readMessage(b []byte, v reflect.Value) []byte {
	length := func() uint64 {
		n, size := binary.Uvarint(b)
		b = b[size:]
		return n
	}
	take := func(n uint64) (part []byte) {
		part, b = b[:n:n], b[n:]
		return part
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(take(1)[0] != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, size := binary.Varint(b)
		v.SetInt(n)
		b = b[size:]
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(length())
	case reflect.String:
		v.SetString(string(take(length())))
	case reflect.Slice:
		v.SetZero()
		if n := length(); n > 0 {
			v.SetBytes(take(n - 1))
		}
	case reflect.Pointer:
		v.SetZero()
		if take(1)[0] != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			b = readMessage(b, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			b = readMessage(b, v.Field(i))
		}
	}
	return b
}
