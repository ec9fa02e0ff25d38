package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/espalier-go/espalier/eval/others"
)

// A module is one of the Go proxy, whose files are data here.
type module struct{ path, version, sum string }

func (m module) String() string { return m.path + "@" + m.version }

// dir returns the directory of the module in the cache, once it is there. The sum may be empty if
// each file of the module has a hash of its own.
func (m module) dir(ctx context.Context) (string, error) {
	out, err := others.Output(ctx, os.TempDir(), "go", "mod", "download", "-json", m.String())
	var got struct{ Dir, Sum, Error string }
	if json.Unmarshal(out, &got) == nil && got.Error != "" {
		err = fmt.Errorf("%s", got.Error)
	}
	if err != nil {
		return "", fmt.Errorf("download the module %s: %w", m, err)
	}
	if m.sum != "" && got.Sum != m.sum {
		return "", fmt.Errorf("the module %s has the sum %s, not %s: its files are not the ones to measure "+
			"against; clear them with go clean -modcache, and try again", m, got.Sum, m.sum)
	}
	return got.Dir, nil
}
