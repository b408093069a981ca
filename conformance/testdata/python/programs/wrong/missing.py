from app.prompts import helper

helper(mode="chat")
