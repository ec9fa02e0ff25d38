package order

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/literal"
)

// export returns a file in another format that keeps a value, for which data stands.
func (w *worker) export(format string, v any, data []byte) (file []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the value's own method panics: %v", r)
		}
	}()
	switch format {
	case "corpus":
		return data, nil
	case "raw":
		switch r := reflect.ValueOf(v); {
		case !isText(w.Type):
			return nil, fmt.Errorf("it is a %v, not text or bytes", w.Type)
		case r.Kind() == reflect.String:
			return []byte(r.String()), nil
		default:
			return r.Bytes(), nil
		}
	case "json":
		again := reflect.New(w.Type)
		file, err = json.Marshal(v)
		if err == nil {
			err = withoutInterfaces(json.Unmarshal(file, again.Interface()))
		}
		if err == nil && !literal.Same(v, again.Elem().Interface()) &&
			!w.makes(v, again.Elem().Interface()) {
			err = errors.New("encoding/json does not keep the value: what it reads back differs")
		}
		return file, err
	}
	return nil, fmt.Errorf("this version of fuzzext cannot write the format %q", format)
}

// makes reports whether the generator makes a value of what has been read. The arguments of a
// [github.com/espalier-go/espalier/bigen/callseq.Call] get their types from it.
func (w *worker) makes(v, read any) bool {
	t, err := bigen.Choices(w.Gen, read)
	return err == nil && w.keeps(v, t, "") == nil
}
