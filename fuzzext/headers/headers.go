// Package headers moves fuzz targets from github.com/AdaLogics/go-fuzz-headers to package
// fuzzext, step by step. That library decodes its inputs itself, so values are those that the
// old target saw.
//
// A target of go-fuzz-headers calls GenerateStruct:
//
//	f.Fuzz(func(t *testing.T, data []byte) {
//		var c Config
//		if fuzz.NewConsumer(data).GenerateStruct(&c) != nil {
//			return
//		}
//		check(t, c)
//	})
//
// 1. Write a generator of the values, such as bigen.For[Config](), and use [Valid]:
//
//	f.Fuzz(headers.Valid(bigen.For[Config](), func(t *fuzzext.T, c Config) { check(t, c) }))
//
// The old entries of testdata/fuzz remain what they were. Inputs from elsewhere are seeds by
// [Add], or become entries by
//
//	corpusgen import -from headers DIR
//
// 2. Run
//
//	corpusgen recode -w
//
// which rewrites the old entries. It names those whose values the generator does not make.
//
// 3. Replace headers.Valid by fuzzext.Valid. That ends the dependency.
//
// If the old target did more than call GenerateStruct on one value, tell [DecodeBy] what.
package headers

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	fuzz "github.com/AdaLogics/go-fuzz-headers"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/literal"
)

// Valid is [fuzzext.Valid] for a target that has an old corpus. An entry of testdata/fuzz that g
// does not encode so is an input of go-fuzz-headers: it stands for the value that the library
// decodes. All other inputs, also those that a fuzzer makes, stand for what they stand for under
// fuzzext.Valid. (Bytes that the engine saves beside a minimized failure are not told from old
// inputs: keep the minimized one.) An old entry that has no value, or one that g does not make, is
// skipped with the reason.
func Valid[V any](
	g bigen.Gen[V], prop func(t *fuzzext.T, v V), opts ...fuzzext.Option,
) func(*testing.T, []byte) {
	m := &migration[V]{gen: g}
	values.UseTranslator(m.translate)
	defer values.UseTranslator(nil)
	function := fuzzext.Valid(g, prop, opts...)
	return func(t *testing.T, b []byte) {
		name, _, _ := strings.Cut(t.Name(), "/")
		b, err := m.translate(name, b)
		if err != nil {
			t.Skipf("old input: %v", err)
		}
		function(t, b)
	}
}

// Add adds the values of inputs of go-fuzz-headers to the seed corpus of f, as [fuzzext.Add]
// does. The fuzz function must come from [Valid] or [fuzzext.Valid] with the same generator.
// Inputs that have no value, or one that g does not make, are counted and logged with the
// reason, which go test -v shows. The target fails if no input has a value.
func Add[V any](f *testing.F, g bigen.Gen[V], inputs ...[]byte) {
	f.Helper()
	var lost []string
	for i, in := range inputs {
		v, err := decodeFor(f.Name(), g, in)
		if err != nil {
			lost = append(lost, fmt.Sprintf("input %d: %v", i, err))
			continue
		}
		fuzzext.Add(f, g, v)
	}
	if len(lost) == 0 {
		return
	}
	text := fmt.Sprintf("headers.Add: %d of %d inputs cannot become seeds:\n%s", len(lost),
		len(inputs), strings.Join(lost, "\n"))
	if len(lost) == len(inputs) {
		f.Fatal(text)
	}
	f.Log(text)
}

// DecodeBy says how the old target made its value, if not by GenerateStruct alone: with
// custom functions, with unexported fields, or from several parts. Call it before [Add] and
// [Valid]:
//
//	headers.DecodeBy(f, func(c *fuzz.ConsumeFuzzer, v *Config) error {
//		c.AllowUnexportedFields()
//		return c.GenerateStruct(v)
//	})
//
// V must be the type of the generator's values. Corpusgen import uses decode, too.
func DecodeBy[V any](f *testing.F, decode func(c *fuzz.ConsumeFuzzer, v *V) error) {
	values.RegisterDecoder(format, f.Name(), func(input []byte, v any) error {
		p, ok := v.(*V)
		if !ok {
			return fmt.Errorf("headers.DecodeBy makes a %T, but the generator a %T", p, v)
		}
		return consume(input, func(c *fuzz.ConsumeFuzzer) error { return decode(c, p) })
	})
}

// format is what corpusgen import calls inputs of go-fuzz-headers.
const format = "headers"

func init() {
	values.RegisterDecoder(format, "", func(input []byte, v any) error {
		return consume(input, func(c *fuzz.ConsumeFuzzer) error { return generate(c, v) })
	})
}

// generate sets what v points to by the function of the library that makes such values.
func generate(c *fuzz.ConsumeFuzzer, v any) (err error) {
	switch p := v.(type) {
	case *[]byte:
		*p, err = c.GetBytes()
	case *[]rune:
		*p, err = c.GetRune()
	case *uint64:
		*p, err = c.GetUint64()
	default:
		err = c.GenerateStruct(v)
	}
	return err
}

// consume runs a function on a consumer of an input. A panic becomes an error.
func consume(input []byte, do func(*fuzz.ConsumeFuzzer) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("go-fuzz-headers panics: %v", r)
		}
	}()
	if err := do(fuzz.NewConsumer(bytes.Clone(input))); err != nil { // values may alias it
		return fmt.Errorf("go-fuzz-headers does not decode it: %w", err)
	}
	return nil
}

// decodeFor returns the value of an input for a target whose generator makes it.
func decodeFor[V any](target string, g bigen.Gen[V], input []byte) (v V, err error) {
	if err := values.LookupDecoder(format, target)(input, &v); err != nil {
		return v, err
	}
	b, err := encode(g, v)
	if err != nil {
		return v, err
	}
	if again, err := bigen.Decode(g, b); err != nil || !literal.Same(again, v) {
		return v, fmt.Errorf("the generator, run backward, loses a part of the value: check it " +
			"with bigentest.Laws")
	}
	return v, nil
}

// encode is [bigen.Encode] of a generator that may panic.
func encode[V any](g bigen.Gen[V], v V) (b []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the generator panics: %v", r)
		}
	}()
	return bigen.Encode(g, v)
}
