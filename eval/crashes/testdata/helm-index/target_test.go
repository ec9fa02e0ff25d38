package strvals_test

import (
	"testing"

	"helm.sh/helm/v3/pkg/strvals"
)

func FuzzParse(f *testing.F) {
	f.Add("name=value,outer.inner=1,list={a,b}")
	f.Add("servers[0].port=80,servers[1].port=81")
	f.Fuzz(func(t *testing.T, s string) {
		strvals.Parse(s)
	})
}
