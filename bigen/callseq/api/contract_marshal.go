package api

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
)

type (
	jsonCoder interface {
		json.Marshaler
		json.Unmarshaler
	}
	textCoder interface {
		encoding.TextMarshaler
		encoding.TextUnmarshaler
	}
	binaryCoder interface {
		encoding.BinaryMarshaler
		encoding.BinaryUnmarshaler
	}
)

// marshalContracts say that what a value is marshaled into can be unmarshaled, into itself and,
// if that does not panic, into a zero value, and is marshaled into the same again.
func marshalContracts[T any]() []contract[T] {
	return atEnd(
		of[jsonCoder, T]("MarshalJSON", func(x jsonCoder) string {
			return roundTrip(x, jsonCoder.MarshalJSON, jsonCoder.UnmarshalJSON, sameJSON)
		}, roundTripCode("JSON")),
		of[textCoder, T]("MarshalText", func(x textCoder) string {
			return roundTrip(x, textCoder.MarshalText, textCoder.UnmarshalText, bytes.Equal)
		}, roundTripCode("Text")),
		of[binaryCoder, T]("MarshalBinary", func(x binaryCoder) string {
			return roundTrip(x, binaryCoder.MarshalBinary, binaryCoder.UnmarshalBinary, bytes.Equal)
		}, roundTripCode("Binary")),
	)
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return bytes.Equal(a, b) || json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func roundTrip[I any](x I, marshal func(I) ([]byte, error), unmarshal func(I, []byte) error, same func(a, b []byte) bool) string {
	b, err := marshal(x)
	if err != nil {
		return ""
	}
	b = bytes.Clone(b)
	again, err := marshal(x)
	if err != nil || !same(b, again) {
		return "" // in no particular order
	}
	check := func(y I) string {
		if err := unmarshal(y, bytes.Clone(b)); err != nil {
			return fmt.Sprintf("the value becomes %q, which it does not unmarshal: %v", gocode.Shorten(string(b)), err)
		}
		if again, err := marshal(y); err != nil || !same(b, again) {
			return fmt.Sprintf("the value becomes %q, then %q", gocode.Shorten(string(b)), gocode.Shorten(string(again)))
		}
		return ""
	}
	if t := reflect.TypeOf(x); t.Kind() == reflect.Pointer {
		if zero, ok := reflect.New(t.Elem()).Interface().(I); ok {
			if wrong, panics := orPanic(func() string { return check(zero) }); wrong != "" && !panics {
				return wrong + " (a zero value that unmarshals it)"
			}
		}
		return check(x)
	}
	return ""
}

func orPanic(f func() string) (wrong string, panics bool) {
	defer func() {
		if recover() != nil {
			panics = true
		}
	}()
	return f(), false
}

func roundTripCode(format string) string {
	return `if b, err := %[1]s.Marshal` + format + `(); err == nil {
	if err := %[1]s.Unmarshal` + format + `(b); err != nil {
		t.Fatal(err)
	}
	if again, err := %[1]s.Marshal` + format + `(); err != nil || string(again) != string(b) {
		t.Errorf("%%s becomes %%s, %%v", b, again, err)
	}
}`
}
