from ballcourt.arena.match.stream.transcript import KEPT_BYTES, LAST, REPLIES, REPLY_BYTES, Transcript


def conversation(*requests: bytes) -> Transcript:
    transcript = Transcript()
    transcript.begin()
    for request in requests:
        transcript.sent(request)
        transcript.received(b"re: " + request)
    return transcript


def test_all_requests_are_kept_with_their_replies() -> None:
    requests = [b"%d" % number for number in range(300)]
    transcript = conversation(*requests)
    kept = transcript.exchanges()
    assert [exchange.request for exchange in kept] == requests
    assert [list(exchange.replies) for exchange in kept] == [[b"re: " + exchange.request] for exchange in kept]
    assert transcript.left_out == 0


def test_of_a_long_conversation_the_first_and_last_requests_are_kept() -> None:
    requests = [b"%4d" % number * 500 for number in range(100)]
    transcript = conversation(*requests)
    kept = [exchange.request for exchange in transcript.exchanges()]
    assert kept == [requests[0], *requests[1 + transcript.left_out :]]
    assert KEPT_BYTES - 8000 < sum(2 * len(request) + len(b"re: ") for request in kept) <= KEPT_BYTES + 4000
    assert transcript.left_out > 0


def test_a_few_huge_requests_are_kept_all_the_same() -> None:
    requests = [b"%d" % number * KEPT_BYTES for number in range(9)]
    assert [exchange.request for exchange in conversation(*requests).exchanges()] == [requests[0], *requests[-LAST:]]


def test_a_new_match_begins_with_nothing() -> None:
    transcript = conversation(*[b"x" * KEPT_BYTES] * 9)
    transcript.begin()
    transcript.sent(b"MatchStart")
    assert (len(transcript.exchanges()), transcript.left_out) == (1, 0)


def test_messages_before_the_match_are_forgotten_with_their_token() -> None:
    transcript = Transcript()
    transcript.received(b"Hello, my token is")
    transcript.sent(b"Welcome")
    transcript.begin()
    transcript.sent(b"MatchStart")
    assert [(exchange.request, list(exchange.replies)) for exchange in transcript.exchanges()] == [(b"MatchStart", [])]


def test_a_flood_of_large_replies_is_truncated() -> None:
    transcript = conversation(b"question")
    for _ in range(1000):
        transcript.received(bytes(100_000))
    (exchange,) = transcript.exchanges()
    assert [len(reply) for reply in exchange.replies] == [12] + [REPLY_BYTES] * (REPLIES - 1)
