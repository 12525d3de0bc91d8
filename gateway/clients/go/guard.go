package parley

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

type idleKey struct{}

// withIdle has requests that get this context use another idle timeout.
func withIdle(ctx context.Context, idle time.Duration) context.Context {
	return context.WithValue(ctx, idleKey{}, idle)
}

// ErrIdle says that nothing moved on a connection for the client's idle timeout.
var ErrIdle = errors.New("nothing came from the server, or went to it, for too long")

// guard ends a request if nothing moves: no octet of its body is taken, and none of its answer comes.
type guard struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	idle   time.Duration
	timer  *time.Timer
}

func watch(ctx context.Context, idle time.Duration) (context.Context, *guard) {
	ctx, cancel := context.WithCancelCause(ctx)
	g := &guard{ctx: ctx, cancel: cancel, idle: idle}
	g.timer = time.AfterFunc(idle, func() { cancel(ErrIdle) })
	return ctx, g
}

// moved begins the wait anew, unless it is over.
func (g *guard) moved() {
	if g.timer.Stop() {
		g.timer.Reset(g.idle)
	}
}

func (g *guard) end() {
	g.timer.Stop()
	g.cancel(context.Canceled)
}

// cause is why the request was ended, where err says only that it was.
func (g *guard) cause(err error) error {
	if cause := context.Cause(g.ctx); cause != nil && errors.Is(err, context.Canceled) {
		return cause
	}
	return err
}

func (g *guard) body(body io.ReadCloser) io.ReadCloser { return &guarded{ReadCloser: body, guard: g} }

func (g *guard) answer(body io.ReadCloser) io.ReadCloser {
	return &guarded{ReadCloser: body, guard: g, ends: true}
}

type guarded struct {
	io.ReadCloser
	guard *guard
	ends  bool // the request is over with it
	once  sync.Once
}

func (b *guarded) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	if n > 0 {
		b.guard.moved()
	}
	if err != nil && err != io.EOF {
		err = b.guard.cause(err)
	}
	return n, err
}

func (b *guarded) Close() error {
	err := b.ReadCloser.Close()
	if b.ends {
		b.once.Do(b.guard.end)
	}
	return err
}
