package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/espalier-go/espalier/eval/others"
)

const (
	mostMemory = 6 << 30          // of the worker, in bytes
	mostWait   = 20 * time.Second // for one step of a job, by the clock
	mostReply  = 256 << 20        // of the worker, in bytes
)

// A worker measures schemas in a process of its own, one after another. The zero value starts that
// process when it needs one.
//
//	run --- job, a line of JSON ------------------> work
//	run <-- the steps of the job, a line each ----- work
//	run <-- result, a line of JSON ---------------- work
type worker struct {
	cmd   *exec.Cmd
	jobs  io.Writer
	lines chan string
	log   *head
}

// run measures a schema. What becomes of the process is part of the result.
func (w *worker) run(ctx context.Context, j job) (r result, err error) {
	if w.cmd == nil {
		if err := w.start(); err != nil {
			return r, fmt.Errorf("start a process for the schemas: %w", err)
		}
	}
	text, err := json.Marshal(j)
	if err != nil {
		return r, err
	}
	w.jobs.Write(append(text, '\n')) // if it cannot, the process is dead, which is seen below
	step := "begin"
	for {
		select {
		case line, ok := <-w.lines:
			if !ok {
				log := w.log // complete once the process has been waited for
				w.kill()
				return result{Died: step + ": the process died: " + string(*log)}, nil
			}
			if !strings.HasPrefix(line, "{") {
				step = line
				continue
			}
			err := json.Unmarshal([]byte(line), &r)
			return r, err
		case <-time.After(mostWait):
			w.kill()
			return result{Slow: fmt.Sprintf("%s: takes longer than %v", step, mostWait)}, nil
		case <-ctx.Done():
			return r, ctx.Err()
		}
	}
}

func (w *worker) start() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	w.log, w.lines = new(head), make(chan string)
	w.cmd = others.WithLimits(0, mostMemory, self, "worker")
	w.cmd.Stderr = w.log
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if w.jobs, err = w.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := w.cmd.Start(); err != nil {
		return err
	}
	go func(lines chan<- string) {
		defer close(lines)
		scanner := bufio.NewScanner(out)
		for scanner.Buffer(nil, mostReply); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}(w.lines)
	return nil
}

// kill ends the process, if there is one.
func (w *worker) kill() {
	if w.cmd == nil {
		return
	}
	w.cmd.Process.Kill()
	for range w.lines {
	}
	w.cmd.Wait()
	w.cmd = nil
}

// A head is the first bytes of what is written to it.
type head []byte

func (h *head) Write(b []byte) (int, error) {
	*h = append(*h, b[:min(len(b), 300-len(*h))]...)
	return len(b), nil
}

// work is the other side of a worker: it reads jobs, and writes steps and results.
func work(in io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	for decoder := json.NewDecoder(in); ; {
		var j job
		if err := decoder.Decode(&j); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("read a job: %w", err)
		}
		r := j.measure(func(step string) {
			fmt.Fprintln(w, step)
			w.Flush()
		})
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		w.Write(append(text, '\n'))
		if err := w.Flush(); err != nil {
			return err
		}
	}
}
