module github.com/espalier-go/espalier/bench/loaded

go 1.26.0

require (
	github.com/espalier-go/espalier v0.0.0
	github.com/espalier-go/espalier/bench v0.0.0
	github.com/espalier-go/espalier/eval v0.0.0
	github.com/stretchr/testify v1.12.1
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/exp v0.0.0-20260908205506-85c1c2202aba // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace (
	github.com/espalier-go/espalier => ../..
	github.com/espalier-go/espalier/bench => ..
	github.com/espalier-go/espalier/contrib/protovalidate => ../../contrib/protovalidate
	github.com/espalier-go/espalier/eval => ../../eval
)
