package bigen

import (
	"encoding/binary"
	"fmt"
	"net/netip"
)

// Addr makes any valid IP address: IPv4, IPv4 mapped to IPv6, and IPv6, with or
// without a zone of up to 16 runes of valid UTF-8. Of random addresses, a quarter
// have a meaning of their own, such as loopback and private ones.
func Addr() Gen[netip.Addr] { return addrGens.get(newAddrGens).any }

// Prefix makes any valid IP prefix. Of random prefixes, half are networks: their
// addresses have no bits beyond the prefix.
func Prefix() Gen[netip.Prefix] { return prefixGen.get(newPrefixGen) }

// AddrPort makes an address of [Addr] with any port.
func AddrPort() Gen[netip.AddrPort] { return addrPortGen.get(newAddrPortGen) }

// ipv6Words are the halves of an IPv6 address.
type ipv6Words struct {
	Hi, Lo uint64
	Zone   string
}

func (w ipv6Words) addr() netip.Addr {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], w.Hi)
	binary.BigEndian.PutUint64(b[8:], w.Lo)
	return netip.AddrFrom16(b).WithZone(w.Zone)
}

func wordsOf(a netip.Addr) ipv6Words {
	b := a.As16()
	return ipv6Words{binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:]), a.Zone()}
}

const mappedBits = 0xFFFF << 32 // the bits before an IPv4 address mapped to IPv6

var (
	addrGens    onDemand[addresses]
	prefixGen   onDemand[Gen[netip.Prefix]]
	addrPortGen onDemand[Gen[netip.AddrPort]]
)

// addresses are the generators of IP addresses: of all, and of those without a zone.
type addresses struct{ any, plain Gen[netip.Addr] }

func newAddrGens() addresses {
	ipv4 := from32Bits("an IPv4 address", netip.Addr.Unmap, netip.Addr.Is4)
	mapped := from32Bits("an IPv4 address mapped to IPv6",
		func(mapped netip.Addr) netip.Addr { return mapped },
		func(a netip.Addr) bool { return a.Is4In6() && a.Zone() == "" })
	alts := []Alt[netip.Addr]{Tag("ipv4", ipv4), Tag("mapped", mapped), Tag("ipv6", ipv6(nil))}
	zone := Favor(String(16), "eth0", "1")

	special := parseAddrs(
		"127.0.0.1", "0.0.0.0", "255.255.255.255", "10.0.0.1", "172.16.0.1", "192.168.0.1",
		"100.64.0.1", "169.254.169.254", "192.0.2.1", "224.0.0.1", "::", "::1", "::ffff:127.0.0.1",
		"fc00::1", "fe80::1", "ff02::1", "2001:db8::1", "64:ff9b::7f00:1", "2002:7f00:1::",
	)
	return addresses{
		any:   favor(Pick(append(alts, Tag("zoned", ipv6(&zone)))...), 3, special),
		plain: favor(Pick(alts...), 3, special),
	}
}

// from32Bits makes what to returns for IPv4 addresses mapped to IPv6. is reports whether an address
// is such an address.
func from32Bits(
	name string, to func(mapped netip.Addr) netip.Addr, is func(netip.Addr) bool,
) Gen[netip.Addr] {
	return view(Int[uint32](),
		func(n uint32) netip.Addr { return to(ipv6Words{Lo: mappedBits | uint64(n)}.addr()) },
		func(a netip.Addr) (n uint32, ok bool) {
			if ok = is(a); ok {
				n = uint32(wordsOf(a).Lo)
			}
			return n, ok
		},
		func(a netip.Addr) string { return fmt.Sprintf("%v is not %s", a, name) })
}

// ipv6 makes IPv6 addresses, with a zone if it is given a generator of zones.
func ipv6(zone *Gen[string]) Gen[netip.Addr] {
	return view(
		Struct(func(c *C, w *ipv6Words) {
			At(c, &w.Hi, Int[uint64]())
			At(c, &w.Lo, Int[uint64]())
			if zone != nil {
				At(c, &w.Zone, *zone)
			}
		}),
		ipv6Words.addr,
		func(a netip.Addr) (ipv6Words, bool) {
			if !a.Is6() || zone == nil && a.Zone() != "" {
				return ipv6Words{}, false
			}
			return wordsOf(a), true
		},
		func(a netip.Addr) string {
			if !a.Is6() {
				return fmt.Sprintf("%v is not an IPv6 address", a)
			}
			return fmt.Sprintf("%v has a zone", a)
		})
}

func parseAddrs(list ...string) (addrs []netip.Addr) {
	for _, s := range list {
		addrs = append(addrs, netip.MustParseAddr(s))
	}
	return addrs
}

type prefixParts struct {
	Addr netip.Addr
	Bits int
}

func newPrefixGen() Gen[netip.Prefix] {
	addr := addrGens.get(newAddrGens).plain
	parts := Struct(func(c *C, p *prefixParts) {
		At(c, &p.Addr, addr)
		At(c, &p.Bits, edgeRange(0, p.Addr.BitLen()))
	})
	return Pick(
		Tag("network", view(parts,
			func(p prefixParts) netip.Prefix { return netip.PrefixFrom(p.Addr, p.Bits).Masked() },
			func(p netip.Prefix) (prefixParts, bool) {
				return prefixParts{p.Addr(), p.Bits()}, p.IsValid() && p == p.Masked()
			},
			func(p netip.Prefix) string {
				if p.IsValid() {
					return fmt.Sprintf("%v has bits beyond the prefix", p)
				}
				return "is not a valid prefix"
			})),
		Tag("host", view(parts,
			func(p prefixParts) netip.Prefix { return netip.PrefixFrom(p.Addr, p.Bits) },
			func(p netip.Prefix) (prefixParts, bool) {
				return prefixParts{p.Addr(), p.Bits()}, p.IsValid()
			},
			func(netip.Prefix) string { return "is not a valid prefix" })),
	)
}

type addrPortParts struct {
	Addr netip.Addr
	Port uint16
}

func newAddrPortGen() Gen[netip.AddrPort] {
	addr := Addr()
	return view(
		Struct(func(c *C, p *addrPortParts) {
			At(c, &p.Addr, addr)
			At(c, &p.Port, Int[uint16]())
		}),
		func(p addrPortParts) netip.AddrPort { return netip.AddrPortFrom(p.Addr, p.Port) },
		func(p netip.AddrPort) (addrPortParts, bool) {
			return addrPortParts{p.Addr(), p.Port()}, true
		},
		func(netip.AddrPort) string { return "" }, // what is not made is its address
	)
}
