package api

// Stub adds a value for an interface that nothing else implements, with its Go code. Its methods do
// nothing:
//
//	api.Stub[query.Encoder]("stubEncoder{}", stubEncoder{})
//
// After a call that was given it, none that hangs is an [Error]. The methods of a stub are not
// called as operations.
func Stub[T any](code string, v T) TypeOption[T] {
	return func(p *Pool[T]) {
		Expr(code, v)(p)
		if p.stubs == nil {
			p.stubs = map[string]bool{}
		}
		p.stubs[code] = true
	}
}
