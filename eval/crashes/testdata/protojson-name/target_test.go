package protojson_test

import (
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/descriptorpb"
)

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(`{"name":"a.proto","dependency":["b.proto"],"syntax":"proto3"}`))
	f.Add([]byte(`{"messageType":[{"name":"M","field":[{"name":"f","number":1}]}],"other":{"a":1}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var m descriptorpb.FileDescriptorProto
		protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(b, &m)
	})
}
