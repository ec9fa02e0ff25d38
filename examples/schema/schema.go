// Package schema reads the configuration of a service, which a JSON Schema describes.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// A Service is what a configuration says.
type Service struct {
	Name   string `json:"name"`
	Listen []struct {
		Host string `json:"host,omitempty"`
		Port int    `json:"port"`
	} `json:"listen"`
	Timeout string  `json:"timeout,omitempty"`
	Retries *Retry  `json:"retries,omitempty"`
	Rate    float64 `json:"rate,omitempty"`
}

// A Retry says how often a service tries again. Either of its fields is set.
type Retry struct {
	Times *int `json:"times,omitempty"`
	Never bool `json:"never,omitempty"`
}

// Parse reads a configuration. It returns an error unless it is one.
func Parse(text []byte) (*Service, error) {
	s := &Service{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, err
	}
	if s.Name == "" || len(s.Listen) == 0 {
		return nil, fmt.Errorf("a service needs a name, and an address to listen at")
	}
	for _, l := range s.Listen {
		if l.Port < 1 || l.Port > 65535 {
			return nil, fmt.Errorf("the service %s: there is no port %d", s.Name, l.Port)
		}
	}
	if s.Timeout != "" {
		if _, err := time.ParseDuration(s.Timeout); err != nil {
			return nil, fmt.Errorf("the service %s: %w", s.Name, err)
		}
	}
	return s, nil
}
