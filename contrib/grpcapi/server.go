package grpcapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// A Server has registered services, whose methods it calls without a network. The reports of failures
// consist of calls of [Server.Call].
type Server struct {
	config
	methods map[string]*registered
}

// A registered is a method with the service that has it.
type registered struct {
	service any
	unary   *grpc.MethodDesc
	stream  *grpc.StreamDesc
}

// NewServer returns a server with the services that register registers.
func NewServer(t testing.TB, register Register, opts ...Option) *Server {
	s := &Server{methods: map[string]*registered{}}
	for _, o := range opts {
		if o != nil {
			o(&s.config)
		}
	}
	register(t, s)
	return s
}

// RegisterService implements [grpc.ServiceRegistrar].
func (s *Server) RegisterService(desc *grpc.ServiceDesc, service any) {
	for i := range desc.Methods {
		m := &desc.Methods[i]
		s.methods[fullName(desc, m.MethodName)] = &registered{service: service, unary: m}
	}
	for i := range desc.Streams {
		m := &desc.Streams[i]
		s.methods[fullName(desc, m.StreamName)] = &registered{service: service, stream: m}
	}
}

func fullName(desc *grpc.ServiceDesc, method string) string {
	return "/" + desc.ServiceName + "/" + method
}

// Call calls a method with requests in the text format of protobuf: one, unless the client streams.
// It returns the responses. The error is that of a status.
func (s *Server) Call(method string, requests ...string) ([]proto.Message, error) {
	r := s.methods[method]
	if r == nil {
		return nil, status.Errorf(codes.Unimplemented, "no method %s is registered", method)
	}
	ctx, cancel := context.WithCancel(grpc.NewContextWithServerTransportStream(
		metadata.NewIncomingContext(context.Background(), metadata.MD{}), &transport{method: method}))
	defer cancel()
	t := &stream{ctx: ctx, cancel: cancel, requests: requests}
	if r.stream != nil {
		info := &grpc.StreamServerInfo{FullMethod: method, IsClientStream: r.stream.ClientStreams,
			IsServerStream: r.stream.ServerStreams}
		err := s.stream(r.service, t, info, r.stream.Handler, 0)
		return t.responses, asStatus(err)
	}
	response, err := r.unary.Handler(r.service, ctx, t.RecvMsg, s.unary)
	if err != nil {
		return nil, asStatus(err)
	}
	m, ok := response.(proto.Message)
	if !ok {
		return nil, status.Errorf(codes.Internal, "the response is a %T, no message", response)
	}
	return []proto.Message{m}, nil
}

// unary calls the interceptors, and then the method.
func (s *Server) unary(
	ctx context.Context, request any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler,
) (any, error) {
	for i := len(s.interceptors) - 1; i >= 0; i-- {
		next, interceptor := handler, s.interceptors[i]
		handler = func(ctx context.Context, request any) (any, error) {
			return interceptor(ctx, request, info, next)
		}
	}
	return handler(ctx, request)
}

// stream calls the interceptors from the i-th on, and then the method.
func (s *Server) stream(
	service any, t grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler, i int,
) error {
	if i == len(s.streams) {
		return handler(service, t)
	}
	return s.streams[i](service, t, info, func(service any, t grpc.ServerStream) error {
		return s.stream(service, t, info, handler, i+1)
	})
}

// asStatus returns an error as what a client gets.
func asStatus(err error) error {
	if err == nil {
		return nil
	}
	if s, ok := status.FromError(err); ok {
		return s.Err()
	}
	return status.FromContextError(err).Err()
}

// maxResponses is how many responses are taken before the client goes away.
const maxResponses = 100

// A stream is a call, as the service sees it.
type stream struct {
	ctx       context.Context
	cancel    func()
	requests  []string
	responses []proto.Message
}

func (t *stream) SetHeader(metadata.MD) error  { return nil }
func (t *stream) SendHeader(metadata.MD) error { return nil }
func (t *stream) SetTrailer(metadata.MD)       {}
func (t *stream) Context() context.Context     { return t.ctx }

// SendMsg takes a response.
func (t *stream) SendMsg(m any) error {
	response, ok := m.(proto.Message)
	if !ok {
		return fmt.Errorf("a %T is no message", m)
	}
	if len(t.responses) == maxResponses {
		t.cancel()
		return status.FromContextError(context.Canceled).Err()
	}
	t.responses = append(t.responses, proto.Clone(response))
	return nil
}

// RecvMsg gives the next request.
func (t *stream) RecvMsg(m any) error {
	if len(t.requests) == 0 {
		return io.EOF
	}
	request, ok := m.(proto.Message)
	if !ok {
		return errors.New("the request of the service is no message")
	}
	text := t.requests[0]
	t.requests = t.requests[1:]
	return unmarshal(text, request)
}

// A transport takes headers that a unary method sets.
type transport struct{ method string }

func (t *transport) Method() string               { return t.method }
func (t *transport) SetHeader(metadata.MD) error  { return nil }
func (t *transport) SendHeader(metadata.MD) error { return nil }
func (t *transport) SetTrailer(metadata.MD) error { return nil }
