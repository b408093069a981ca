package record

// Environment is what a program gets.
func (r *Recorder) Environment(of, own []string) []string { return r.environment(of, own) }
