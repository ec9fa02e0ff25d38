package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/campaign"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// parseFuzz reads the command line and GOFLAGS. It changes the working directory if -C is
// set.
func parseFuzz(ctx context.Context, args []string) (*campaign.Options, *gotest.Flags, *gotest.Env, error) {
	opts := &campaign.Options{}
	own := session.NewFlagSet("fuzz")
	own.Var(&opts.Limit, "fuzztime", "")
	own.IntVar(&opts.Together, "p", 1, "")
	own.IntVar(&opts.Parallel, "parallel", 0, "")
	own.BoolVar(&opts.KeepGoing, "keepgoing", false, "")
	own.BoolVar(&opts.Json, "json", false, "")
	own.BoolVar(&opts.Stock, "stock", false, "")
	own.StringVar(&opts.Overlay, "overlay", "auto", "")
	own.StringVar(&opts.Instrument, "instrument", "", "")
	own.StringVar(&opts.Sarif, "sarif", "", "")
	session.DefineForce(own)
	own.StringVar(&opts.Changed, "changed", "", "")
	own.StringVar(&opts.Http, "http", "", "")
	own.StringVar(&opts.Page, "html", "", "")
	match, flags, env, err := session.ParseBuild(ctx, own, args, func(*gotest.Flags) error { return nil })
	if err != nil {
		return nil, nil, nil, err
	}
	opts.Match = match
	switch set := flags.Given(); {
	case opts.Together < 1:
		err = session.UsageError{Msg: fmt.Sprintf("-p %d: must be at least 1", opts.Together)}
	case set["parallel"] && opts.Parallel < 1:
		err = session.UsageError{Msg: fmt.Sprintf("-parallel %d: must be at least 1", opts.Parallel)}
	case set["instrument"] && opts.Instrument == "":
		err = session.UsageError{Msg: "-instrument: name at least one package"}
	case !slices.Contains([]string{"auto", "require", "off"}, opts.Overlay):
		err = session.UsageError{Msg: fmt.Sprintf("-overlay=%s: want auto, require or off (set go build's own -overlay in GOFLAGS)", opts.Overlay)}
	case opts.Stock && (set["overlay"] && opts.Overlay != "off" || set["instrument"]):
		err = session.UsageError{Msg: "-stock leaves the engine as it is: use it without -overlay and -instrument"}
	}
	return opts, flags, env, err
}

func runFuzz(ctx context.Context, args []string) error {
	kill, stop := secondSignal(ctx)
	defer stop()
	opts, flags, env, err := parseFuzz(ctx, args)
	if err != nil {
		return err
	}
	return campaign.Run(ctx, kill, opts, flags, env)
}

// secondSignal returns a context that ends at the second interrupt. Ctx ends at the first.
func secondSignal(ctx context.Context) (context.Context, func()) {
	kill, cancel := context.WithCancel(context.WithoutCancel(ctx))
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for range 2 {
			select {
			case <-signals:
			case <-kill.Done():
				return
			}
		}
		cancel()
	}()
	return kill, func() { signal.Stop(signals); cancel() }
}
