from app.prompts import fit_memory

fit_memory(request="Why?")
