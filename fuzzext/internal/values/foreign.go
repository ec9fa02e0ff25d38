package values

// Packages beside fuzzext, such as fuzzext/headers, leave here what fuzzext needs to read the
// corpora of other libraries. So fuzzext does not depend on these libraries. The functions of this
// file are not safe for concurrent use: fuzz targets run one after the other.

// A Decoder sets the value that v points to from an input of another library.
type Decoder func(input []byte, v any) error

var decoders = map[[2]string]Decoder{}

// RegisterDecoder makes d the decoder of a format for a fuzz target. If target is "", d serves all
// targets without a decoder of their own.
func RegisterDecoder(format, target string, d Decoder) { decoders[[2]string{format, target}] = d }

// LookupDecoder returns the decoder of a format for a fuzz target, or nil if there is none.
func LookupDecoder(format, target string) Decoder {
	if d := decoders[[2]string{format, target}]; d != nil {
		return d
	}
	return decoders[[2]string{format, ""}]
}

// A Translator replaces an input of another library by the bytes of its value. It returns all
// other bytes as they are. The error says why an input has no value.
type Translator func(target string, b []byte) ([]byte, error)

var current Translator

// UseTranslator makes t the Translator of the targets that are made from now on; nil makes it none.
func UseTranslator(t Translator) { current = t }

// CurrentTranslator returns the Translator in use, or nil.
func CurrentTranslator() Translator { return current }
