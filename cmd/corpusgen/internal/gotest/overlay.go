package gotest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
)

// WriteOverlay writes to path a list for -overlay: what replaces files, and what the list in the
// file base has, if base is not "".
func WriteOverlay(path, base string, replace map[string]string) error {
	list := struct{ Replace map[string]string }{map[string]string{}}
	if base != "" {
		b, err := os.ReadFile(base)
		if err == nil {
			err = json.Unmarshal(b, &list)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", base, err)
		}
	}
	maps.Copy(list.Replace, replace)
	b, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o666)
}
