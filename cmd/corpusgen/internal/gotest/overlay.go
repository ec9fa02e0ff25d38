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
	list := overlayList{map[string]string{}}
	if base != "" {
		var err error
		if list.Replace, err = ReadOverlay(base); err != nil {
			return err
		}
	}
	maps.Copy(list.Replace, replace)
	b, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o666)
}

// ReadOverlay reads which files replace others by a list for -overlay.
func ReadOverlay(path string) (replace map[string]string, err error) {
	list := overlayList{map[string]string{}}
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list.Replace, nil
}

type overlayList struct{ Replace map[string]string }
