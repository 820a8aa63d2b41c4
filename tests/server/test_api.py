"""The HTTP API: conversations, limits, errors, and its OpenAPI document against what it answers."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode

from planner.agent import Agent
from server.limits import TokenBuckets
from server.settings import ServerSettings

DRAWN = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
SCARF = "I'm looking for Accessories Scarves. A key requirement is: Made in Italy."


def opened(client, **body):
    answer = client.post("/sessions", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()["session_id"]


def said(client, session, message=SCARF, **more):
    return client.post(f"/sessions/{session}/messages", json={"message": message, **more})


class TestConversations:
    def test_the_answers_are_the_agents(self, client, catalog):
        agent = Agent.on(catalog)
        agent.reset("s")
        session = opened(client, user_profile={"preference_tags": ["comfort"]})
        for turn, message in enumerate((SCARF, "in linen, please"), 1):
            expected = agent.respond("s", message, turn, 10)
            answer = said(client, session, message).json()
            assert answer["turn"] == turn
            assert answer["message"] == expected["message"]
            assert answer["ask_attribute"] == expected["ask_attribute"]
            shown = [{k: entry[k] for k in ("parent_asin", "score")} for entry in answer["recommendations"]]
            assert shown == expected["recommendations"]
            if turn == 1:
                assert answer["recommendations"][0]["title"] == "Linen Scarf"

    def test_a_session_without_a_body(self, client):
        assert client.post("/sessions").status_code == 201

    def test_top_k(self, client):
        session = opened(client)
        for _ in range(9):
            said(client, session, "anything else")
        assert len(said(client, session, "anything", top_k=4).json()["recommendations"]) == 4

    def test_sessions_do_not_touch_each_other(self, client):
        with ThreadPoolExecutor(4) as pool:
            sessions = list(pool.map(lambda _: opened(client), range(8)))
            first = list(pool.map(lambda session: said(client, session).json(), sessions))
            second = list(pool.map(lambda session: said(client, session, "in linen").json(), sessions))
        assert len(set(sessions)) == 8
        assert all(answer == first[0] for answer in first)
        assert all(answer == second[0] for answer in second)

    def test_the_trace_tells_what_was_thought(self, client):
        session = opened(client)
        said(client, session)
        said(client, session, "in linen")
        trace = client.get(f"/sessions/{session}/trace", params={"explain": True}).json()
        turn = trace["turns"][0]
        assert [turn["turn"] for turn in trace["turns"]] == [1, 2]
        assert turn["message"] == SCARF
        assert {"category", "line"} <= {span["label"] for span in turn["spans"]}
        assert sum(candidate["probability"] for candidate in turn["belief"]["top"]) <= 1.0 + 1e-9
        assert turn["belief"]["confidence"] == turn["belief"]["top"][0]["probability"]
        assert [action["taken"] for action in turn["actions"]].count(True) == 1
        best = max(turn["actions"], key=lambda action: (action["rollouts"], action["value"]))
        assert best["value"] == next(a["value"] for a in turn["actions"] if a["taken"])
        shown = turn["recommendations"][0]
        assert shown["product"]["title"] == "Linen Scarf"
        assert "quotes your “Made in Italy” word for word" in shown["sentence"]
        assert any(reason["nats"] > 1.0 for reason in shown["reasons"])

    def test_one_turn_of_the_trace_without_reasons(self, client):
        session = opened(client)
        said(client, session)
        said(client, session)
        trace = client.get(f"/sessions/{session}/trace", params={"turn": 2}).json()
        assert [turn["turn"] for turn in trace["turns"]] == [2]
        assert trace["turns"][0]["recommendations"][0]["reasons"] == []
        assert client.get(f"/sessions/{session}/trace", params={"turn": 3}).status_code == 404

    def test_a_closed_session_is_gone(self, client):
        session = opened(client)
        said(client, session)
        assert client.delete(f"/sessions/{session}").status_code == 204
        assert said(client, session).status_code == 404
        assert client.agent.trace(session) == []

    def test_health(self, client, products):
        opened(client)
        assert client.get("/health").json() == {"status": "ok", "products": len(products), "sessions": 1}


class TestErrors:
    @pytest.mark.parametrize("path", ["/sessions/none/messages", "/sessions/none/trace", "/sessions/none"])
    def test_an_unknown_session(self, client, path):
        method = {"messages": client.post, "trace": client.get}.get(path.rpartition("/")[2], client.delete)
        answer = method(path, json={"message": "x"}) if method == client.post else method(path)
        assert answer.status_code == 404
        assert answer.json() == {"detail": "no such session is kept"}

    @pytest.mark.parametrize(
        ("body", "detail"),
        [
            (b"{", "JSON decode error"),
            (b"[]", "Input should be a valid dictionary or object to extract fields from"),
            (b"{}", "message: Field required"),
            (b'{"message": 5}', "message: Input should be a valid string"),
            (b'{"message": "x", "top_k": 0}', "top_k: Input should be greater than or equal to 1"),
            (b'{"message": "x", "top_k": 11}', "top_k: Input should be less than or equal to 10"),
            (b'{"message": "x", "other": 1}', "other: Extra inputs are not permitted"),
            (b'{"message": "\\ud800"}', "message: Input should be a valid string, unable to parse"),
            (b'{"message": "' + b"x" * 2001 + b'"}', "message: String should have at most 2000 characters"),
        ],
    )
    def test_a_body_of_another_form(self, client, body, detail):
        session = opened(client)
        answer = client.post(
            f"/sessions/{session}/messages", content=body, headers={"content-type": "application/json"}
        )
        assert answer.status_code == 422
        assert list(answer.json()) == ["detail"]
        assert detail in answer.json()["detail"]
        assert "\n" not in answer.json()["detail"]

    @pytest.mark.parametrize("chunked", [False, True])
    def test_a_body_that_is_too_large(self, make_client, chunked):
        client = make_client(body_bytes=100)
        body = b'{"message": "' + b"x" * 200 + b'"}'
        session = opened(client)
        answer = client.post(
            f"/sessions/{session}/messages",
            content=iter([body[:50], body[50:]]) if chunked else body,
            headers={"content-type": "application/json"},
        )
        assert answer.status_code == 413
        assert answer.json() == {"detail": "the body is larger than 100 bytes"}

    def test_too_many_requests(self, make_client):
        client = make_client(rate=0.01, burst=3)
        statuses = [client.get("/health").status_code for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        answer = client.get("/health")
        assert 1 <= int(answer.headers["retry-after"]) <= 101
        assert answer.json()["detail"].startswith("too many requests")

    def test_no_answer_in_time(self, make_client, monkeypatch):
        client = make_client(timeout=0.2)
        session = opened(client)
        monkeypatch.setattr(client.agent, "respond", lambda *_: time.sleep(1.0))
        answer = said(client, session)
        assert answer.status_code == 503
        assert answer.json() == {"detail": "no answer within 0.2 s"}

    def test_two_messages_at_once(self, make_client, monkeypatch):
        client = make_client()
        session = opened(client)
        respond = client.agent.respond

        def slowly(*arguments):
            time.sleep(0.5)
            return respond(*arguments)

        monkeypatch.setattr(client.agent, "respond", slowly)
        with ThreadPoolExecutor(2) as pool:
            statuses = sorted(pool.map(lambda _: said(client, session).status_code, range(2)))
        assert statuses == [200, 409]

    def test_a_session_ends(self, make_client):
        client = make_client(turns=2)
        session = opened(client)
        assert [said(client, session).status_code for _ in range(3)] == [200, 200, 409]

    def test_the_session_unused_longest_is_forgotten(self, make_client):
        client = make_client(sessions=2)
        first, second = opened(client), opened(client)
        said(client, first)
        third = opened(client)
        assert [said(client, name).status_code for name in (first, second, third)] == [200, 404, 200]

    def test_a_fault_within_is_no_leak(self, client, monkeypatch):
        def broken(*_):
            raise RuntimeError("secret")

        session = opened(client)
        monkeypatch.setattr(client.agent, "respond", broken)
        answer = said(client, session)
        assert answer.status_code == 500
        assert "secret" not in answer.text


class TestDoors:
    @pytest.mark.parametrize(
        "path",
        [
            "/static/../settings.py",
            "/static/%2e%2e/settings.py",
            "/static/..%2fsettings.py",
            "/static//etc/passwd",
            "/runs/..%2f..",
            "/etc/passwd",
        ],
    )
    def test_no_file_of_the_machine_is_given(self, client, path):
        answer = client.get(path)
        assert answer.status_code in (400, 404, 422)
        assert "ServerSettings" not in answer.text
        assert "root:" not in answer.text

    def test_other_names_are_refused(self, client):
        assert client.get("/health", headers={"host": "evil.example"}).status_code == 400
        assert client.get("/health", headers={"host": "localhost:8321"}).status_code == 200

    def test_every_answer_carries_the_headers(self, client):
        for path in ("/", "/docs", "/health", "/nowhere", "/static/style.css"):
            headers = client.get(path).headers
            assert "default-src 'none'" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"

    def test_the_api_alone_has_no_pages(self, make_client):
        client = make_client(pages=False)
        assert client.get("/").status_code == 404
        assert client.get("/docs").status_code == 200

    def test_the_description_needs_nothing_from_outside(self, client):
        text = client.get("/docs").text
        assert "/sessions/{session_id}/messages" in text
        assert "ask_attribute" in text
        assert not re.search(r"""(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?//""", text)


def test_buckets_are_refilled_at_the_rate():
    now = [0.0]
    buckets = TokenBuckets(ServerSettings(rate=2.0, burst=2, clients=2), lambda: now[0])
    assert [buckets.wait("a") for _ in range(2)] == [0.0, 0.0]
    assert buckets.wait("a") == pytest.approx(0.5)
    assert buckets.wait("b") == 0.0
    now[0] = 0.25
    assert buckets.wait("a") == pytest.approx(0.25)
    now[0] = 0.5
    assert buckets.wait("a") == 0.0
    assert buckets.wait("a") > 0.0
    now[0] = 100.0
    assert [buckets.wait("a") for _ in range(3)] == [0.0, 0.0, pytest.approx(0.5)]


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_the_api_does_what_its_document_says(make_client, mode):
    """Requests drawn from the OpenAPI document, right ones and wrong ones; every answer fits the document."""
    app = make_client(hosts=("testserver",), body_bytes=10**6).app
    document = schemathesis.openapi.from_asgi("/openapi.json", app)
    operations = [result.ok() for result in document.get_all_operations()]
    assert len(operations) == 5
    for operation in operations:
        if mode is GenerationMode.NEGATIVE and operation.path == "/health":
            continue  # it takes nothing that could be wrong

        @settings(DRAWN)
        @given(case=operation.as_strategy(generation_mode=mode))
        def check(case):
            case.call_and_validate()

        check()
