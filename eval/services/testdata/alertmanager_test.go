package v2

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	prometheus_model "github.com/prometheus/common/model"

	"github.com/prometheus/alertmanager/config"
	"github.com/prometheus/alertmanager/dispatch"
	"github.com/prometheus/alertmanager/provider/mem"
	"github.com/prometheus/alertmanager/silence"
	"github.com/prometheus/alertmanager/types"

	"github.com/espalier-go/espalier/contrib/openapi"
)

// base precedes the paths of the description.
const base = "/api/v2"

func description(t testing.TB) *openapi.Spec {
	s, err := openapi.Load("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func skipped(testing.TB) []string { return nil }

func options(testing.TB) []openapi.Option { return nil }

// newHandler returns the API without what groups alerts.
func newHandler(t testing.TB) http.Handler {
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	log, reg := slog.New(slog.NewTextHandler(io.Discard, nil)), prometheus.NewRegistry()
	marker := types.NewMarker(reg)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	alerts, err := mem.NewAlerts(ctx, marker, time.Hour, nil, log, reg)
	must(err)
	t.Cleanup(alerts.Close)
	silences, err := silence.New(silence.Options{Retention: time.Hour, Logger: log, Metrics: reg})
	must(err)
	groups := func(
		func(*dispatch.Route) bool, func(*types.Alert, time.Time) bool,
	) (dispatch.AlertGroups, map[prometheus_model.Fingerprint][]string) {
		return nil, nil
	}
	muted := func(string, string) ([]string, bool) { return nil, false }
	api, err := NewAPI(alerts, groups, marker.Status, muted, silences, nil, log, reg)
	must(err)
	cfg, err := config.Load("route: {receiver: one}\nreceivers: [{name: one}]\n")
	must(err)
	api.Update(cfg, func(prometheus_model.LabelSet) {})
	return api.Handler
}
