package main

import (
	"strings"

	"github.com/orisano/gosax"
)

func gosaxSkip() any {
	return gosax.Skip(gosax.NewReader(strings.NewReader("<a>")))
}
