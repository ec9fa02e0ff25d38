package main

import (
	"encoding/json"
	"flag"
	"os"
	"testing"
)

var orderFlag = flag.String("order", "", "carry out an order of the bench: JSON")

// TestMain carries out the order of the flag, in a test whose name, and thus whose seeds, remain.
func TestMain(m *testing.M) {
	flag.Parse()
	if *orderFlag == "" {
		os.Exit(m.Run())
	}
	var o order
	if err := json.Unmarshal([]byte(*orderFlag), &o); err != nil {
		panic(err)
	}
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "T", F: func(t *testing.T) { orders[o.Do](o, t) }}}, nil, nil)
}
