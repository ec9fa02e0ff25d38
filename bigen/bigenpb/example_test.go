package bigenpb_test

import (
	"fmt"

	"google.golang.org/protobuf/types/known/apipb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigenpb"
)

// A generator of a message reads any message of the type, and says what it does not make.
func ExampleMessage() {
	gen := bigenpb.Message[*structpb.Value]()
	v, _ := structpb.NewValue(map[string]any{"a": []any{1, nil}})
	fmt.Println(bigen.Choices(gen, v))
	fmt.Println(
		bigen.Check(gen, structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{{}}})))
	// Output:
	// "5"(more("a", "6"(more("2"(0, 1)), more("1"(NULL_VALUE)), stop)), stop) <nil>
	// not produced by the generator: at /kind/6/list_value/values/0: the oneof kind has no field
}

// A descriptor that is known when the program runs is enough.
func ExampleDynamic() {
	gen := bigenpb.Dynamic((*apipb.Mixin)(nil).ProtoReflect().Descriptor())
	m, err := bigen.Decode(gen, nil)
	fmt.Println(m.ProtoReflect().Descriptor().FullName(), err)
	// Output:
	// google.protobuf.Mixin <nil>
}

// Fields and messages may have generators of their own.
func ExampleField() {
	gen := bigenpb.Message[*apipb.Api](
		bigenpb.Field("name", bigen.Matching("[a-z]{1,9}")),
		bigenpb.Field("methods", bigen.Just([]*apipb.Method(nil))),
		bigenpb.Field("google.protobuf.Mixin.root", bigen.OneOf("v1", "v3")))
	fmt.Println(bigen.Check(gen, &apipb.Api{Name: "x", Mixins: []*apipb.Mixin{{Root: "v1"}}}))
	fmt.Println(bigen.Check(gen, &apipb.Api{Name: "x", Mixins: []*apipb.Mixin{{Root: "v2"}}}))
	// Output:
	// <nil>
	// not produced by the generator: at /mixins/0/root: none of the alternatives v1, v3 makes it: "v2" is not "v1"
}

// Reports print messages of the opaque API by their text.
func ExampleMustParse() {
	fmt.Println(bigenpb.MustParse[*durationpb.Duration](`seconds: 90`).AsDuration())
	// Output: 1m30s
}
