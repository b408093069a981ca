package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/load"
)

func main() {
	fsys, err := load.Dir(os.Args[1])
	if err != nil {
		panic(err)
	}
	f, _ := os.Create(os.Args[2])
	pprof.StartCPUProfile(f)
	t := time.Now()
	r, err := pipeline.Check(fsys, "prompts.yaml")
	fmt.Println(time.Since(t), err, len(r.Findings))
	pprof.StopCPUProfile()
	f.Close()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Println(m.Sys>>20, "MB sys", m.TotalAlloc>>20, "MB allocated")
	h, _ := os.Create(os.Args[2] + ".heap")
	runtime.GC()
	pprof.WriteHeapProfile(h)
	h.Close()
	runtime.KeepAlive(r)
}
