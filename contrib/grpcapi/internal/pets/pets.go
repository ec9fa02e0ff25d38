// Package pets is a small gRPC service, for tests. Bugs can be planted in it. It has no generated
// code: its descriptor stands here as a text.
package pets

import (
	"context"
	"fmt"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

const descriptor = `
name: "pets.proto" package: "pets.v1" syntax: "proto2"
message_type: { name: "Pet"
	field: { name: "id" number: 1 label: LABEL_REQUIRED type: TYPE_INT64 }
	field: { name: "name" number: 2 label: LABEL_OPTIONAL type: TYPE_STRING }
}
message_type: { name: "CreatePetRequest"
	field: { name: "pet_name" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING }
	field: { name: "age" number: 2 label: LABEL_OPTIONAL type: TYPE_INT32 }
	field: { name: "tags" number: 3 label: LABEL_REPEATED type: TYPE_STRING }
	field: { name: "owner" number: 4 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".pets.v1.Owner" }
}
message_type: { name: "Owner"
	field: { name: "code" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING }
}
message_type: { name: "PetRequest"
	field: { name: "id" number: 1 label: LABEL_OPTIONAL type: TYPE_INT64 }
}
message_type: { name: "FeedRequest"
	field: { name: "pet_id" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING }
	field: { name: "grams" number: 2 label: LABEL_OPTIONAL type: TYPE_UINT32 }
}
message_type: { name: "Empty" }
message_type: { name: "PetList"
	field: { name: "pets" number: 1 label: LABEL_REPEATED type: TYPE_MESSAGE type_name: ".pets.v1.Pet" }
}
service: { name: "Pets"
	method: { name: "CreatePet" input_type: ".pets.v1.CreatePetRequest" output_type: ".pets.v1.Pet" }
	method: { name: "GetPet" input_type: ".pets.v1.PetRequest" output_type: ".pets.v1.Pet" }
	method: { name: "DeletePet" input_type: ".pets.v1.PetRequest" output_type: ".pets.v1.Empty" }
	method: { name: "ListPets" input_type: ".pets.v1.Empty" output_type: ".pets.v1.PetList" }
	method: { name: "Feed" input_type: ".pets.v1.FeedRequest" output_type: ".pets.v1.Pet"
		client_streaming: true server_streaming: true }
}`

var file = func() protoreflect.FileDescriptor {
	var p descriptorpb.FileDescriptorProto
	if err := prototext.Unmarshal([]byte(descriptor), &p); err != nil {
		panic(err)
	}
	request, owner := p.MessageType[1].Field, p.MessageType[2].Field
	request[0].Options = ruled(14, number(3, 20))
	request[1].Options = ruled(3, number(5, 0), number(3, 40))
	request[2].Options = ruled(18, number(2, 3), number(3, 1), text(4, text(14, number(2, 1))))
	request[3].Options = ruled(25)
	p.MessageType[4].Field[1].Options = ruled(5, number(3, 500))
	owner[0].Options = ruled(14, text(6, "^[A-Z]{2}$"))
	f, err := protodesc.NewFile(&p, protoregistry.GlobalFiles)
	if err == nil {
		err = protoregistry.GlobalFiles.RegisterFile(f)
	}
	if err != nil {
		panic(err)
	}
	return f
}()

// A Bug is one that can be planted.
type Bug string

// The bugs.
const (
	None    Bug = ""
	Crash   Bug = "crash"   // to feed a pet twice in a stream divides by zero
	Unknown Bug = "unknown" // an error that is no status
	Leak    Bug = "leak"    // a status that shows where the code is
	Partial Bug = "partial" // a pet without its number
	Zombie  Bug = "zombie"  // a deleted pet can still be read
	Lost    Bug = "lost"    // the second pet cannot be read
)

// Forgets returns the bug that a validation rule is not checked: one of [Rules].
func Forgets(rule string) Bug { return Bug("forgets " + rule) }

// Bugs are all of them.
var Bugs = []Bug{Crash, Unknown, Leak, Partial, Zombie, Lost}

type pet struct {
	name    string
	deleted bool
}

type service struct {
	bug  Bug
	pets []*pet
}

// Register returns a function that registers the service, without pets, and with a bug.
func Register(bug Bug) func(testing.TB, grpc.ServiceRegistrar) {
	return func(_ testing.TB, r grpc.ServiceRegistrar) {
		s := &service{bug: bug}
		method := func(
			name, request string, do func(in *dynamicpb.Message) (*dynamicpb.Message, error),
		) grpc.MethodDesc {
			return grpc.MethodDesc{MethodName: name, Handler: func(
				srv any, ctx context.Context, dec func(any) error, i grpc.UnaryServerInterceptor,
			) (any, error) {
				in := message(protoreflect.Name(request))
				if err := dec(in); err != nil {
					return nil, err
				}
				info := &grpc.UnaryServerInfo{Server: srv, FullMethod: "/pets.v1.Pets/" + name}
				return i(ctx, in, info, func(context.Context, any) (any, error) { return do(in) })
			}}
		}
		r.RegisterService(&grpc.ServiceDesc{
			ServiceName: "pets.v1.Pets", HandlerType: (*any)(nil),
			Methods: []grpc.MethodDesc{
				method("CreatePet", "CreatePetRequest", s.create), method("GetPet", "PetRequest", s.get),
				method("DeletePet", "PetRequest", s.remove), method("ListPets", "Empty", s.list),
			},
			Streams: []grpc.StreamDesc{{StreamName: "Feed", Handler: s.feed, ServerStreams: true,
				ClientStreams: true}},
		}, s)
	}
}

func message(name protoreflect.Name) *dynamicpb.Message {
	return dynamicpb.NewMessage(file.Messages().ByName(name))
}

func field(m *dynamicpb.Message, name protoreflect.Name) protoreflect.Value {
	return m.Get(m.Descriptor().Fields().ByName(name))
}

func (s *service) message(id int64) *dynamicpb.Message {
	m := message("Pet")
	fields := m.Descriptor().Fields()
	if s.bug != Partial || s.pets[id-1].name != "" {
		m.Set(fields.ByName("id"), protoreflect.ValueOfInt64(id))
	}
	m.Set(fields.ByName("name"), protoreflect.ValueOfString(s.pets[id-1].name))
	return m
}

// find returns the number of a pet, or an error.
func (s *service) find(id int64) error {
	if id < 1 || id > int64(len(s.pets)) || s.pets[id-1].deleted {
		return status.Errorf(codes.NotFound, "there is no pet %d", id)
	}
	return nil
}

func (s *service) create(in *dynamicpb.Message) (*dynamicpb.Message, error) {
	name := field(in, "pet_name").String()
	for _, r := range rules {
		if s.bug != Forgets(r.name) && !r.keeps(in) {
			return nil, status.Errorf(codes.InvalidArgument, "it breaks the rule %s", r.name)
		}
	}
	switch {
	case s.bug == Unknown && len(name) > 3:
		return nil, fmt.Errorf("%d bytes", len(name))
	case s.bug == Leak && len(name) > 3:
		return nil, status.Error(codes.InvalidArgument, "pets/pets.go:7: too long")
	}
	s.pets = append(s.pets, &pet{name: name})
	return s.message(int64(len(s.pets))), nil
}

func (s *service) get(in *dynamicpb.Message) (*dynamicpb.Message, error) {
	id := field(in, "id").Int()
	err := s.find(id)
	switch {
	case s.bug == Zombie && id >= 1 && id <= int64(len(s.pets)):
	case err != nil:
		return nil, err
	case s.bug == Lost && id == 2:
		return nil, status.Error(codes.NotFound, "lost")
	}
	return s.message(id), nil
}

func (s *service) remove(in *dynamicpb.Message) (*dynamicpb.Message, error) {
	id := field(in, "id").Int()
	if err := s.find(id); err != nil {
		return nil, err
	}
	s.pets[id-1].deleted = true
	return message("Empty"), nil
}

func (s *service) list(*dynamicpb.Message) (*dynamicpb.Message, error) {
	m := message("PetList")
	l := m.Mutable(m.Descriptor().Fields().ByName("pets")).List()
	for i, p := range s.pets {
		if !p.deleted {
			l.Append(protoreflect.ValueOfMessage(s.message(int64(i + 1))))
		}
	}
	return m, nil
}

// feed answers each request with the pet.
func (s *service) feed(_ any, stream grpc.ServerStream) error {
	last := int64(0)
	for {
		in := message("FeedRequest")
		if err := stream.RecvMsg(in); err != nil {
			return nil // the client has no more
		}
		if field(in, "grams").Uint() > 500 && s.bug != Forgets("grams: range") {
			return status.Error(codes.InvalidArgument, "too much")
		}
		var id int64
		if _, err := fmt.Sscan(field(in, "pet_id").String(), &id); err != nil {
			return status.Error(codes.InvalidArgument, "the number of the pet is wrong")
		}
		if err := s.find(id); err != nil {
			return err
		}
		if s.bug == Crash {
			_ = 1 / (id - last)
		}
		last = id
		if err := stream.SendMsg(s.message(id)); err != nil {
			return err
		}
	}
}
