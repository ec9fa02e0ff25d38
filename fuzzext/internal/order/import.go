package order

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/literal"
)

// A foreignValue is a value in a file of another format.
type foreignValue struct {
	name string
	read func() (any, error)
}

// valuesIn returns the values in a file.
func (w *worker) valuesIn(format, path string) []foreignValue {
	file, err := corpus.ReadFile(path)
	switch {
	case err != nil:
		return []foreignValue{{path, func() (v any, _ error) { return v, err }}}
	case format == "json":
		return jsonValues(w.Type, path, file)
	}
	return []foreignValue{{path, func() (any, error) { return w.foreignValue(format, file) }}}
}

// foreignValue returns the value that is all of a file.
func (w *worker) foreignValue(format string, file []byte) (v any, err error) {
	switch format {
	case "raw":
		if v = textOf(w.Type, file); v == nil {
			err = fmt.Errorf("the target takes a %v, not text or bytes", w.Type)
		}
		return v, err
	case "gofuzz":
		if v = textOf(w.Type, file); v != nil {
			return v, nil
		}
		v, _, _, _, err = w.value(values.Bound(w.Decode(file), 1<<20))
		return v, err
	}
	decode := values.LookupDecoder(format, w.Name)
	switch {
	case decode == nil && format == "headers":
		return v, errors.New(
			`the test binary lacks the decoder: ` +
				`add import _ "github.com/espalier-go/espalier/fuzzext/headers" ` +
				`to a test file of the package`)
	case decode == nil:
		return v, fmt.Errorf("this version of fuzzext cannot read the format %q", format)
	}
	if entry, err := corpus.Unmarshal(file); err == nil { // a file of Go's own fuzzer
		file = entry
	}
	p := reflect.New(w.Type)
	err = decode(file, p.Interface())
	return p.Elem().Interface(), err
}

// textOf returns the value of a string type, or a slice of bytes, that is all of a file; nil if
// the type is none.
func textOf(typ reflect.Type, file []byte) any {
	v := reflect.New(typ).Elem()
	switch {
	case !isText(typ):
		return nil
	case typ.Kind() == reflect.String:
		v.SetString(string(file))
	default:
		v.SetBytes(file)
	}
	return v.Interface()
}

func isText(typ reflect.Type) bool {
	return typ.Kind() == reflect.String ||
		typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Uint8
}

// entryOf returns a value of another format, its choices and the bytes that stand for it.
func (w *worker) entryOf(
	read func() (any, error), format string,
) (v any, t choices.Tree, data []byte, err error) {
	defer recovered(&err)
	if v, err = read(); err != nil {
		return nil, nil, nil, err
	}
	if t, err = bigen.Choices(w.Gen, v); err == nil {
		err = w.keeps(v, t, format)
	}
	if err != nil {
		return v, t, nil, err
	}
	return v, t, choices.Encode(t), nil
}

// keeps returns an error if choices make another value than the one that the generator
// has made them, run backward. What JSON tells of both is enough if it is all that was read: an
// argument of a [github.com/espalier-go/espalier/bigen/callseq.Call] then had no type.
func (w *worker) keeps(v any, t choices.Tree, format string) error {
	if again, err := bigen.Value(w.Gen, choices.Replay(t, nil)); err != nil ||
		!literal.Same(again, v) && !(format == "json" && sameJSON(again, v)) {
		return errors.New("the generator, run backward, loses a part of the value: check it " +
			"with bigentest.Laws")
	}
	return nil
}
