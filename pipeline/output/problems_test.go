package output_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/ground/diag"
	"github.com/promptc-build/promptc/pipeline/output/run"
	"github.com/promptc-build/promptc/pipeline/output/words"
	"github.com/promptc-build/promptc/pipeline/prompt"
	"github.com/promptc-build/promptc/pipeline/store"
)

// troubled is a run with a snapshot that drifted, an error at a place and a
// warning that has none, twice.
func troubled() *persona {
	p := newPersona()
	p.result.Delta.Snapshots = []store.Change{p.soulChanged()}
	p.result.Findings = diag.List{
		diag.New("PC3002", at(p.soul, "Ask"), "quoted", "<a> & \x01]]>").WithHint("did-you-mean", "b"),
		diag.New("PC1002", diag.Span{}, "names", "w"),
		diag.New("PC1002", diag.Span{}, "names", "w"),
	}
	p.result.Findings[1].Level, p.result.Findings[2].Level = diag.Warning, diag.Note
	return p
}

// problemRuns are runs by what they find.
func problemRuns() map[string]*prompt.Result {
	stale, stopped, emitted := newPersona(), troubled(), newPersona()
	change := stale.soulChanged()
	change.Status = store.Added
	stale.result.Delta.Snapshots, stale.result.Delta.Snapshotted = []store.Change{change}, 1
	stopped.result.Stopped, stopped.result.Delta, stopped.result.Plan = true, nil, nil
	emitted.result.Delta.Artifacts.Have = true
	emitted.result.Delta.Artifacts.Changes = []store.Change{{Status: store.Changed, Output: assembly.Output{Path: "dist/persona/a.txt"}}}
	return map[string]*prompt.Result{
		"clean": newPersona().result, "troubled": troubled().result, "no snapshots": stale.result, "stopped": stopped.result, "artifacts": emitted.result,
	}
}

// junitElement is what an element of a JUnit report has to have, and what it may
// have besides: attributes and elements by name, and text.
type junitElement struct {
	required, attributes, elements string
	text                           bool
}

// junitSchema is what Jenkins takes, by
// https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
// but for reruns, and times, of which promptc writes none.
var junitSchema = map[string]junitElement{
	"": {elements: "testsuites testsuite"},
	"testsuites": {
		attributes: "name tests failures errors", elements: "testsuite",
	},
	"testsuite": {
		required: "name tests failures errors", attributes: "group skipped hostname id package file log url",
		elements: "testsuite properties testcase system-out system-err",
	},
	"properties": {elements: "property"},
	"property":   {required: "name value"},
	"testcase":   {required: "name", attributes: "classname group", elements: "skipped error failure system-out system-err"},
	"failure":    {attributes: "type message", text: true},
	"error":      {attributes: "type message", text: true},
	"skipped":    {attributes: "type message", text: true},
	"system-out": {text: true},
	"system-err": {text: true},
}

// junitFaults says where a report is not what junitSchema describes, and which
// totals are not those of the cases.
func junitFaults(text string) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	type level struct {
		xml.StartElement
		found map[string]int // elements below, by name
	}
	open := []level{{found: map[string]int{}}}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return faults
		}
		if err != nil {
			return append(faults, err.Error())
		}
		parent := &open[len(open)-1]
		rule := junitSchema[parent.Name.Local]
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			if !slices.Contains(strings.Fields(rule.elements), name) {
				fault("%s in %s", name, parent.Name.Local)
			}
			missing := strings.Fields(junitSchema[name].required)
			for _, a := range token.Attr {
				if !slices.Contains(strings.Fields(junitSchema[name].required+" "+junitSchema[name].attributes), a.Name.Local) {
					fault("%s has %s", name, a.Name.Local)
				}
				missing = slices.DeleteFunc(missing, func(s string) bool { return s == a.Name.Local })
			}
			if len(missing) > 0 {
				fault("%s has no %s", name, missing)
			}
			open = append(open, level{token.Copy(), map[string]int{}})
		case xml.CharData:
			if !rule.text && strings.TrimSpace(string(token)) != "" {
				fault("text in %s", parent.Name.Local)
			}
		case xml.EndElement:
			below := open[len(open)-2].found
			below[parent.Name.Local]++
			for name, n := range parent.found {
				below[name] += n
			}
			of := map[string]string{"tests": "testcase", "failures": "failure", "errors": "error"}
			for _, a := range parent.Attr {
				if what := of[a.Name.Local]; what != "" && a.Value != strconv.Itoa(parent.found[what]) {
					fault("%s says %s=%s of %d", parent.Name.Local, a.Name.Local, a.Value, parent.found[what])
				}
			}
			open = open[:len(open)-1]
		}
	}
}

func TestJUnitIsWhatJenkinsTakes(t *testing.T) {
	for name, r := range problemRuns() {
		for _, strict := range []bool{false, true} {
			text := written(t, func(b *strings.Builder) error {
				return run.JUnit(b, r, run.Outcome{Command: "check"}, words.Options{Base: "kit", Strict: strict})
			})
			for _, fault := range junitFaults(text) {
				t.Errorf("%s: %s\n%s", name, fault, text)
			}
		}
	}
	for _, wrong := range []string{
		`<testsuites><testcase name="a"/></testsuites>`, `<testsuite name="a" tests="0" failures="0"/>`, `<testsuites level="1"/>`,
		`<testsuites><testsuite name="a" tests="2" failures="0" errors="0"><testcase name="a"/></testsuite></testsuites>`,
		`<testsuites failures="0"><testsuite name="a" tests="1" failures="1" errors="0"><testcase name="a"><failure/></testcase></testsuite></testsuites>`,
		`<testsuites>text</testsuites>`, `<testsuites>`, "<testsuites name=\"\x01\"/>",
	} {
		if len(junitFaults(wrong)) == 0 {
			t.Errorf("nothing is wrong with %s", wrong)
		}
	}
}

func TestJUnitHasACaseForEachPromptAndProblem(t *testing.T) {
	type junitCase struct {
		Name    string  `xml:"name,attr"`
		Failure *string `xml:"failure"`
		Out     string  `xml:"system-out"`
	}
	for _, c := range []struct {
		strict bool
		passed string
	}{{false, "warning: w"}, {true, ""}} {
		text := written(t, func(b *strings.Builder) error {
			return run.JUnit(b, troubled().result, run.Outcome{Command: "check"}, words.Options{Base: "kit", Strict: c.strict})
		})
		var doc struct {
			Cases []junitCase `xml:"testsuite>testcase"`
		}
		if err := xml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		want := `kit/sources/persona/SOUL.md:12:1: "<a> & <U+0001>]]>"` + "\nhint: did you mean \"b\"?"
		if len(doc.Cases) != 5 || doc.Cases[0] != (junitCase{Name: "persona"}) || *doc.Cases[1].Failure != want || doc.Cases[2].Out != c.passed {
			t.Errorf("got\n%s", text)
		}
	}
}

func TestCodeQualityIsWhatGitLabTakes(t *testing.T) {
	schema, err := jsonschema.Compile("testdata/codequality.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range problemRuns() {
		text := written(t, func(b *strings.Builder) error {
			return run.CodeQuality(b, r, run.Outcome{Command: "check"}, words.Options{Base: "kit"})
		})
		var issues any
		if err := json.Unmarshal([]byte(text), &issues); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(issues); err != nil {
			t.Errorf("%s: %#v\n%s", name, err, text)
		}
	}
	for _, wrong := range []string{
		`{}`, `[{}]`, `[{"description":"a","check_name":"a","fingerprint":"a","severity":"error","location":{"path":"a","lines":{"begin":1}}}]`,
		`[{"description":"a","check_name":"a","fingerprint":"a","severity":"info","location":{"path":"./a","lines":{"begin":1}}}]`,
		`[{"description":"a","check_name":"a","fingerprint":"a","severity":"info","location":{"path":"a","lines":{"begin":0}}}]`,
	} {
		var issues any
		if err := json.Unmarshal([]byte(wrong), &issues); err != nil || schema.Validate(issues) == nil {
			t.Errorf("%s is valid: %v", wrong, err)
		}
	}
}

func TestCodeQualityPlacesEveryProblem(t *testing.T) {
	text := written(t, func(b *strings.Builder) error {
		return run.CodeQuality(b, troubled().result, run.Outcome{Command: "check"}, words.Options{Base: "kit"})
	})
	var issues []struct {
		Severity, Fingerprint string
		Check                 string `json:"check_name"`
		Location              struct{ Path string }
	}
	if err := json.Unmarshal([]byte(text), &issues); err != nil {
		t.Fatal(err)
	}
	var got [][3]string
	prints := map[string]bool{}
	for _, i := range issues {
		got = append(got, [3]string{i.Check, i.Severity, i.Location.Path})
		prints[i.Fingerprint] = true
	}
	want := [][3]string{
		{"PC3002", "major", "kit/sources/persona/SOUL.md"},
		{"PC1002", "minor", "kit/prompts.yaml"},
		{"PC1002", "info", "kit/prompts.yaml"},
		{"drift", "major", "kit/sources/persona/SOUL.md"},
	}
	if d := cmp.Diff(want, got); d != "" || len(prints) != len(want) {
		t.Errorf("%s\n%s", d, text)
	}
}
