package bigenpb

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"google.golang.org/protobuf/encoding/protowire"
)

// Expressions of formats. Random texts of them are short.
const (
	atom     = "[\\w!#$%&'*+/=?^`{|}~-]{1,9}"
	label    = `[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?`
	hostname = `(?:` + label + `\.)*[A-Za-z](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?`
	pchar    = `(?:[\w.~!$&'()*+,;=:@-]{1,9}|%[\dA-Fa-f]{2})`
	path     = `(?:/` + pchar + `*)*`
	host     = `//` + hostname + `(?::\d{1,4})?` + path
	query    = `(?:\?(?:[/?]|` + pchar + `)*)?(?:#(?:[/?]|` + pchar + `)*)?`
	scheme   = `[A-Za-z][A-Za-z\d+.-]{0,9}:`
	uri      = scheme + `(?:` + host + `|/|(?:/?` + pchar + `+` + path + `)?)` + query
	uriRef   = `(?:` + host + `|/|(?:/?[\w.~-]+` + path + `)?)` + query
	hex      = `[\dA-Fa-f]`
	fullName = `[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*`

	anyHost  = `(?:` + label + `\.)*` + label
	anyEmail = "[\\w.!#$%&'*+/=?^`{|}~-]+@" + anyHost
	ipv4     = octet + `(?:\.` + octet + `){3}`
	octet    = `(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
	port     = `(?:6553[0-5]|655[0-2]\d|65[0-4]\d\d|6[0-4]\d{3}|[1-5]\d{4}|[1-9]\d{0,3}|0)`
)

// ipv6 matches all texts of IP addresses of version 6, without zones.
var ipv6 = func() string {
	const group = hex + `{1,4}`
	end := `(?:` + group + `:` + group + `|` + ipv4 + `)` // of 32 bits
	all := []string{`(?:` + group + `:){6}` + end, `::`}
	for before := range 8 { // groups before ::
		begin := `::`
		if before > 0 {
			begin = fmt.Sprintf(`(?:%s:){%d}%[1]s::`, group, before-1)
			all = append(all, begin)
		}
		if before < 7 {
			all = append(all, begin+group)
		}
		if before < 6 {
			all = append(all, fmt.Sprintf(`%s(?:%s:){0,%d}%s`, begin, group, 5-before, end))
		}
	}
	return `(?:` + strings.Join(all, "|") + `)`
}()

// header makes headers of HTTP, of which rules say whether they are strict.
func header(r rules) bigen.Gen[string] {
	names, loose := r.last(24).bits == 1, r.has(25) && !r.on(25)
	switch {
	case loose && r.old:
		return bigen.Matching(`^[^\x00\n\r]*$`)
	case loose: // an empty value is valid only if it is strict
		return bigen.Matching(`^[^\x00\n\r]+$`)
	case names:
		return bigen.Matching("^:?[\\w!#$%&'*+.^|~`-]+$")
	}
	return bigen.Matching(`^[^\x00-\x08\n-\x1F\x7F]*$`)
}

// formatOf makes the texts of the well-known format that rules of strings name, if there is
// one.
func formatOf(r rules) (g bigen.Gen[string], ok bool) {
	addrs := func(ok func(netip.Addr) bool) bigen.Gen[string] {
		return written(bigen.Addr(), netip.ParseAddr, func(a netip.Addr) bool {
			return a.Zone() == "" && ok(a)
		})
	}
	prefixes := func(ok func(netip.Prefix) bool) bigen.Gen[string] {
		return written(bigen.Prefix(), netip.ParsePrefix, ok)
	}
	is6 := func(a netip.Addr) bool { return a.Is6() && !a.Is4In6() }
	network := func(p netip.Prefix) bool { return p == p.Masked() }
	masked := func(g bigen.Gen[string]) bigen.Gen[string] {
		return bigen.SuchThat(g, func(s string) bool {
			p, err := netip.ParsePrefix(s)
			return err == nil && network(p)
		})
	}
	const size4, size6 = `/(?:[12]?\d|3[0-2])`, `/(?:1[01]\d|12[0-8]|[1-9]?\d)`
	either := func(expr ...string) bigen.Gen[string] { return bigen.Matching(strings.Join(expr, "|")) }
	hosts, ips := upTo(253, hostname), addrs(netip.Addr.IsValid)
	allHosts := bigen.SuchThat(upTo(253, anyHost+`\.?`), named)
	ports := written(bigen.AddrPort(), netip.ParseAddrPort, func(a netip.AddrPort) bool {
		return a.Addr().Zone() == ""
	})
	also := func(usual, all bigen.Gen[string]) bigen.Gen[string] {
		if r.old { // its rules are stricter
			return usual
		}
		return bigen.Pick(bigen.Tag("usual", usual), bigen.Tag("other", all).Weight(.05))
	}
	formats := map[protowire.Number]func() bigen.Gen[string]{
		12: func() bigen.Gen[string] { // email
			return also(upTo(254, atom+`(?:\.`+atom+`){0,5}@`+hostname), bigen.Matching(anyEmail))
		},
		13: func() bigen.Gen[string] { return also(hosts, allHosts) },             // hostname
		14: func() bigen.Gen[string] { return also(ips, either(ipv4, ipv6)) },     // ip
		15: func() bigen.Gen[string] { return addrs(netip.Addr.Is4) },             // ipv4
		16: func() bigen.Gen[string] { return also(addrs(is6), either(ipv6)) },    // ipv6
		17: func() bigen.Gen[string] { return bigen.Matching(uri) },               // uri
		18: func() bigen.Gen[string] { return also(either(uriRef), either(uri)) }, // uri_ref
		21: func() bigen.Gen[string] { // address
			return also(bigen.Pick(bigen.Tag("hostname", hosts), bigen.Tag("ip", ips)),
				bigen.Pick(bigen.Tag("hostname", allHosts), bigen.Tag("ip", either(ipv4, ipv6))))
		},
		22: func() bigen.Gen[string] { // uuid
			return bigen.Matching(hex + `{8}(?:-` + hex + `{4}){3}-` + hex + `{12}`)
		},
		24: func() bigen.Gen[string] { return header(r) }, // well_known_regex
		26: func() bigen.Gen[string] { // ip_with_prefixlen
			return also(prefixes(netip.Prefix.IsValid), either(ipv4+size4, ipv6+size6))
		},
		27: func() bigen.Gen[string] { // ipv4_with_prefixlen
			return prefixes(func(p netip.Prefix) bool { return p.Addr().Is4() })
		},
		28: func() bigen.Gen[string] { // ipv6_with_prefixlen
			return also(prefixes(func(p netip.Prefix) bool { return is6(p.Addr()) }), either(ipv6+size6))
		},
		29: func() bigen.Gen[string] { // ip_prefix
			return also(prefixes(network), masked(either(ipv4+size4, ipv6+size6)))
		},
		30: func() bigen.Gen[string] { // ipv4_prefix
			return prefixes(func(p netip.Prefix) bool { return network(p) && p.Addr().Is4() })
		},
		31: func() bigen.Gen[string] { // ipv6_prefix
			return also(prefixes(func(p netip.Prefix) bool { return network(p) && is6(p.Addr()) }),
				masked(either(ipv6+size6)))
		},
		32: func() bigen.Gen[string] { // host_and_port
			return also(bigen.Pick(
				bigen.Tag("hostname", bigen.Matching(hostname+`:(?:0|[1-9]\d{0,3})`)), bigen.Tag("ip", ports),
			), bigen.SuchThat(bigen.Matching(`(?:`+anyHost+`\.?|`+ipv4+`|\[`+ipv6+`\]):`+port), endpoint))
		},
		33: func() bigen.Gen[string] { return bigen.Matching(hex + `{32}`) }, // tuuid
		35: func() bigen.Gen[string] { // ulid
			return bigen.Matching(`[0-7][\dA-HJKMNP-TV-Za-hjkmnp-tv-z]{25}`)
		},
		37: func() bigen.Gen[string] { return bigen.Matching(fullName) },        // protobuf_fqn
		38: func() bigen.Gen[string] { return bigen.Matching(`\.` + fullName) }, // protobuf_dot_fqn
	}
	for number, of := range formats {
		if r.on(number) && !(r.old && number == 26) { // where it is ignore_empty
			return of(), true
		}
	}
	return g, false
}

// endpoint reports whether a text is a host and a port, if it looks like them.
func endpoint(s string) bool {
	colon := strings.LastIndexByte(s, ':')
	if colon < 0 {
		return false
	}
	host := s[:colon]
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || len(host) <= 253 && named(host)
}

// named reports whether the last label of a name of a host is not a number.
func named(host string) bool {
	host = strings.TrimSuffix(host, ".")
	return strings.Trim(host[strings.LastIndexByte(host, '.')+1:], "0123456789") != ""
}

// upTo makes the matching texts of at most a number of bytes.
func upTo(most int, expr string) bigen.Gen[string] {
	return bigen.SuchThat(bigen.Matching(expr), func(s string) bool { return len(s) <= most })
}

// written makes the texts of the values that pass a test, as String writes them.
func written[T fmt.Stringer](
	g bigen.Gen[T], parse func(string) (T, error), ok func(T) bool,
) bigen.Gen[string] {
	return bigen.Iso(bigen.SuchThat(g, ok), T.String, func(s string) (T, bool) {
		v, err := parse(s)
		return v, err == nil && v.String() == s
	})
}
