package thrift_test

import (
	"testing"

	"github.com/apache/thrift/lib/go/thrift"
)

func FuzzSimpleJSON(f *testing.F) {
	f.Add([]byte(`{"name":1,"list":[1,2.5,true]}`))
	f.Add([]byte(`[4,2,1.5,-1]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p := protocol(b)
		p.ReadStructBegin()
		p.ReadString()
		p.ReadI64()
		p = protocol(b)
		if _, n, err := p.ReadListBegin(); err == nil {
			for range min(n, 100) {
				p.ReadDouble()
			}
		}
		protocol(b).ReadI64()
	})
}

func protocol(b []byte) thrift.TProtocol {
	buffer := thrift.NewTMemoryBuffer()
	buffer.Write(b)
	return thrift.NewTSimpleJSONProtocol(buffer)
}
