module github.com/espalier-go/espalier/bench

go 1.26.0

require github.com/espalier-go/espalier v0.0.0

require pgregory.net/rapid v1.3.0 // indirect

replace github.com/espalier-go/espalier => ..
