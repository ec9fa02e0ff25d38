package api

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"reflect"
	"testing/slogtest"

	"golang.org/x/exp/slices"
)

// handlers are values by which package slog writes records, with the buffers that they write to:
// what functions return that are given a buffer, and else nothing but nil and zero values.
type handlers struct {
	anyCall
	pairs [][2]int32
}

func (h *handlers) begin() { h.pairs = h.pairs[:0] }

// made notes handlers that the call has made.
func (h *handlers) made(m *machine, first int) {
	if m.receiver >= 0 {
		return
	}
	for _, x := range m.cells[first:] {
		if _, ok := x.value().(slog.Handler); !ok || x.isNil() {
			continue
		}
		buffer := int32(-1)
		if slices.ContainsFunc(m.given, func(g given) bool {
			if _, ok := g.value.value().(*bytes.Buffer); ok && buffer < 0 {
				buffer = g.value.number()
				return false
			}
			v := reflect.ValueOf(g.value.value())
			for v.Kind() == reflect.Pointer {
				v = v.Elem()
			}
			return v.IsValid() && !v.IsZero()
		}) || buffer < 0 {
			continue
		}
		h.pairs = append(h.pairs, [2]int32{x.number(), buffer})
	}
}

const handlerContract = "slogtest.TestHandler"

// violated returns a violation if a handler that writes JSON fails [slogtest.TestHandler].
func (h *handlers) violated(m *machine, d due) *violation {
	if !d.last || m.only != "" && m.only != handlerContract {
		return nil
	}
	for _, p := range h.pairs {
		if !d.value(p[0]) {
			continue
		}
		handler, to := m.cells[p[0]].value().(slog.Handler), m.cells[p[1]].value().(*bytes.Buffer)
		foreign := false
		wrong := guarded(func() string {
			to.Reset()
			return textOfError(slogtest.TestHandler(handler, func() (all []map[string]any) {
				for line := range bytes.Lines(to.Bytes()) {
					var record map[string]any
					foreign = foreign || json.Unmarshal(line, &record) != nil
					all = append(all, record)
				}
				return all
			}))
		})
		if foreign || to.Len() == 0 || wrong == "" {
			continue
		}
		return &violation{contract: handlerContract, wrong: wrong, slots: []int32{p[0], p[1]}, code: `%[2]s.Reset()
if err := slogtest.TestHandler(%[1]s, func() (all []map[string]any) {
	for line := range bytes.Lines(%[2]s.Bytes()) {
		var record map[string]any
		if err := json.Unmarshal(line, &record); err != nil {
			t.Fatal(err)
		}
		all = append(all, record)
	}
	return all
}); err != nil {
	t.Error(err)
}`}
	}
	return nil
}
