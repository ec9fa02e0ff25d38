package derive

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/stretchr/testify/require"
)

// genConfig makes valid configurations. Most of it follows from the types and their
// tags. The pool has an invariant that no tag can tell, and so a generator of its own;
// of the stores, the types are named.
var genConfig = bigen.For[*Config](
	bigen.With(genPool),
	bigen.Variants[Store](Memory{}, (*Disk)(nil), (*Tiers)(nil)),
)

var genPool = bigen.Struct(func(c *bigen.C, p *Pool) {
	bigen.At(c, &p.Max, bigen.IntRange(1, 1000))
	bigen.At(c, &p.Min, bigen.IntRange(0, p.Max))
})

func typical() *Config {
	return &Config{
		Name: "shop",
		Listeners: map[string]Listener{
			"public": {Port: 443, Scheme: "https", Timeout: 30 * time.Second,
				Origins: []string{"https://example.com"}},
			"admin": {Port: 8081, Scheme: "grpc", Timeout: time.Minute, Limits: Limits{Burst: 10}},
		},
		Pool: Pool{Min: 2, Max: 8},
		Store: Backend{&Tiers{[]Backend{{Memory{Megabytes: 64}},
			{&Disk{Path: "/var/lib/shop", Sync: true}}}}},
		Labels: map[string]string{"team": "sales"},
	}
}

// FuzzConfig checks that every valid configuration passes, and survives JSON.
func FuzzConfig(f *testing.F) {
	fuzzext.Add(f, genConfig, typical())
	f.Fuzz(fuzzext.Valid(genConfig, surviveJSON))
}

func surviveJSON(t *fuzzext.T, c *Config) {
	t.Helper()
	if c == nil {
		return
	}
	require.NoError(t, c.Validate())
	data, err := json.Marshal(c)
	require.NoError(t, err)
	loaded, err := Load(data)
	require.NoError(t, err, "%s", data)
	require.False(t, loaded.loaded.IsZero())
	for d := loaded; d != nil; d = d.Staging {
		d.loaded = time.Time{}
	}
	again, err := json.Marshal(loaded)
	require.NoError(t, err)
	require.Equal(t, string(data), string(again))
	require.Equal(t, c, loaded)
}

// The generator agrees with Validate about what is wrong.
func TestInvalid(t *testing.T) {
	tests := []struct {
		name       string
		change     func(c *Config)
		path, want string // of the generator, of Validate
	}{
		{"name", func(c *Config) { c.Name = "" }, "/Name", "name"},
		{"port", func(c *Config) {
			c.Listeners["x"] = Listener{Scheme: "http", Timeout: time.Second}
		}, `/["x"]/Port`, `listener "x": no port`},
		{"pool", func(c *Config) { c.Pool.Min = 9 }, "/Pool/Min", "pool of 9 to 8 workers"},
		{"store", func(c *Config) { c.Store.Store.(*Tiers).Stores[1].Store = &Disk{} },
			"/Store/Store/*Tiers/Stores/1/Store/*Disk/Path", "tier 1: no path"},
		{"staging", func(c *Config) { c.Staging = &Config{} }, "/Staging/Name", "staging: name"},
	}
	require.NoError(t, bigen.Check(genConfig, typical()))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := typical()
			tt.change(c)
			require.ErrorContains(t, c.Validate(), tt.want)
			require.ErrorContains(t, bigen.Check(genConfig, c), tt.path+": ")
		})
	}
}

// Random configurations are neither all alike nor huge.
func TestSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	staging, tiers, most := 0, 0, 0
	for range 1000 {
		c := bigen.Sample(genConfig, r)
		if c == nil {
			continue
		}
		if c.Staging != nil {
			staging++
		}
		if _, ok := c.Store.Store.(*Tiers); ok {
			tiers++
		}
		data, err := json.Marshal(c)
		require.NoError(t, err)
		most = max(most, len(data))
	}
	require.Greater(t, staging, 50)
	require.Greater(t, tiers, 50)
	require.Less(t, most, 100_000)
}
