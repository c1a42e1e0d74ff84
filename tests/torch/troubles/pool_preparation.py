"""Prepares texts in as many processes as there are cores; one function of several takes nearly all of the time."""

import multiprocessing
import random

from common import done, running

WORDS = ["".join(random.choices("etaoinshrdlu", k=random.randint(2, 9))) for _ in range(3000)]


def strip_markup(text: str) -> str:
    return text.replace("<p>", " ").replace("</p>", " ")


def count_words(text: str) -> dict[str, int]:
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def find_repeats(text: str) -> int:
    words = text.split()
    return sum(words[a : a + 3] == words[b : b + 3] for a in range(len(words)) for b in range(a))


def prepare(seed: int) -> tuple[int, int]:
    text = strip_markup("<p>" + " ".join(random.Random(seed).choices(WORDS, k=400)) + "</p>")
    return len(count_words(text)), find_repeats(text)


if __name__ == "__main__":
    prepared = 0
    with multiprocessing.Pool() as pool:
        while running():
            prepared += len(pool.map(prepare, range(prepared, prepared + 100)))
    done(prepared)
