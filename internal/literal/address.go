package literal

import (
	"net/netip"
	"reflect"
	"strconv"
)

// parsers holds, for types whose fields say nothing to a reader, the functions
// that make their values from text.
var parsers = map[reflect.Type]string{
	reflect.TypeFor[netip.Addr]():     "MustParseAddr",
	reflect.TypeFor[netip.AddrPort](): "MustParseAddrPort",
	reflect.TypeFor[netip.Prefix]():   "MustParsePrefix",
}

// address returns v as a call of one of the parsers. It reports false if there is
// none, or if v is out of its reach.
func (p *printer) address(v reflect.Value, pl place) (n *node, ok bool) {
	parser := parsers[v.Type()]
	if parser == "" || !v.CanInterface() {
		return nil, false
	}
	x, valid := v.Interface().(interface {
		IsValid() bool
		String() string
	})
	if !valid || !x.IsValid() {
		return nil, false
	}
	return p.text(p.types.qualifier("net/netip", "netip")+parser+"("+strconv.Quote(x.String())+")",
		v.Type(), pl), true
}
