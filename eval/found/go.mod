module github.com/espalier-go/espalier/eval/found

go 1.26.0

require (
	github.com/PuerkitoBio/goquery v1.13.0
	github.com/Rhymond/go-money v1.0.15
	github.com/VictoriaMetrics/metricsql v0.87.3
	github.com/Workiva/go-datastructures v1.1.5
	github.com/adamzy/cedar-go v0.0.0-20170805034717-80a9c64b256d
	github.com/alecthomas/kingpin/v2 v2.4.0
	github.com/beevik/etree v1.8.0
	github.com/bits-and-blooms/bitset v1.24.4
	github.com/bits-and-blooms/bloom/v3 v3.7.1
	github.com/casbin/casbin/v2 v2.135.0
	github.com/charmbracelet/x/vt v0.1.0
	github.com/derekparker/trie/v3 v3.2.0
	github.com/dsoprea/go-exif/v3 v3.0.1
	github.com/emirpasic/gods/v2 v2.0.0-alpha
	github.com/evanphx/json-patch v4.2.0+incompatible
	github.com/go-co-op/gocron/v2 v2.21.2
	github.com/go-sql-driver/mysql v1.10.1
	github.com/gorilla/schema v1.4.1
	github.com/hashicorp/go-version v1.9.0
	github.com/hbollon/go-edlib v1.7.0
	github.com/itchyny/gojq v0.12.20
	github.com/json-iterator/go v1.1.12
	github.com/kevinburke/ssh_config v1.6.0
	github.com/klauspost/cpuid/v2 v2.4.2
	github.com/kr/pretty v0.3.1
	github.com/kr/text v0.2.0
	github.com/muktihari/xmltokenizer v0.0.5
	github.com/orisano/gosax v1.1.4
	github.com/paulmach/orb v0.14.0
	github.com/pb33f/libopenapi v0.42.4
	github.com/pelletier/go-toml v1.9.5
	github.com/philhofer/fwd v1.1.1
	github.com/quagmt/udecimal v1.10.1
	github.com/quasilyte/gogrep v0.5.0
	github.com/russross/blackfriday/v2 v2.1.0
	github.com/stretchr/testify v1.12.1
	github.com/zyedidia/generic v1.2.1
	gonum.org/v1/plot v0.17.0
	gopkg.in/inf.v0 v0.9.1
	gopkg.in/yaml.v3 v3.0.1
)

require github.com/dolthub/maphash v0.1.0 // indirect

require (
	codeberg.org/go-fonts/liberation v0.5.0 // indirect
	codeberg.org/go-latex/latex v0.2.0 // indirect
	codeberg.org/go-pdf/fpdf v0.11.1 // indirect
	filippo.io/edwards25519 v1.2.0 // indirect
	git.sr.ht/~sbinet/gg v0.7.0 // indirect
	github.com/VictoriaMetrics/metrics v1.35.3 // indirect
	github.com/ajstarks/svgo v0.0.0-20211024235047-1546f124cd8b // indirect
	github.com/alecthomas/units v0.0.0-20211218093645-b94a6e3cc137 // indirect
	github.com/andybalholm/cascadia v1.3.4 // indirect
	github.com/bahlo/generic-list-go v0.2.0 // indirect
	github.com/bmatcuk/doublestar/v4 v4.6.1 // indirect
	github.com/buger/jsonparser v1.1.2 // indirect
	github.com/casbin/govaluate v1.3.0 // indirect
	github.com/charmbracelet/colorprofile v0.4.2 // indirect
	github.com/charmbracelet/ultraviolet v0.0.0-20260303162955-0b88c25f3fff // indirect
	github.com/charmbracelet/x/ansi v0.11.7 // indirect
	github.com/charmbracelet/x/exp/ordered v0.1.0 // indirect
	github.com/charmbracelet/x/term v0.2.2 // indirect
	github.com/charmbracelet/x/termios v0.1.1 // indirect
	github.com/charmbracelet/x/windows v0.2.2 // indirect
	github.com/clipperhouse/displaywidth v0.11.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/dghubble/trie v0.1.0
	github.com/dolthub/swiss v0.2.1
	github.com/dsoprea/go-logging v0.0.0-20200710184922-b02d349568dd // indirect
	github.com/dsoprea/go-utility/v2 v2.0.0-20221003172846-a3e1774ef349 // indirect
	github.com/go-errors/errors v1.4.2 // indirect
	github.com/go-toolsmith/astequal v1.0.3 // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/golang/geo v0.0.0-20210211234256-740aa86cb551 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/gorhill/cronexpr v0.0.0-20180427100037-88b0669f7d75
	github.com/hjson/hjson-go/v4 v4.6.0
	github.com/itchyny/timefmt-go v0.1.9 // indirect
	github.com/jinzhu/inflection v1.0.0
	github.com/joho/godotenv v1.5.1
	github.com/jonboulle/clockwork v0.5.0 // indirect
	github.com/liamg/memoryfs v1.6.0
	github.com/lucasb-eyer/go-colorful v1.4.0 // indirect
	github.com/mattn/go-runewidth v0.0.31 // indirect
	github.com/mitchellh/hashstructure/v2 v2.0.2
	github.com/modern-go/concurrent v0.0.0-20180228061459-e0a39a4cb421 // indirect
	github.com/modern-go/reflect2 v1.0.2 // indirect
	github.com/montanaflynn/stats v0.14.0
	github.com/muesli/cancelreader v0.2.2 // indirect
	github.com/pb33f/go-yaml v0.1.1 // indirect
	github.com/pb33f/jsonpath v0.8.5 // indirect
	github.com/pb33f/ordered-map/v2 v2.3.2 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/robfig/cron/v3 v3.0.1 // indirect
	github.com/rogpeppe/go-internal v1.9.0 // indirect
	github.com/shopspring/decimal v1.6.0 // indirect
	github.com/valyala/fastrand v1.1.0 // indirect
	github.com/valyala/histogram v1.2.0 // indirect
	github.com/xhit/go-str2duration/v2 v2.1.0 // indirect
	github.com/xo/terminfo v0.0.0-20220910002029-abceb7e1c41e // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/exp/typeparams v0.0.0-20220428152302-39d4317da171 // indirect
	golang.org/x/image v0.30.0 // indirect
	golang.org/x/net v0.58.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.41.0 // indirect
	gopkg.in/yaml.v2 v2.4.0 // indirect
)
