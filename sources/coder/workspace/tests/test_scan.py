from pathlib import Path

from linkwatch.scan import links

HERE = Path("notes.md")


def urls(text: str) -> list[str]:
    return [link.url for link in links(HERE, text)]


def test_links_of_a_line_come_in_order():
    assert urls("see [a](https://a.example) and [b](https://b.example)") == ["https://a.example", "https://b.example"]


def test_fences_are_skipped():
    assert urls("```\n[a](https://a.example)\n```\n[b](https://b.example)") == ["https://b.example"]


def test_a_longer_fence_may_hold_a_shorter_one():
    assert urls("````\n```\n[a](https://a.example)\n```\n````\n[b](https://b.example)") == ["https://b.example"]
