package record

import "maps"

// ollamaAnswer answers a request for a turn of a chat.
func ollamaAnswer(a *ask) given {
	message := object{"role": "assistant", "content": said(a.answer)}
	var calls []object
	for _, c := range a.answer.Calls {
		calls = append(calls, object{"function": object{"name": c.Tool, "arguments": c.Arguments}})
	}
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	return ollamaDone(a, object{"message": message})
}

// ollamaText answers a request for the continuation of a text.
func ollamaText(a *ask) given {
	return ollamaDone(a, object{"response": usualText, "context": []int{}})
}

func ollamaDone(a *ask, whole object) given {
	maps.Copy(whole, object{
		"model": a.model(), "created_at": start, "done": true, "done_reason": "stop", "total_duration": 1, "load_duration": 1,
		"prompt_eval_count": 1, "prompt_eval_duration": 1, "eval_count": 1, "eval_duration": 1,
	})
	return given{whole: whole, events: []event{{data: whole}}, lines: true}
}

func ollamaEmbeddings(a *ask) given {
	var out [][]int
	for range inputs(a.body["input"]) {
		out = append(out, zeros(768))
	}
	return given{whole: object{"model": a.model(), "embeddings": out}}
}

func ollamaModel(*ask) given {
	return given{whole: object{
		"modelfile": "", "template": "", "parameters": "", "details": object{"family": "llama", "format": "gguf"},
		"model_info": object{}, "capabilities": []string{"completion", "tools"}, "modified_at": start,
	}}
}
