package engine

import "time"

type Explorer struct{ n int }

func NewExplorer(seed uint64) *Explorer { return &Explorer{} }
func (x *Explorer) Base(vals []any)     {}
func (x *Explorer) Known(b []byte)      {}
func (x *Explorer) Next(vals []any, max int) {
	x.n++
	for i, v := range vals {
		if b, ok := v.([]byte); ok {
			b = append([]byte{}, b...)
			b = append(b, byte(x.n), byte(x.n>>8), byte(x.n>>16))
			vals[i] = b
		}
	}
}
func (x *Explorer) WantTrace() bool                                                     { return false }
func (x *Explorer) Done(counters []byte, t *Trace, failed bool, d time.Duration) bool { return false }
func (x *Explorer) Stats() []OperatorStats                                              { return nil }
