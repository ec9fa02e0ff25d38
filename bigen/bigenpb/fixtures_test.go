package bigenpb_test

import (
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	_ "google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"
)

// described returns a message, by its name, of a file that a FileDescriptorProto in text
// form describes.
func described(file, message string) protoreflect.MessageDescriptor {
	p := &descriptorpb.FileDescriptorProto{}
	if err := prototext.Unmarshal([]byte(file), p); err != nil {
		panic(err)
	}
	d, err := protodesc.NewFile(p, protoregistry.GlobalFiles)
	if err != nil {
		panic(err)
	}
	return d.Messages().ByName(protoreflect.Name(message))
}

// proto2 has required fields, groups, presence, a closed enum whose default is not zero, texts that
// need not be UTF-8, a oneof, and an extension.
const proto2 = `
name: "two.proto" package: "two" syntax: "proto2"
enum_type { name: "Color" value { name: "RED" number: 3 } value { name: "GREEN" number: -1 } }
extension { name: "extra" number: 100 extendee: ".two.M" type: TYPE_INT32 label: LABEL_OPTIONAL }
message_type {
  name: "M" extension_range { start: 100 end: 200 }
  field { name: "must" number: 1 type: TYPE_INT32 label: LABEL_REQUIRED }
  field { name: "color" number: 2 type: TYPE_ENUM type_name: ".two.Color" label: LABEL_REQUIRED default_value: "GREEN" }
  field { name: "maybe" number: 3 type: TYPE_BYTES label: LABEL_OPTIONAL default_value: "x" }
  field { name: "text" number: 4 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "g" number: 5 type: TYPE_GROUP type_name: ".two.M.G" label: LABEL_REPEATED }
  field { name: "packed" number: 6 type: TYPE_SINT64 label: LABEL_REPEATED options { packed: true } }
  field { name: "next" number: 7 type: TYPE_MESSAGE type_name: ".two.M" label: LABEL_OPTIONAL }
  field { name: "a" number: 9 type: TYPE_BOOL label: LABEL_OPTIONAL oneof_index: 0 }
  field { name: "b" number: 8 type: TYPE_MESSAGE type_name: ".two.M.G" label: LABEL_OPTIONAL oneof_index: 0 }
  oneof_decl { name: "which" }
  nested_type { name: "G" field { name: "f" number: 1 type: TYPE_FLOAT label: LABEL_OPTIONAL } }
}`

// proto3 has all kinds of scalars, an open enum with two names of a number, maps, recursion by
// lists, maps and oneofs, and the well-known types.
const proto3 = `
name: "three.proto" package: "three" syntax: "proto3"
dependency: "google/protobuf/any.proto" dependency: "google/protobuf/duration.proto" dependency: "google/protobuf/empty.proto"
dependency: "google/protobuf/field_mask.proto" dependency: "google/protobuf/struct.proto"
dependency: "google/protobuf/timestamp.proto" dependency: "google/protobuf/wrappers.proto"
enum_type { name: "Size" options { allow_alias: true }
  value { name: "SMALL" number: 0 } value { name: "TINY" number: 0 } value { name: "LARGE" number: 7 } }
message_type {
  name: "M"
  field { name: "n" number: 1 type: TYPE_INT64 label: LABEL_OPTIONAL }
  field { name: "u" number: 2 type: TYPE_FIXED32 label: LABEL_OPTIONAL }
  field { name: "d" number: 3 type: TYPE_DOUBLE label: LABEL_REPEATED }
  field { name: "text" number: 4 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "size" number: 5 type: TYPE_ENUM type_name: ".three.Size" label: LABEL_OPTIONAL }
  field { name: "opt" number: 6 type: TYPE_UINT64 label: LABEL_OPTIONAL proto3_optional: true oneof_index: 1 }
  field { name: "kids" number: 7 type: TYPE_MESSAGE type_name: ".three.M" label: LABEL_REPEATED }
  field { name: "by_name" number: 8 type: TYPE_MESSAGE type_name: ".three.M.ByNameEntry" label: LABEL_REPEATED }
  field { name: "raw" number: 9 type: TYPE_BYTES label: LABEL_OPTIONAL oneof_index: 0 }
  field { name: "self" number: 10 type: TYPE_MESSAGE type_name: ".three.M" label: LABEL_OPTIONAL oneof_index: 0 }
  field { name: "sizes" number: 11 type: TYPE_ENUM type_name: ".three.Size" label: LABEL_REPEATED }
  field { name: "any" number: 20 type: TYPE_MESSAGE type_name: ".google.protobuf.Any" label: LABEL_OPTIONAL }
  field { name: "wait" number: 21 type: TYPE_MESSAGE type_name: ".google.protobuf.Duration" label: LABEL_OPTIONAL }
  field { name: "when" number: 22 type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp" label: LABEL_REPEATED }
  field { name: "mask" number: 23 type: TYPE_MESSAGE type_name: ".google.protobuf.FieldMask" label: LABEL_OPTIONAL }
  field { name: "value" number: 24 type: TYPE_MESSAGE type_name: ".google.protobuf.Value" label: LABEL_OPTIONAL }
  field { name: "wrapped" number: 25 type: TYPE_MESSAGE type_name: ".google.protobuf.BytesValue" label: LABEL_OPTIONAL }
  field { name: "empty" number: 26 type: TYPE_MESSAGE type_name: ".google.protobuf.Empty" label: LABEL_OPTIONAL }
  oneof_decl { name: "which" } oneof_decl { name: "_opt" }
  nested_type { name: "ByNameEntry" options { map_entry: true }
    field { name: "key" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
    field { name: "value" number: 2 type: TYPE_MESSAGE type_name: ".three.M" label: LABEL_OPTIONAL } }
}`

// editions has presence by features, and a message that is encoded as a group.
const editions = `
name: "ed.proto" package: "ed" syntax: "editions" edition: EDITION_2023
message_type {
  name: "M"
  field { name: "explicit" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "implicit" number: 2 type: TYPE_STRING label: LABEL_OPTIONAL options { features { field_presence: IMPLICIT } } }
  field { name: "required" number: 3 type: TYPE_UINT32 label: LABEL_OPTIONAL options { features { field_presence: LEGACY_REQUIRED } } }
  field { name: "group" number: 4 type: TYPE_MESSAGE type_name: ".ed.M" label: LABEL_REPEATED options { features { message_encoding: DELIMITED } } }
}`
