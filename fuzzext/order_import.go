package fuzzext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"reflect"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/literal"
)

// importValues makes corpus entries of what is in files of other formats.
func (w *ordered[V]) importValues(o *job.Import) (end job.End) {
	for _, path := range o.Files {
		for name, v := range w.valuesIn(o.Format, path) {
			e := job.Entry{Number: end.Next, Of: name}
			end.Next++
			if e.Number >= o.From {
				end.Tried++
				w.out.Begin(e, end) // the generator may end the process
				w.put(e, v)
			}
		}
	}
	return end
}

// A foreign is a value from a file of another format, or why there is none.
type foreign[V any] struct {
	value V
	err   error
}

// valuesIn yields the values in a file, each with a name.
func (w *ordered[V]) valuesIn(format, path string) iter.Seq2[string, foreign[V]] {
	return func(yield func(string, foreign[V]) bool) {
		file, err := os.ReadFile(path)
		if err != nil {
			yield(path, foreign[V]{err: err})
			return
		}
		switch format {
		case "json":
			d := json.NewDecoder(bytes.NewReader(file))
			for n := 1; ; n++ {
				var f foreign[V]
				f.err = d.Decode(&f.value)
				name := path
				if n > 1 || d.More() {
					name = fmt.Sprintf("%s:%d", path, n)
				}
				if errors.Is(f.err, io.EOF) && n > 1 {
					return
				}
				if !yield(name, f) || f.err != nil {
					return
				}
			}
		case "raw":
			var f foreign[V]
			f.err = setBytes(&f.value, file)
			yield(path, f)
		case "argument":
			var f foreign[V]
			f.value, _, _, _, f.err = w.value(bound(w.decode(file), 1<<20))
			yield(path, f)
		default:
			yield(path, foreign[V]{err: fmt.Errorf("this version of fuzzext cannot read the format %q", format)})
		}
	}
}

// setBytes sets a value of a string type, or a slice of bytes.
func setBytes[V any](v *V, b []byte) error {
	switch r := reflect.ValueOf(v).Elem(); {
	case r.Kind() == reflect.String:
		r.SetString(string(b))
	case r.Kind() == reflect.Slice && r.Type().Elem().Kind() == reflect.Uint8:
		r.SetBytes(b)
	default:
		return fmt.Errorf("the target takes a %v, not text or bytes", r.Type())
	}
	return nil
}

// put makes an entry of a value, or says why there is none.
func (w *ordered[V]) put(e job.Entry, f foreign[V]) {
	defer func() {
		if r := recover(); r != nil {
			e.Status, e.Why = job.Rejected, fmt.Sprintf("the generator panics: %v", r)
		}
		w.out.Put(e)
	}()
	t, err := choices.Tree(nil), f.err
	if err == nil {
		e.Value, _ = literal.Within(maxValue, f.value, w.target.pkg)
		t, err = bigen.Choices(w.gen, f.value)
	}
	if err != nil {
		e.Status, e.Why = job.Rejected, err.Error()
		return
	}
	e.Status, e.Data = job.Valid, choices.Encode(t)
	if again, _, err := w.remake(t); err != nil || literal.Of(again, "") != literal.Of(f.value, "") {
		e.Status, e.Why = job.Rejected, "the generator, run backward, loses a part of the value: check it with bigentest.Laws"
	}
}
