package main

import (
	"errors"
	"os"
	"strings"

	"github.com/promptc-build/promptc/pipeline"
	"github.com/promptc-build/promptc/pipeline/adopt/scaffold"
)

// adopted gives the manifest that promptc diff makes of two sides that have none; or why
// it makes none.
func (b *bench) adopted() (text []byte, refused string, err error) {
	found, err := pipeline.Adopt(b.ctx, pipeline.Adopting{Below: os.DirFS(b.head), Base: os.DirFS(b.base), Look: true})
	if _, unfit := errors.AsType[*scaffold.Unfit](err); unfit || errors.Is(err, pipeline.ErrNothingAdopted) {
		return nil, "nothing is found", nil
	}
	if err == nil {
		b.manifestText, text = []byte(found.Manifest), []byte(found.Manifest)
	}
	if err == nil && len(text) == 0 {
		refused = "nothing is found"
	}
	return text, refused, err
}

// compiled gives the texts of a side by variant, with the manifest that serves both. A
// variant that is sent as a request is left to promptc show.
func (b *bench) compiled(side string) (map[string]string, error) {
	if b.texts[side] != nil {
		return b.texts[side], nil
	}
	r, err := pipeline.Compile(b.ctx, pipeline.Request{Files: os.DirFS(side), Manifest: "prompts.yaml", Text: b.manifestText, Past: side == b.base, Until: pipeline.Compared})
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, a := range r.Artifacts {
		if a.Variant.Sent == nil {
			var text strings.Builder
			for _, p := range a.Parts {
				text.WriteString(p.Text)
			}
			out[a.Variant.Name] = text.String()
		}
	}
	if b.texts == nil {
		b.texts = map[string]map[string]string{}
	}
	b.texts[side] = out
	return out, nil
}
