package main

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCount(t *testing.T) {
	classes, values := count([]byte(`--- FAIL: TestModule (1.08s)
    2 classes of failures; 16 values failed

    1. modules.go:80: "a" comes back as "failing value:"
        minimal failing value:
            data{Text: "a"}
        it passes with:
            Text: ""
        modules.go:80: "b" comes back
        another minimal failing value:
            data{Text: "b"}
        16 values failed so

    2. modules.go:90: lost
        failing value, minimized as far as 2000 runs allowed:
            data{}
`))
	require.Equal(t, 2, classes)
	require.Equal(t, 3, values)
}

func TestData(t *testing.T) {
	for want, d := range map[string]data{
		`null`:      {Kind: "null", Num: 3},
		`true`:      {Kind: "bool", Bool: true},
		`[1.5,"a"]`: {Kind: "list", List: []data{{Kind: "number", Num: 1.5}, {Kind: "text", Text: "a"}}},
		`{"a":[]}`:  {Kind: "object", Names: []string{"a"}, List: []data{{Kind: "list"}, {Kind: "null"}}},
	} {
		var v any
		require.NoError(t, json.Unmarshal([]byte(want), &v))
		require.True(t, reflect.DeepEqual(v, d.value()), want)
	}
}
