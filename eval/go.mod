module github.com/espalier-go/espalier/eval

go 1.26.0

require (
	buf.build/go/protovalidate v1.4.0
	github.com/RoaringBitmap/roaring/v2 v2.28.0
	github.com/andybalholm/cascadia v1.3.5
	github.com/beevik/etree v1.8.0
	github.com/bits-and-blooms/bitset v1.25.0
	github.com/bmatcuk/doublestar/v4 v4.9.2
	github.com/cockroachdb/apd/v3 v3.2.3
	github.com/dlclark/regexp2/v2 v2.8.0
	github.com/dustin/go-humanize v1.0.1
	github.com/espalier-go/espalier v0.0.0
	github.com/evanphx/json-patch/v5 v5.9.11
	github.com/go-playground/form/v4 v4.2.1
	github.com/gobwas/glob v1.1.0
	github.com/google/go-cmp v0.7.0
	github.com/google/jsonschema-go v0.4.3
	github.com/hashicorp/go-immutable-radix/v2 v2.1.0
	github.com/hjson/hjson-go/v4 v4.6.0
	github.com/joho/godotenv v1.5.1
	github.com/liamg/memoryfs v1.6.0
	github.com/magiconair/properties v1.18.12
	github.com/pierrec/lz4/v4 v4.1.30
	github.com/robfig/cron/v3 v3.0.1
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/sourcegraph/go-diff v0.9.0
	github.com/stretchr/testify v1.12.1
	github.com/tidwall/btree v1.8.1
	github.com/tidwall/gjson v1.19.1
	github.com/wI2L/jsondiff v0.7.1
	go.yaml.in/yaml/v3 v3.0.5
	golang.org/x/mod v0.41.0
	golang.org/x/net v0.55.0
	gomodules.xyz/jsonpatch/v2 v2.5.0
	google.golang.org/protobuf v1.36.12
	gopkg.in/ini.v1 v1.67.3
	mvdan.cc/sh/v3 v3.14.1
	pgregory.net/rapid v1.3.0
)

require (
	buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go v1.36.12-20260825204119-511051f7f437.1 // indirect
	cel.dev/cel-go v0.32.0 // indirect
	cel.dev/expr v0.25.3 // indirect
	github.com/antlr4-go/antlr/v4 v4.13.1 // indirect
	github.com/dlclark/regexp2 v1.12.0 // indirect
	github.com/mattn/go-runewidth v0.0.12 // indirect
	github.com/rivo/uniseg v0.2.0 // indirect
	golang.org/x/text v0.41.0 // indirect
	google.golang.org/genproto/googleapis/api v0.0.0-20260819154853-08b0e4226688 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260819154853-08b0e4226688 // indirect
)

require (
	github.com/DataDog/sketches-go v1.4.8
	github.com/Masterminds/semver/v3 v3.5.0
	github.com/buger/jsonparser v1.6.1
	github.com/espalier-go/espalier/contrib/protovalidate v0.0.0
	github.com/hashicorp/golang-lru/v2 v2.0.0 // indirect
	github.com/kevinburke/ssh_config v1.6.0
	github.com/mschoch/smat v0.2.0 // indirect
	github.com/muesli/reflow v0.3.0
	github.com/ohler55/ojg v1.28.6
	github.com/samber/lo v1.53.0
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5
	github.com/weppos/publicsuffix-go v0.50.3
	golang.org/x/exp v0.0.0-20260908205506-85c1c2202aba // indirect
	golang.org/x/sys v0.48.0 // indirect
)

replace github.com/espalier-go/espalier => ..

replace github.com/espalier-go/espalier/contrib/protovalidate => ../contrib/protovalidate
