module github.com/espalier-go/espalier/contrib/openapi

go 1.26.0

require (
	github.com/espalier-go/espalier v0.0.0
	github.com/getkin/kin-openapi v0.153.0
	github.com/stretchr/testify v1.12.1
	go.yaml.in/yaml/v4 v4.0.0
)

require (
	github.com/dlclark/regexp2 v1.12.0 // indirect
	github.com/go-openapi/jsonpointer v0.22.5 // indirect
	github.com/go-openapi/swag/jsonname v0.25.5 // indirect
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/exp v0.0.0-20260908205506-85c1c2202aba // indirect
	golang.org/x/text v0.14.0 // indirect
)

replace github.com/espalier-go/espalier => ../..
