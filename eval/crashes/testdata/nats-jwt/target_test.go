package jwt_test

import (
	"encoding/json"
	"testing"

	"github.com/nats-io/jwt"
)

func FuzzAccountClaims(f *testing.F) {
	const key = "ACZSWBJ4SYILK7QVDELO64VX3EFWB6CXCPMEBUKA36MJJQRPXGEEQ2WJ"
	f.Add([]byte(`{"sub":"` + key + `","nats":{"limits":{"subs":-1,"conn":10}}}`))
	f.Add([]byte(`{"sub":"` + key + `","nats":{"limits":{"imports":-1,"exports":-1},` +
		`"exports":[{"subject":"a.b","type":"stream"}],` +
		`"imports":[{"account":"` + key + `","subject":"a","to":"b","type":"stream"}]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var claims jwt.AccountClaims
		if json.Unmarshal(b, &claims) == nil {
			claims.Validate(jwt.CreateValidationResults())
		}
	})
}
