from ballcourt.arena.match.transcript import LAST, REPLIES, REPLY_BYTES, Transcript


def conversation(*requests: bytes) -> Transcript:
    transcript = Transcript()
    transcript.begin()
    for request in requests:
        transcript.sent(request)
        transcript.received(b"re: " + request)
    return transcript


def test_the_first_and_last_requests_are_kept_with_their_replies() -> None:
    requests = [b"%d" % number for number in range(12)]
    kept = conversation(*requests).exchanges()
    assert [exchange.request for exchange in kept] == [b"0", *requests[-LAST:]]
    assert [list(exchange.replies) for exchange in kept] == [[b"re: " + exchange.request] for exchange in kept]


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
