from app.prompts import helper

helper(mode="chat", clock="noon", clocks="noon")
