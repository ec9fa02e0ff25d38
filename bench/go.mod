module github.com/espalier-go/espalier/bench

go 1.26.0

require github.com/espalier-go/espalier v0.0.0

require (
	golang.org/x/exp v0.0.0-20260908205506-85c1c2202aba // indirect
	pgregory.net/rapid v1.3.0
)

replace github.com/espalier-go/espalier => ..
