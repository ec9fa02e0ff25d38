package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/espalier-go/espalier/eval/others"
)

// commit is the version of the tests.
const commit = "ec950f2039c7cf07895f1f83ab565d7fc57628be"

// A message is one that the tests have instances of.
type message struct {
	part      string // of the tests
	desc      protoreflect.MessageDescriptor
	types     *protoregistry.Types // the extensions of its suite
	validator protovalidate.Validator
	instances []instance
}

// An instance is a value of a test.
type instance struct {
	name  string
	value *dynamicpb.Message
	want  verdict
}

// A verdict is what a validator must say of an instance: the number of the field of the TestResult.
type verdict protowire.Number

const (
	valid   verdict = 1
	invalid verdict = 2
)

func (m *message) name() string { return string(m.desc.FullName()) }

// half returns the half of the study to which a message belongs.
func (m *message) half() string {
	if sha256.Sum256([]byte(m.name()))[0]>>7 == 0 {
		return "dev"
	}
	return "unseen"
}

// load reads the tests of the checkout in a directory.
func load(ctx context.Context, dir string) ([]*message, error) {
	dir = filepath.Join(dir, "bufbuild/protovalidate")
	head, err := others.Output(ctx, ".", "git", "-C", dir, "rev-parse", "HEAD")
	if err == nil && strings.TrimSpace(string(head)) != commit {
		err = fmt.Errorf("it has the commit %s", head)
	}
	if err != nil {
		return nil, fmt.Errorf("-dir must have a checkout bufbuild/protovalidate of %s: %w", commit, err)
	}
	results, err := others.Output(ctx, filepath.Join(dir, "tools"), "go", "run",
		"./protovalidate-conformance", "--dump", "--proto")
	if err != nil && len(results) == 0 { // it counts tests without a result as failures
		return nil, err
	}
	return read(results)
}

// read reads a ResultSet, which the command of the tests prints.
func read(results []byte) (all []*message, err error) {
	set, err := fieldsOf(results)
	if err != nil {
		return nil, err
	}
	for _, bytes := range set[3] {
		suite, err := fieldsOf(bytes)
		if err != nil {
			return nil, err
		}
		messages, err := readSuite(suite)
		if err != nil {
			return nil, fmt.Errorf("the suite %s: %w", suite.text(1), err)
		}
		all = append(all, messages...)
	}
	if len(all) == 0 {
		err = errors.New("there are no tests")
	}
	return all, err
}

// readSuite reads a SuiteResults.
func readSuite(suite fields) (all []*message, err error) {
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal([]byte(suite.text(5)), set); err != nil {
		return nil, err
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, err
	}
	types := &protoregistry.Types{}
	files.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Extensions().Len() {
			err = errors.Join(err,
				types.RegisterExtension(dynamicpb.NewExtensionType(f.Extensions().Get(i))))
		}
		return true
	})
	v, err2 := protovalidate.New(protovalidate.WithExtensionTypeResolver(types))
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	part, _, _ := strings.Cut(suite.text(1), "/")
	byName := map[protoreflect.FullName]*message{}
	for _, bytes := range suite[4] {
		c, err := fieldsOf(bytes)
		if err != nil {
			return nil, err
		}
		input := &anypb.Any{}
		if err := proto.Unmarshal([]byte(c.text(5)), input); err != nil {
			return nil, err
		}
		d, err := files.FindDescriptorByName(input.MessageName())
		if err != nil {
			return nil, err
		}
		m := byName[input.MessageName()]
		if m == nil {
			m = &message{part: part, desc: d.(protoreflect.MessageDescriptor), types: types, validator: v}
			byName[input.MessageName()] = m
			all = append(all, m)
		}
		i := instance{name: suite.text(1) + "/" + c.text(1), value: dynamicpb.NewMessage(m.desc)}
		if err := (proto.UnmarshalOptions{Resolver: types}).Unmarshal(input.Value, i.value); err != nil {
			return nil, err
		}
		wanted, err := fieldsOf([]byte(c.text(3)))
		if err != nil {
			return nil, err
		}
		for number := range wanted {
			i.want = verdict(number)
		}
		m.instances = append(m.instances, i)
	}
	return all, nil
}

// fields are the fields of a message, by their numbers: the bytes of those that have bytes.
type fields map[protowire.Number][][]byte

func fieldsOf(b []byte) (fields, error) {
	all := fields{}
	for len(b) > 0 {
		number, typ, tag := protowire.ConsumeTag(b)
		if tag < 0 {
			return nil, protowire.ParseError(tag)
		}
		size := protowire.ConsumeFieldValue(number, typ, b[tag:])
		if size < 0 {
			return nil, protowire.ParseError(size)
		}
		content, _ := protowire.ConsumeBytes(b[tag : tag+size])
		all[number] = append(all[number], content)
		b = b[tag+size:]
	}
	return all, nil
}

// text returns the bytes of a field that is not repeated.
func (f fields) text(number protowire.Number) string {
	if all := f[number]; len(all) > 0 {
		return string(all[len(all)-1])
	}
	return ""
}

// parts returns the parts of the tests, in their order.
func parts(messages []*message) (all []string) {
	for _, m := range messages {
		if !slices.Contains(all, m.part) {
			all = append(all, m.part)
		}
	}
	slices.Sort(all)
	return all
}
