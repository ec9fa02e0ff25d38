package dns_test

import (
	"bytes"
	"testing"

	"github.com/miekg/dns"
)

func FuzzParseZone(f *testing.F) {
	f.Add([]byte("$TTL 60\nexample.org. IN A 192.0.2.1\nwww 3600 IN CNAME example.org.\n"))
	f.Add([]byte("@ IN SOA ns admin ( 1 7200 600 3600000 60 )\n@ IN TXT \"a text\" ; a comment\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for x := range dns.ParseZone(bytes.NewReader(b), "example.org.", "") {
			if x.Error == nil {
				_ = x.RR.String()
			}
		}
	})
}
