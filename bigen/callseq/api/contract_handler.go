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
type handlers [][2]int32

// noteHandlers notes those that the call that has ended has made: its results from some number on.
func (m *machine) noteHandlers(first int) {
	for _, x := range m.cells[first:] {
		if !x.of().handles || m.receiver >= 0 {
			continue
		}
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
		m.handlers = append(m.handlers, [2]int32{x.number(), buffer})
	}
}

const handlerContract = "slogtest.TestHandler"

// mishandled returns a violation if a handler that writes JSON fails [slogtest.TestHandler].
func (m *machine) mishandled(d due) *violation {
	if !d.last || m.only != "" && m.only != handlerContract {
		return nil
	}
	for _, h := range m.handlers {
		if !d.value(h[0]) {
			continue
		}
		handler, to := m.cells[h[0]].value().(slog.Handler), m.cells[h[1]].value().(*bytes.Buffer)
		foreign := false
		wrong := guarded(func() string {
			to.Reset()
			return valued(slogtest.TestHandler(handler, func() (all []map[string]any) {
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
		return &violation{contract: handlerContract, wrong: wrong, slots: []int32{h[0], h[1]}, code: `%[2]s.Reset()
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
