package modulebugs

import (
	"bytes"
	"math"

	"github.com/BurntSushi/toml"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/mutants"
	"github.com/espalier-go/espalier/bigen"
)

// A settings is a document.
type settings struct {
	Title  string
	Ratio  float64
	On     bool
	Counts []int64
	Hosts  map[string]string
	Tables []table
	Main   *table
}

type table struct {
	Name string
	Args []string
	Size uint16
}

var rapidTable = rapid.Custom(func(t *rapid.T) table {
	return table{rapid.String().Draw(t, "name"), rapid.SliceOf(rapid.String()).Draw(t, "args"),
		rapid.Uint16().Draw(t, "size")}
})

func rapidSettings(t *rapid.T) (s settings) {
	s.Title = rapid.String().Draw(t, "title")
	s.Ratio = rapid.OneOf(rapid.Float64(),
		rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1)})).Draw(t, "ratio")
	s.On = rapid.Bool().Draw(t, "on")
	s.Counts = rapid.SliceOf(rapid.Int64()).Draw(t, "counts")
	s.Hosts = rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "hosts")
	s.Tables = rapid.SliceOf(rapidTable).Draw(t, "tables")
	s.Main = rapid.Ptr(rapidTable, true).Draw(t, "main")
	return s
}

const (
	tomlKey    = "escapes in keys"
	tomlString = "control characters in strings"
	tomlFloat  = "#263: NaN and Inf"
)

var tomlModule = mutants.New(mutants.Spec[settings]{
	Name:       "toml@v0.3.1",
	Bugs:       []string{tomlKey, tomlString, tomlFloat},
	Fails:      tomlFails,
	Built:      bigen.For[settings](),
	RapidBuilt: rapidSettings,
})

// comesBack reports whether a document is decoded to what has been encoded.
func comesBack(s settings) bool {
	var b, again bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(s); err != nil {
		return false
	}
	var back settings
	if _, err := toml.Decode(b.String(), &back); err != nil {
		return false
	}
	if err := toml.NewEncoder(&again).Encode(back); err != nil {
		return false
	}
	return again.String() == b.String()
}

func tomlFails(bug string, s settings) bool {
	odd := math.IsNaN(s.Ratio) || math.IsInf(s.Ratio, 0)
	switch bug {
	case tomlKey:
		if odd {
			s.Ratio = 0
		}
		s.Title, s.Tables, s.Main = "", nil, nil
		hosts := map[string]string{}
		for k := range s.Hosts {
			if k != "" { // it is refused with an error
				hosts[k] = ""
			}
		}
		s.Hosts = hosts
	case tomlString:
		if odd {
			s.Ratio = 0
		}
		s.Hosts = nil
	case tomlFloat:
		if !odd {
			return false
		}
		s = settings{Ratio: s.Ratio}
	}
	return !comesBack(s)
}
