package bigen

// JSON makes any value of JSON, as [encoding/json.Unmarshal] makes it of a document: nil, a bool, a
// float64, a string of valid UTF-8, or a []any or map[string]any of such values. Slices and maps
// are not nil, and numbers are finite. Values have the sizes of values of [For].
//
// For a field of type any, give [For] the option With(JSON()).
func JSON() Gen[any] { return jsonGen.get(newJSON) }

var jsonGen onDemand[Gen[any]]

func newJSON() Gen[any] {
	return For[any](
		Variants[any](nil, false, 0.0, "", []any(nil), map[string]any(nil)), EmptyNotNil(),
		With(Float[float64](NoNaN, NoInf)),
	)
}
