package dialect_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptc-build/promptc/pipeline/assembly"
	"github.com/promptc-build/promptc/pipeline/assembly/dialect"
	"github.com/promptc-build/promptc/pipeline/ground"
	"github.com/promptc-build/promptc/pipeline/ground/request"
	"github.com/promptc-build/promptc/pipeline/language"
)

// golden compares with a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestWholeBodies(t *testing.T) {
	for _, name := range ground.DialectNames() {
		t.Run(name, func(t *testing.T) {
			ext := ".json"
			if name == ground.TextDialect {
				ext = ".txt"
			}
			golden(t, name+".sections"+ext, dialect.Encode(alone(t, name)).Text())
			if name != ground.TextDialect {
				golden(t, name+".messages.json", dialect.Encode(talk(t, name)).Text())
			}
		})
	}
}

func TestPlacesOfSections(t *testing.T) {
	const first = "You are \"kind\".\n\n## Rules <1>\u2028"
	tests := []struct {
		dialect string
		want    []request.Place
	}{
		{"text", []request.Place{{Pointer: "", Start: 0}, {Pointer: "", Start: len(first)}}},
		{"openai-chat", []request.Place{{Pointer: "/messages/0/content/0/text", Start: 0}, {Pointer: "/messages/0/content/1/text", Start: 0}}},
		{"openai-responses", []request.Place{{Pointer: "/instructions", Start: 0}, {Pointer: "/instructions", Start: len(first)}}},
		{"anthropic", []request.Place{{Pointer: "/system/0/text", Start: 0}, {Pointer: "/system/1/text", Start: 0}}},
		{"gemini", []request.Place{{Pointer: "/systemInstruction/parts/0/text", Start: 0}, {Pointer: "/systemInstruction/parts/1/text", Start: 0}}},
	}
	if len(tests) != len(ground.Dialects) {
		t.Errorf("%d dialects are tested, there are %d", len(tests), len(ground.Dialects))
	}
	for _, tt := range tests {
		t.Run(tt.dialect, func(t *testing.T) {
			if diff := cmp.Diff([][]request.Place{tt.want}, dialect.Encode(alone(t, tt.dialect)).Places); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlacesOfMessages(t *testing.T) {
	tests := []struct {
		dialect              string
		system, user, prompt string
		image                string
	}{
		{"openai-chat", "/messages/0/content", "/messages/1/content/0/text", "/messages/4/content/0/text", "/messages/4/content/1/image_url/url"},
		{"openai-responses", "/input/0/content/0/text", "/input/1/content/0/text", "/input/4/content/0/text", "/input/4/content/1/image_url"},
		{"anthropic", "/system/0/text", "/messages/0/content/0/text", "/messages/3/content/0/text", "/messages/3/content/1/source/data"},
		{"gemini", "/systemInstruction/parts/0/text", "/contents/0/parts/0/text", "/contents/3/parts/0/text", "/contents/3/parts/1/inlineData/data"},
	}
	for _, tt := range tests {
		t.Run(tt.dialect, func(t *testing.T) {
			got := dialect.Encode(talk(t, tt.dialect)).Places
			want := []request.Place{{Pointer: tt.system, Start: 0}, {Pointer: tt.user, Start: 0}, {Pointer: tt.prompt, Start: 0}, {Pointer: tt.image, Start: 0}}
			if diff := cmp.Diff(want, []request.Place{got[0][0], got[1][0], got[4][0], got[4][1]}); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsNotThereIsLeftOut(t *testing.T) {
	system := says(language.RoleSystem, "S")
	tests := []struct {
		name, dialect string
		artifact      func(dialect string) *assembly.Artifact
		want          string
	}{
		{"nothing", "text", bare(t), ""},
		{"nothing", "openai-chat", bare(t), "{\n  \"messages\": []\n}\n"},
		{"nothing", "openai-responses", bare(t), "{}\n"},
		{"nothing", "anthropic", bare(t), "{}\n"},
		{"nothing", "gemini", bare(t), "{}\n"},
		{"text alone", "text", bare(t, system), "S\n"},
		{"text alone", "openai-chat", bare(t, system), "{\n  \"messages\": [\n    {\n      \"role\": \"system\",\n      \"content\": \"S\"\n    }\n  ]\n}\n"},
		{"text alone", "openai-responses", bare(t, system), "{\n  \"instructions\": \"S\"\n}\n"},
		{"text alone", "anthropic", bare(t, system), "{\n  \"system\": [\n    {\n      \"type\": \"text\",\n      \"text\": \"S\"\n    }\n  ]\n}\n"},
		{"text alone", "gemini", bare(t, system), "{\n  \"systemInstruction\": {\n    \"parts\": [\n      {\n        \"text\": \"S\"\n      }\n    ]\n  }\n}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name+" in "+tt.dialect, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, dialect.Encode(tt.artifact(tt.dialect)).Text()); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

// bare makes an artifact of sections without tools, in any dialect.
func bare(t *testing.T, chapters ...chapter) func(string) *assembly.Artifact {
	t.Helper()
	return func(dialect string) *assembly.Artifact { return compose(t, dialect, false, chapters...) }
}

func TestListsOfTools(t *testing.T) {
	for i := range ground.Dialects {
		d := &ground.Dialects[i]
		t.Run(d.Name, func(t *testing.T) {
			golden(t, d.Name+".tools.json", dialect.Tools(d, []*language.Tool{exec(), ping()}))
			if got := dialect.Tools(d, nil); got != "[]\n" {
				t.Errorf("no tools are %q, want []", got)
			}
		})
	}
}

func TestASystemMessageInTheMiddleKeepsItsPlace(t *testing.T) {
	tests := []struct {
		dialect string
		roles   []string
	}{
		{"openai-chat", []string{"system", "user", "system", "assistant"}},
		{"openai-responses", []string{"developer", "user", "developer", "assistant"}},
		{"anthropic", []string{"user", "system", "assistant"}},
		{"gemini", []string{"user", "system", "model"}},
	}
	for _, tt := range tests {
		t.Run(tt.dialect, func(t *testing.T) {
			a := compose(t, tt.dialect, true, says(language.RoleSystem, "S"), says(language.RoleUser, "U"),
				says(language.RoleSystem, "M"), says(language.RoleAssistant, "A"))
			if diff := cmp.Diff(tt.roles, roles(t, dialect.Encode(a).Text())); diff != "" {
				t.Errorf("roles (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEncodingLeavesTheArtifactAlone(t *testing.T) {
	a, b := talk(t, "anthropic"), talk(t, "anthropic")
	for range 2 {
		dialect.Encode(a)
	}
	if diff := cmp.Diff(b, a); diff != "" {
		t.Errorf("the artifact was changed (-before +after):\n%s", diff)
	}
	if !slices.Equal(ground.DialectNames(), []string{"text", "openai-chat", "openai-responses", "anthropic", "gemini"}) {
		t.Error("the table of dialects has other rows than these tests")
	}
}
