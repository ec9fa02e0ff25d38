package textfuzz

import "testing"

func FuzzText(f *testing.F) {
	f.Add([]byte("test_all_types: { optional_int32: 1 optional_string: \"text\" }"))
	f.Add([]byte("test_all_types3: { singular_nested_message: { a: 7 } repeated_int32: [1, 2] }"))
	f.Fuzz(func(t *testing.T, b []byte) {
		Fuzz(b)
	})
}
