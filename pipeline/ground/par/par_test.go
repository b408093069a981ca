package par_test

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/ground/par"
)

// upTo gives 0 to n-1.
func upTo(n int) []int {
	items := make([]int, n)
	for i := range items {
		items[i] = i
	}
	return items
}

func TestMapKeepsTheOrderOfTheItems(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		for _, n := range []int{0, 1, 2, 7, 100, 1000} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			got := par.Map(upTo(n), func(i int) string {
				if i < 8 {
					// The earliest items end last.
					time.Sleep(time.Duration(8-i) * time.Millisecond)
				}
				return strconv.Itoa(i)
			})
			want := make([]string, n)
			for i := range want {
				want[i] = strconv.Itoa(i)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%d items on %d processors (-want +got):\n%s", n, procs, d)
			}
		}
	}
}

func TestMapCallsOnceForEachItem(t *testing.T) {
	calls := make([]atomic.Int32, 500)
	par.Map(upTo(len(calls)), func(i int) struct{} {
		calls[i].Add(1)
		return struct{}{}
	})
	for i := range calls {
		if n := calls[i].Load(); n != 1 {
			t.Errorf("item %d: %d calls, want 1", i, n)
		}
	}
}

func TestMapRunsAtOnceWithinTheProcessors(t *testing.T) {
	const procs = 3
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))

	// Each of the first calls waits for the others, so this ends only when
	// they run at the same time.
	var meet sync.WaitGroup
	meet.Add(procs)
	var running, most atomic.Int32
	par.Map(upTo(60), func(i int) struct{} {
		now := running.Add(1)
		defer running.Add(-1)
		for {
			seen := most.Load()
			if now <= seen || most.CompareAndSwap(seen, now) {
				break
			}
		}
		if i < procs {
			meet.Done()
			meet.Wait()
		}
		return struct{}{}
	})
	if got := most.Load(); got != procs {
		t.Errorf("at most %d calls ran at once, want %d", got, procs)
	}
}

func TestWaitingCallsAreMoreThanTheProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	const together = 10
	var meet sync.WaitGroup
	meet.Add(together)
	early := errors.New("early")
	got, err := par.TryWaiting(upTo(together), func(i int) (int, error) {
		meet.Done()
		meet.Wait() // for all of them
		if i == 3 || i == 7 {
			return 0, fmt.Errorf("%d: %w", i, early)
		}
		return i, nil
	})
	if err == nil || err.Error() != "3: early" || got != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestMapWithinMap(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	got := par.Map(upTo(6), func(i int) []int {
		return par.Map(upTo(i), func(j int) int { return i * j })
	})
	for i, row := range got {
		for j, v := range row {
			if v != i*j {
				t.Errorf("row %d, column %d: %d, want %d", i, j, v, i*j)
			}
		}
	}
}

func TestTryGivesTheErrorOfTheEarliestItem(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	early, late := errors.New("early"), errors.New("late")
	var tried atomic.Int32
	failed := make(chan struct{})
	got, err := par.Try(upTo(4), func(i int) (int, error) {
		tried.Add(1)
		switch i {
		case 1:
			<-failed // the later item has failed by now
			return 0, early
		case 3:
			close(failed)
			return 0, late
		}
		return i, nil
	})
	if !errors.Is(err, early) || got != nil {
		t.Errorf("got %v, %v; want no results and %v", got, err, early)
	}
	if n := tried.Load(); n != 4 {
		t.Errorf("%d items were tried, want 4", n)
	}
}

func TestTryGivesTheResults(t *testing.T) {
	got, err := par.Try(upTo(50), func(i int) (int, error) { return i * i, nil })
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if v != i*i {
			t.Errorf("item %d: %d, want %d", i, v, i*i)
		}
	}
}

// explode panics, in a function whose name shows in the stack.
func explode(i int) int { panic(fmt.Sprintf("item %d", i)) }

func TestPanicReachesTheCaller(t *testing.T) {
	for name, run := range map[string]func(){
		"flat":   func() { par.Map(upTo(20), explode) },
		"nested": func() { par.Map(upTo(2), func(int) []int { return par.Map(upTo(20), explode) }) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, ok := recover().(error)
				var p *par.Panic
				if !ok || !errors.As(err, &p) {
					t.Fatalf("recovered %v, want a *par.Panic", err)
				}
				if p.Value != "item 0" {
					t.Errorf("panic of %q, want the one of item 0", p.Value)
				}
				if !strings.Contains(p.Error(), "item 0") || !strings.Contains(p.Error(), "explode") {
					t.Errorf("the text lacks the value or the place:\n%s", p)
				}
			}()
			run()
			t.Error("no panic")
		})
	}
}
