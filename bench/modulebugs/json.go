package modulebugs

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/buger/jsonparser"
	jsonpatch "github.com/evanphx/json-patch"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/mutants"
	"github.com/espalier-go/espalier/bigen"
)

// A jsonValue is a JSON value, with the order of members and the space between its parts.
type jsonValue struct {
	Kind   string
	Number int
	Text   string
	Keys   []string // of an object
	Parts  []*jsonValue
	Space  string
}

const (
	jsonDepth = 3
	jsonParts = 4
)

var (
	jsonScalars = []string{"null", "true", "number", "text"}
	jsonKinds   = []string{"null", "true", "number", "text", "list", "object"}
	jsonKeys    = []string{"a", "b", "ab", "a/b", "m~n", ""}
	jsonSpaces  = []string{"", " ", "\n", "\t\t"}

	genObject   = genJSON(jsonDepth, "object")
	rapidObject = rapidJSON(jsonDepth, "object")
)

// kindsAt returns the kinds of values in a value that has such a depth.
func kindsAt(depth int) []string {
	if depth > 1 {
		return jsonKinds
	}
	return jsonScalars
}

func genJSON(depth int, kinds ...string) bigen.Gen[*jsonValue] {
	var part bigen.Gen[*jsonValue]
	if depth > 0 {
		part = genJSON(depth-1, kindsAt(depth)...)
	}
	keys := bigen.Distinct(bigen.OneOf(jsonKeys...), 0, jsonParts)
	return bigen.New(func(c *bigen.C, v *jsonValue) {
		bigen.At(c, &v.Kind, bigen.OneOf(kinds...))
		switch v.Kind {
		case "number":
			bigen.At(c, &v.Number, bigen.IntRange(0, 9))
		case "text":
			bigen.At(c, &v.Text, bigen.String(3))
		case "list":
			bigen.At(c, &v.Parts, bigen.SliceOf(part, 0, jsonParts))
			bigen.At(c, &v.Space, bigen.OneOf(jsonSpaces...))
		case "object":
			bigen.At(c, &v.Keys, keys)
			bigen.At(c, &v.Parts, bigen.SliceOf(part, len(v.Keys), len(v.Keys)))
			bigen.At(c, &v.Space, bigen.OneOf(jsonSpaces...))
		}
	})
}

func rapidJSON(depth int, kinds ...string) *rapid.Generator[*jsonValue] {
	var part *rapid.Generator[*jsonValue]
	if depth > 0 {
		part = rapidJSON(depth-1, kindsAt(depth)...)
	}
	keys := rapid.SliceOfNDistinct(rapid.SampledFrom(jsonKeys), 0, jsonParts, rapid.ID[string])
	return rapid.Custom(func(t *rapid.T) *jsonValue {
		v := &jsonValue{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		switch v.Kind {
		case "number":
			v.Number = rapid.IntRange(0, 9).Draw(t, "number")
		case "text":
			v.Text = rapid.StringN(0, 3, -1).Draw(t, "text")
		case "list":
			v.Parts = rapid.SliceOfN(part, 0, jsonParts).Draw(t, "parts")
			v.Space = rapid.SampledFrom(jsonSpaces).Draw(t, "space")
		case "object":
			v.Keys = keys.Draw(t, "keys")
			v.Parts = rapid.SliceOfN(part, len(v.Keys), len(v.Keys)).Draw(t, "parts")
			v.Space = rapid.SampledFrom(jsonSpaces).Draw(t, "space")
		}
		return v
	})
}

// text returns v as JSON.
func (v *jsonValue) text() []byte {
	var b bytes.Buffer
	v.write(&b)
	return b.Bytes()
}

func (v *jsonValue) write(b *bytes.Buffer) {
	scalar := map[string]any{"null": nil, "true": true, "number": v.Number, "text": v.Text}
	if x, ok := scalar[v.Kind]; ok {
		b.Write(encoded(x))
		return
	}
	brackets := "[]"
	if v.Kind == "object" {
		brackets = "{}"
	}
	b.WriteString(brackets[:1] + v.Space)
	for i, p := range v.Parts {
		if i > 0 {
			b.WriteString(v.Space + "," + v.Space)
		}
		if v.Kind == "object" {
			b.Write(encoded(v.Keys[i]))
			b.WriteString(":" + v.Space)
		}
		p.write(b)
	}
	b.WriteString(v.Space + brackets[1:])
}

func encoded(x any) []byte {
	b, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	return b
}

func decoded(b []byte) (x any, ok bool) { return x, json.Unmarshal(b, &x) == nil }

// without returns an object without its i-th member.
func (v *jsonValue) without(i int) *jsonValue {
	w := *v
	w.Keys = slices.Delete(slices.Clone(v.Keys), i, i+1)
	w.Parts = slices.Delete(slices.Clone(v.Parts), i, i+1)
	return &w
}

// merged returns the merge of a patch into a value, by RFC 7396.
func merged(target, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	out := map[string]any{}
	if t, ok := target.(map[string]any); ok {
		for k, v := range t {
			out[k] = v
		}
	}
	for k, v := range p {
		if v == nil {
			delete(out, k)
		} else {
			out[k] = merged(out[k], v)
		}
	}
	return out
}

var mergeModule = mutants.New(mutants.Spec[[2]*jsonValue]{
	Name:  "json-patch@v4.2.0",
	Bugs:  []string{"#132: null in arrays"}, // fixed in v4.12.0, but for objects in arrays
	Fails: mergeFails,
	Built: bigen.ArrayOf[[2]*jsonValue](genObject),
	RapidBuilt: func(t *rapid.T) [2]*jsonValue {
		return [2]*jsonValue{rapidObject.Draw(t, "target"), rapidObject.Draw(t, "patch")}
	},
})

var deleteModule = mutants.New(mutants.Spec[*jsonValue]{
	Name:       "jsonparser@v1.1.1",
	Bugs:       []string{"#211: Delete before white space"}, // fixed in v1.3.0
	Fails:      deleteFails,
	Built:      genObject,
	RapidBuilt: drawOf(rapidObject),
})

func mergeFails(_ string, v [2]*jsonValue) bool {
	got, err := jsonpatch.MergePatch(v[0].text(), v[1].text())
	if err != nil {
		return true
	}
	target, _ := decoded(v[0].text())
	patch, _ := decoded(v[1].text())
	merge, ok := decoded(got)
	return !ok || !reflect.DeepEqual(merge, merged(target, patch))
}

func deleteFails(_ string, v *jsonValue) bool {
	for i, k := range v.Keys {
		got, ok := decoded(jsonparser.Delete(v.text(), k))
		if want, _ := decoded(v.without(i).text()); !ok || !reflect.DeepEqual(got, want) {
			return true
		}
	}
	return false
}
