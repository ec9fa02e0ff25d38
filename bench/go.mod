module github.com/espalier-go/espalier/bench

go 1.26.0

require (
	github.com/BurntSushi/toml v0.3.1
	github.com/RoaringBitmap/roaring v0.4.17
	github.com/asaskevich/govalidator v0.0.0-20230301143203-a9d515a09cc2
	github.com/buger/jsonparser v1.1.1
	github.com/dominikbraun/graph v0.23.0
	github.com/dop251/goja v0.0.0-20260917113740-793a2a65c13b
	github.com/espalier-go/espalier v0.0.0
	github.com/evanphx/json-patch v4.2.0+incompatible
	github.com/expr-lang/expr v1.17.8
	github.com/golang-sql/civil v0.0.0-20220223132316-b832511892a9
	github.com/golang/geo v0.0.0-20260818125358-b200a1149890
	github.com/google/pprof v0.0.0-20230207041349-798e818bf904
	github.com/google/uuid v1.6.0
	github.com/hashicorp/go-immutable-radix/v2 v2.1.0
	github.com/hashicorp/yamux v0.1.2
	github.com/samber/lo v1.53.0
	github.com/sergi/go-diff v1.2.0
	github.com/stretchr/testify v1.12.1
	github.com/tetratelabs/wazero v1.12.0
	github.com/tidwall/gjson v1.20.3
	golang.org/x/mod v0.43.0
	golang.org/x/net v0.38.0
	golang.org/x/text v0.23.0
	google.golang.org/protobuf v1.36.12
	mvdan.cc/sh/v3 v3.14.1
)

require (
	github.com/anishathalye/porcupine v1.3.1 // indirect
	github.com/dlclark/regexp2/v2 v2.5.2 // indirect
	github.com/glycerine/go-unsnap-stream v0.0.0-20181221182339-f9677308dec2 // indirect
	github.com/go-sourcemap/sourcemap v2.1.3+incompatible // indirect
	github.com/golang/snappy v0.0.1 // indirect
	github.com/hashicorp/golang-lru/v2 v2.0.7 // indirect
	github.com/mschoch/smat v0.0.0-20160514031455-90eadee771ae // indirect
	github.com/philhofer/fwd v1.0.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.3.0 // indirect
	github.com/tinylib/msgp v1.1.0 // indirect
	github.com/willf/bitset v1.1.10 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

require (
	golang.org/x/exp v0.0.0-20260908205506-85c1c2202aba // indirect
	pgregory.net/rapid v1.3.0
)

replace github.com/espalier-go/espalier => ..
