package main

import (
	"encoding/json"
	"flag"
	"testing"
)

var orderFlag = flag.String("order", "", "carry out an order of the bench: JSON")

// TestOrder carries out the order of a flag.
func TestOrder(t *testing.T) {
	if *orderFlag == "" {
		t.Skip("no -order")
	}
	var o order
	if err := json.Unmarshal([]byte(*orderFlag), &o); err != nil {
		t.Fatal(err)
	}
	orders[o.Do](o, t)
}
