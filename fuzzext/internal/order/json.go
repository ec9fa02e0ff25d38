package order

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// jsonValues returns the JSON values in a file, each with its line. What follows malformed JSON
// cannot be read. The last value then is an error, with the line of the mistake, or none if the
// file is blank.
func jsonValues(typ reflect.Type, path string, file []byte) (values []foreignValue) {
	d := json.NewDecoder(bytes.NewReader(file))
	line, at := 1, 0
	add := func(offset int, read func() (any, error)) { // offsets must not decrease
		line, at = line+bytes.Count(file[at:offset], []byte("\n")), offset
		values = append(values, foreignValue{fmt.Sprintf("%s:%d", path, line), read})
	}
	for {
		var raw json.RawMessage
		err := d.Decode(&raw)
		end := int(d.InputOffset())
		var syntax *json.SyntaxError
		malformed := errors.As(err, &syntax)
		failed := func() (v any, _ error) { return v, err }
		switch {
		case err == nil:
			add(end-len(raw), func() (any, error) { return unmarshalStrictly(typ, raw) })
			continue
		case errors.Is(err, io.EOF) && len(values) == 0:
			err = errors.New("the file is blank: it holds no JSON value")
			return []foreignValue{{path, failed}}
		case errors.Is(err, io.EOF):
		case malformed:
			add(min(max(at, int(syntax.Offset)-1), len(file)), failed)
		default:
			add(len(file)-len(bytes.TrimLeft(file[end:], " \t\r\n")), failed)
		}
		return values
	}
}

// unmarshalStrictly reads a JSON value. What the type has no place for is an error: it would
// be lost.
func unmarshalStrictly(typ reflect.Type, raw []byte) (v any, err error) {
	p := reflect.New(typ)
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err = d.Decode(p.Interface())
	v = p.Elem().Interface()
	kind := typ.Kind()
	if misfit := (*json.UnmarshalTypeError)(nil); errors.As(err, &misfit) && misfit.Value == "array" &&
		misfit.Field == "" && kind != reflect.Slice && kind != reflect.Array {
		return v, fmt.Errorf("a JSON array is not a value of type %v: write values one after "+
			"the other, without brackets and commas around them", typ)
	}
	return v, withoutInterfaces(err)
}

// withoutInterfaces explains an error of encoding/json if values must be read into an
// interface. Any other error stays as it is.
func withoutInterfaces(err error) error {
	var misfit *json.UnmarshalTypeError
	ok := errors.As(err, &misfit)
	if !ok || misfit.Type == nil || misfit.Type.Kind() != reflect.Interface {
		return err
	}
	return fmt.Errorf("%v is an interface, whose values encoding/json cannot read: keep the "+
		"value in another format, or as Go code by fuzzext.Add", misfit.Type)
}

// sameJSON reports whether encoding/json writes values alike.
func sameJSON(a, b any) bool {
	var read [2]any
	for i, v := range []any{a, b} {
		text, err := json.Marshal(v)
		if err != nil {
			return false
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber() // integers may need more than 53 bits
		if d.Decode(&read[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(read[0], read[1])
}
