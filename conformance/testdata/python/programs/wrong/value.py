from app.prompts import helper

helper(mode="chatt", clock="noon")
