// Package par runs a function over a list on all processors and gives the
// results in the order of the list.
//
// It is the only place that starts goroutines. How many run, and which of them
// is done first, cannot be told from what it returns: that is what keeps the
// output of a build the same on one processor and on sixty-four.
package par

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"golang.org/x/sync/errgroup"
)

// Map gives f of every item, in the order of the items. It calls f from several
// goroutines at once, once for each item, and returns when all calls have.
//
// When calls panic, Map still waits for all of them and then panics on the
// goroutine of its caller, with a [*Panic] that holds the one of the earliest
// item.
func Map[T, R any](items []T, f func(item T) R) []R {
	return run(items, runtime.GOMAXPROCS(0), f)
}

func run[T, R any](items []T, most int, f func(item T) R) []R {
	results := make([]R, len(items))
	panics := make([]*Panic, len(items))
	call := func(i int) {
		defer func() {
			if v := recover(); v != nil {
				panics[i] = caught(v)
			}
		}()
		results[i] = f(items[i])
	}

	// The functions hand back nothing: an errgroup would keep the error that
	// came first in time, and time is what must not show.
	var group errgroup.Group
	group.SetLimit(most)
	for i := range items {
		group.Go(func() error { call(i); return nil })
	}
	_ = group.Wait()

	for _, p := range panics {
		if p != nil {
			panic(p) //nolint:forbidigo // not a new one: it is handed on
		}
	}
	return results
}

// Try is [Map] for a function that can fail. Every item is tried, also after a
// failure. The error is the one of the earliest item that failed, whichever
// failed first in time; the results are nil then.
func Try[T, R any](items []T, f func(item T) (R, error)) ([]R, error) {
	return try(items, runtime.GOMAXPROCS(0), f)
}

// waiting is how many calls run at once that do little but wait: on few
// processors more than they would run.
const waiting = 16

// TryWaiting is [Try] for a function that mostly waits for a disk.
func TryWaiting[T, R any](items []T, f func(item T) (R, error)) ([]R, error) {
	return try(items, max(waiting, runtime.GOMAXPROCS(0)), f)
}

func try[T, R any](items []T, most int, f func(item T) (R, error)) ([]R, error) {
	type outcome struct {
		result R
		err    error
	}
	outcomes := run(items, most, func(item T) outcome {
		result, err := f(item)
		return outcome{result, err}
	})
	results := make([]R, len(outcomes))
	for i, o := range outcomes {
		if o.err != nil {
			return nil, o.err
		}
		results[i] = o.result
	}
	return results, nil
}

// Panic is a panic of a called function, carried to the caller of [Map]. There
// it can be recovered; a panic that ends a goroutine ends the process with the
// exit status that stands for wrong usage.
type Panic struct {
	Value any
	Stack []byte // of the goroutine that panicked, as the runtime prints it
}

// Error gives the value and the stack. Panic is an error because the runtime
// prints an error's text when nobody recovers, and only the address of another
// pointer.
func (p *Panic) Error() string {
	return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack)
}

// caught keeps a panic that was already carried by an inner Map as it is: its
// stack is the one that says where.
func caught(value any) *Panic {
	if p, ok := value.(*Panic); ok {
		return p
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}
