package main

import "github.com/espalier-go/espalier/cmd/corpusgen/internal/apitest"

var _ = register(&command{
	name:    "api",
	summary: "write a harness that calls the API of a package",
	usage:   usage("api"),
	run:     apitest.Run,
})
