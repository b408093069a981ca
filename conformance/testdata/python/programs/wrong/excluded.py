from app.prompts import helper

helper(mode="chat", tier="3", clock="noon")
