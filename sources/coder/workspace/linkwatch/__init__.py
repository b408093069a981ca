"""Finds links in Markdown files and says which of them are dead."""
