package pipeline_test
import ("testing";"fmt";"github.com/promptc-build/promptc/pipeline";"github.com/promptc-build/promptc/pipeline/prompt")
func TestZZStat(t *testing.T){
 kinds := map[string]int{}
 shown := 0
 n := 0
 for seed := range uint64(400) {
  s := newSketch(seed)
  was, ok := attempt(t,"base",s)
  e := []string{s.edit()}
  is, ok2 := attempt(t,"head",s)
  if !ok||!ok2 {continue}
  n++
  d,_ := pipeline.Compare(was,is)
  for _, x := range d.Edits { kinds[x.Kind.String()]++
   if x.Kind==prompt.BytesChanged && shown < 12 { shown++; fmt.Println(seed,e); for _,l:=range told(d){fmt.Println("   ",l)} } }
  if seed%20==0 { fmt.Println("==",seed,e); for _,l:=range told(d){fmt.Println("   ",l)} }
 }
 for seed := range uint64(30) {
   was := stateOf(t,"b",newWorld(seed).fsys()); is := stateOf(t,"h",newWorld(seed+1).fsys())
   d,_ := pipeline.Compare(was,is)
   for _, x := range d.Edits { kinds["w:"+x.Kind.String()]++ }
 }
 fmt.Println(n,kinds)
}
