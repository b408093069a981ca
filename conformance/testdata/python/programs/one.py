"""Prints the class of the error that a call raises, if it does."""

from app.prompts import PromptError, helper

try:
    print(helper(mode="plan", clock="noon").name)
except PromptError as error:
    print(type(error).__name__)
