package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/asaskevich/govalidator"
	"github.com/dominikbraun/graph"
	"github.com/expr-lang/expr"
	"github.com/golang-sql/civil"
	"github.com/golang/geo/s2"
	"github.com/google/pprof/profile"
	"github.com/google/uuid"
	"github.com/hashicorp/yamux"
	"github.com/samber/lo"
	"github.com/tetratelabs/wazero"
	"github.com/tidwall/gjson"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/net/http/httpguts"
	"golang.org/x/text/unicode/norm"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
)

// foreign are predicates of public modules. They were chosen before the first run of the search:
// one or two of each kind that the documentation of bigen names, from modules of few dependencies.
// No public module that we found exports a test of the invariants of its trees.
var foreign = []predicate{
	{name: "lo.IsSorted", from: "samber/lo v1.53.0", goType: "[]int",
		valid: func(v []int) bool { return lo.IsSorted(v) }},
	{name: "Date.IsValid", from: "golang-sql/civil 20220223", goType: "civil.Date",
		fields: []string{"Year", "Month time.Month", "Day"}, valid: func(v []int) bool {
			return civil.Date{Year: v[0], Month: time.Month(v[1]), Day: v[2]}.IsValid()
		}},
	{name: "Time.IsValid", from: "golang-sql/civil 20220223", goType: "civil.Time",
		fields: []string{"Hour", "Minute", "Second", "Nanosecond"}, valid: func(v []int) bool {
			return civil.Time{Hour: v[0], Minute: v[1], Second: v[2], Nanosecond: v[3]}.IsValid()
		}},
	{name: "LatLng.IsValid", from: "golang/geo 20260818", goType: "degrees",
		fields: []string{"Lat", "Lng"}, valid: func(v []int) bool {
			return s2.LatLngFromDegrees(float64(v[0]), float64(v[1])).IsValid()
		}},
	{name: "CellUnion.IsValid", from: "golang/geo 20260818", goType: "[]int",
		valid: cellUnion},
	{name: "semver.IsValid", from: "x/mod v0.43.0", goType: "string", letters: runes("v01.-+a"),
		valid: func(v []int) bool { return semver.IsValid(str(v)) }},
	{name: "module.CheckPath", from: "x/mod v0.43.0", goType: "string", letters: runes("a0./-A"),
		valid: func(v []int) bool { return module.CheckPath(str(v)) == nil }},
	{name: "uuid.Validate", from: "google/uuid v1.6.0", goType: "string", letters: runes("0a-g"),
		valid: func(v []int) bool { return uuid.Validate(str(v)) == nil }},
	{name: "IsISBN10", from: "govalidator 20230301", goType: "string", letters: runes("0123456789X"),
		valid: func(v []int) bool { return govalidator.IsISBN10(str(v)) }},
	{name: "gjson.Valid", from: "tidwall/gjson v1.20.3", goType: "string", letters: runes(`[]{}:,"0`),
		valid: func(v []int) bool { return gjson.Valid(str(v)) }},
	{name: "ValidHeaderFieldName", from: "x/net v0.38.0", goType: "string", letters: runes("a0-: "),
		valid: func(v []int) bool { return httpguts.ValidHeaderFieldName(str(v)) }},
	{name: "NFC.IsNormalString", from: "x/text v0.23.0", goType: "string",
		letters: []int{'a', 'b', 0x301, 0x323},
		valid:   func(v []int) bool { return norm.NFC.IsNormalString(str(v)) }},
	{name: "AddEdge, acyclic", from: "dominikbraun/graph v0.23.0", goType: "[]edge",
		fields: []string{"From", "To"}, list: true, valid: acyclic},
	{name: "VerifyConfig", from: "hashicorp/yamux v0.1.2", goType: "yamuxConfig",
		fields: []string{"AcceptBacklog", "KeepAliveInterval", "MaxStreamWindowSize"},
		valid: func(v []int) bool {
			c := yamux.DefaultConfig()
			c.AcceptBacklog, c.KeepAliveInterval = v[0], time.Duration(v[1])
			c.MaxStreamWindowSize = uint32(v[2])
			return v[2] >= 0 && v[2] <= math.MaxUint32 && yamux.VerifyConfig(c) == nil
		}},
	{name: "NewFile, enum numbers", from: "protobuf v1.36.12", goType: "[]int", valid: enumNumbers},
	{name: "NewFile, reserved ranges", from: "protobuf v1.36.12", goType: "[]span",
		fields: []string{"Start", "End"}, list: true, valid: reservedRanges},
	{name: "CompileModule, stack", from: "wazero v1.12.0", goType: "[]int", letters: []int{0, 1, 2},
		valid: stackCode},
	{name: "CheckValid, lengths", from: "google/pprof 20230207", goType: "lengths",
		fields: []string{"Types", "First", "Second"}, valid: sampleLengths},
	{name: "toml.Decode, keys", from: "BurntSushi/toml v0.3.1", goType: "[]int", valid: tomlKeys},
	{name: "expr.Compile, names", from: "expr-lang/expr v1.17.8", goType: "[]int", valid: exprNames},
}

func cellUnion(v []int) bool {
	cells := make(s2.CellUnion, len(v))
	for i, x := range v {
		cells[i] = s2.CellID(x)
	}
	return cells.IsValid()
}

func tomlKeys(v []int) bool {
	var text strings.Builder
	for _, key := range v {
		fmt.Fprintf(&text, "k%d = 1\n", key)
	}
	_, err := toml.Decode(text.String(), &map[string]any{})
	return err == nil
}

// exprNames reports whether each name has been declared before: v0 is, and the i-th element says
// which one v(i+1) refers to.
func exprNames(v []int) bool {
	var text strings.Builder
	text.WriteString("let v0 = 1; ")
	for i, ref := range v {
		fmt.Fprintf(&text, "let v%d = v%d; ", i+1, ref)
	}
	_, err := expr.Compile(text.String()+"0", expr.Env(map[string]any{}))
	return err == nil
}

func acyclic(v []int) bool {
	g := graph.New(graph.IntHash, graph.Directed(), graph.PreventCycles())
	for i := 0; i < len(v); i += 2 {
		_ = g.AddVertex(v[i])
		_ = g.AddVertex(v[i+1])
		if g.AddEdge(v[i], v[i+1]) != nil {
			return false
		}
	}
	return true
}

func enumNumbers(v []int) bool {
	enum := &descriptorpb.EnumDescriptorProto{Name: proto.String("E")}
	for i, n := range v {
		enum.Value = append(enum.Value, &descriptorpb.EnumValueDescriptorProto{
			Name: proto.String(fmt.Sprint("V", i)), Number: proto.Int32(int32(n)),
		})
	}
	_, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("f"), Syntax: proto.String("proto3"),
		EnumType: []*descriptorpb.EnumDescriptorProto{enum},
	}, nil)
	return err == nil
}

func reservedRanges(v []int) bool {
	m := &descriptorpb.DescriptorProto{Name: proto.String("M")}
	for i := 0; i < len(v); i += 2 {
		m.ReservedRange = append(m.ReservedRange, &descriptorpb.DescriptorProto_ReservedRange{
			Start: proto.Int32(int32(v[i])), End: proto.Int32(int32(v[i+1])),
		})
	}
	_, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("f"), Syntax: proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{m},
	}, nil)
	return err == nil
}

var wasm = wazero.NewRuntimeWithConfig(context.Background(), wazero.NewRuntimeConfigInterpreter())

// stackCode reports whether the instructions i32.const 0, i32.add and drop are the body of a
// function that returns an i32.
func stackCode(v []int) bool {
	body := []byte{0} // no local variables
	for _, op := range v {
		body = append(body, [][]byte{{0x41, 0}, {0x6a}, {0x1a}}[op]...)
	}
	body = append(body, 0x0b)
	function := append(binary.AppendUvarint([]byte{1}, uint64(len(body))), body...)
	code := append(binary.AppendUvarint([]byte{
		0, 'a', 's', 'm', 1, 0, 0, 0, // the version
		1, 5, 1, 0x60, 0, 1, 0x7f, // one type: func() i32
		3, 2, 1, 0, // one function of this type
		10,
	}, uint64(len(function))), function...)
	m, err := wasm.CompileModule(context.Background(), code)
	if err != nil {
		return false
	}
	_ = m.Close(context.Background())
	return true
}

func sampleLengths(v []int) bool {
	for _, n := range v {
		if n < 0 || n > 50 {
			return false // there is no such slice, or it takes too long
		}
	}
	return (&profile.Profile{
		SampleType: lo.Times(v[0], func(int) *profile.ValueType { return &profile.ValueType{} }),
		Sample:     []*profile.Sample{{Value: make([]int64, v[1])}, {Value: make([]int64, v[2])}},
	}).CheckValid() == nil
}
