// Package derive reads the configuration of a service. It stands for the code of a
// user of Espalier, with types too large to write a generator for: config_test.go
// derives one.
package derive

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// Config is the configuration of a service.
type Config struct {
	Name      string              `json:"name" bigen:"len=1..16"`
	Listeners map[string]Listener `json:"listeners" bigen:"len=1..3"`
	Pool      Pool                `json:"pool"`
	Store     Backend             `json:"store"`
	Labels    map[string]string   `json:"labels,omitempty"`
	Staging   *Config             `json:"staging,omitempty"` // settings for staging

	loaded time.Time `bigen:"-"` // by Load
}

// Listener is an address to listen on.
type Listener struct {
	Port    uint16        `json:"port" bigen:"range=1.."`
	Scheme  string        `json:"scheme" bigen:"oneof=http|https|grpc"`
	Timeout time.Duration `json:"timeout" bigen:"range=1ms..1h"`
	Origins []string      `json:"origins,omitempty"`
	Limits
}

// Limits apply to each client.
type Limits struct {
	Rate  *uint32 `json:"rate,omitempty" bigen:"range=1..1_000_000"` // requests per second
	Burst int     `json:"burst" bigen:"range=0..1000"`
}

// Pool is a pool of workers. Max is not below Min.
type Pool struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// A Store keeps data: a Memory, *Disk or *Tiers.
type Store interface{ check() error }

type (
	Memory struct {
		Megabytes uint32 `json:"megabytes" bigen:"range=1..65536"`
	}
	Disk struct {
		Path string `json:"path" bigen:"len=1..40"`
		Sync bool   `json:"sync"`
	}
	// Tiers are searched one after the other.
	Tiers struct {
		Stores []Backend `json:"stores" bigen:"len=1..4"`
	}
)

// Backend is a Store in JSON: an object whose only key is the kind of the store.
type Backend struct{ Store }

type kinds struct {
	Memory *Memory `json:"memory,omitempty"`
	Disk   *Disk   `json:"disk,omitempty"`
	Tiers  *Tiers  `json:"tiers,omitempty"`
}

// MarshalJSON implements [json.Marshaler].
func (b Backend) MarshalJSON() ([]byte, error) {
	switch s := b.Store.(type) {
	case Memory:
		return json.Marshal(kinds{Memory: &s})
	case *Disk:
		return json.Marshal(kinds{Disk: s})
	case *Tiers:
		return json.Marshal(kinds{Tiers: s})
	}
	return nil, fmt.Errorf("a store of type %T has no JSON", b.Store)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (b *Backend) UnmarshalJSON(data []byte) error {
	var k kinds
	if err := json.Unmarshal(data, &k); err != nil {
		return err
	}
	switch {
	case k.Memory != nil:
		b.Store = *k.Memory
	case k.Disk != nil:
		b.Store = k.Disk
	case k.Tiers != nil:
		b.Store = k.Tiers
	default:
		return errors.New("a store of no kind that is known")
	}
	return nil
}

// Load reads a configuration from JSON and checks it.
func Load(data []byte) (*Config, error) {
	c := &Config{}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, err
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	c.loaded = time.Now()
	return c, nil
}

// Validate returns an error if c is not valid.
func (c *Config) Validate() error {
	if n := utf8.RuneCountInString(c.Name); n == 0 || n > 16 {
		return fmt.Errorf("name %q: want 1 to 16 characters", c.Name)
	}
	if len(c.Listeners) == 0 {
		return errors.New("no listeners")
	}
	for name, l := range c.Listeners {
		if err := l.check(); err != nil {
			return fmt.Errorf("listener %q: %w", name, err)
		}
	}
	if c.Pool.Min < 0 || c.Pool.Max < max(1, c.Pool.Min) {
		return fmt.Errorf("pool of %d to %d workers", c.Pool.Min, c.Pool.Max)
	}
	if err := c.Store.check(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if c.Staging != nil {
		if err := c.Staging.Validate(); err != nil {
			return fmt.Errorf("staging: %w", err)
		}
	}
	return nil
}

func (l Listener) check() error {
	switch {
	case l.Port == 0:
		return errors.New("no port")
	case l.Scheme != "http" && l.Scheme != "https" && l.Scheme != "grpc":
		return fmt.Errorf("scheme %q: want http, https or grpc", l.Scheme)
	case l.Timeout < time.Millisecond || l.Timeout > time.Hour:
		return fmt.Errorf("timeout %v: want 1ms to 1h", l.Timeout)
	case l.Rate != nil && *l.Rate == 0:
		return errors.New("a rate of 0")
	case l.Burst < 0:
		return fmt.Errorf("a burst of %d", l.Burst)
	}
	return nil
}

func (b Backend) check() error {
	if b.Store == nil {
		return errors.New("missing")
	}
	return b.Store.check()
}

func (m Memory) check() error {
	if m.Megabytes == 0 || m.Megabytes > 65536 {
		return fmt.Errorf("%d MB: want 1 to 65536", m.Megabytes)
	}
	return nil
}

func (d *Disk) check() error {
	if d.Path == "" {
		return errors.New("no path")
	}
	return nil
}

func (t *Tiers) check() error {
	if len(t.Stores) == 0 {
		return errors.New("no tiers")
	}
	for i, b := range t.Stores {
		if err := b.check(); err != nil {
			return fmt.Errorf("tier %d: %w", i, err)
		}
	}
	return nil
}
