package libfuzzer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBinaryName(t *testing.T) {
	for _, tt := range []struct{ pkg, target, want string }{
		{"", "FuzzX", "fuzz_x"},
		{"", "Fuzz", "fuzz"},
		{"parse", "FuzzQuery", "fuzz_parse_query"},
		{"internal/jsonRPC", "FuzzHTTPServer2", "fuzz_internal_json_rpc_http_server2"},
		{"a.b-c", "Fuzz_ÄlterX", "fuzz_a_b_c_lter_x"},
		{"v2", "FuzzURL", "fuzz_v2_url"},
	} {
		require.Equal(t, tt.want, BinaryName(tt.pkg, tt.target), tt)
	}
}
