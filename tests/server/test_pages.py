"""The inspect pages: what they show, what they refuse, and that nothing of a catalog is taken for markup."""

import re
from html import unescape

import pytest

from index.catalog import Catalog
from index.products import Product
from server import charts
from server.pages import segments
from server.runs import Choice, RunReadError, RunShelf, replay
from server.views import ActionView, CandidateView, ProductView, SpanView

SCARF = "I'm looking for Accessories Scarves. A key requirement is: Made in Italy."


def begin(client, **fields):
    answer = client.post("/live", data=fields)
    assert answer.status_code == 200, answer.text
    return answer


def text_of(answer):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", answer.text)))


class TestLive:
    def test_a_turn_shows_what_was_thought(self, client):
        page = begin(client, message=SCARF)
        name = page.url.path.rpartition("/")[2]
        trace = client.agent.trace(name)[0]
        text = text_of(page)
        assert f"confidence {trace.belief.confidence:.1%}" in text
        assert "Linen Scarf" in text
        assert "quotes your “Made in Italy” word for word" in text
        assert re.search(r'<mark class="span category"[^>]*>Accessories Scarves<small>', page.text)
        assert re.search(r'<mark class="span line"[^>]*>Made in Italy<small>', page.text)
        assert page.text.count('<g class="page') == len(trace.values.questions)
        assert "Asks about" in text
        assert "Shows " in text

    def test_turns_can_be_looked_back_at_and_taken_back(self, client):
        page = begin(client, message=SCARF)
        path = page.url.path
        page = client.post(f"{path}/say", data={"message": "in linen"})
        assert "Turn 2" in text_of(page)
        assert "in linen" in text_of(page)
        assert "Turn 1" in text_of(client.get(path, params={"turn": 1}))
        page = client.post(f"{path}/undo")
        assert "Turn 1" in text_of(page)
        assert "in linen" not in text_of(page)

    def test_the_customer_speaks_until_it_has_found_its_product(self, client):
        page = begin(client, target="SCARF", scenario="intent_override")
        for _ in range(10):
            if "customer speaks" not in page.text:
                break
            page = client.post(f"{page.url.path}/customer")
        assert "Found: score 0." in text_of(page)
        page = client.post(f"{page.url.path}/customer")
        assert "the simulated customer has left" in text_of(page)

    def test_faults_are_told(self, client):
        answer = client.post("/live", data={"target": "NONE"})
        assert answer.status_code == 422
        assert "no product 'NONE' in the catalog" in text_of(answer)
        path = begin(client, message="x").url.path
        client.post(f"{path}/undo")
        assert "there is nothing to undo" in text_of(client.post(f"{path}/undo"))
        assert client.post(f"{path}/nothing").status_code == 404
        assert client.get("/live/nobody").status_code == 404

    def test_a_conversation_ends(self, make_client):
        client = make_client(turns=2)
        path = begin(client, message="one").url.path
        client.post(f"{path}/say", data={"message": "two"})
        page = client.post(f"{path}/say", data={"message": "three"})
        assert "a conversation ends after 2 turns" in text_of(page)
        assert "three" not in text_of(page)

    @pytest.mark.parametrize(
        "headers", [{"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}]
    )
    def test_forms_of_other_pages_are_not_taken(self, client, headers):
        assert client.post("/live", data={"message": "x"}, headers=headers).status_code == 403

    def test_product_text_is_never_markup(self, make_client, tmp_path):
        nasty = "<script>alert(1)</script><img src=x onerror=alert(2)> \"' & {{ 7 * 7 }}"
        record = Product("<b>ID</b>", nasty, features=(nasty, "wool"), categories=(nasty,))
        client = make_client(Catalog.build([record, Product("B", "Plain wool")]), tmp_path / "none")
        page = begin(client, message=f"wool {nasty}")
        for bad in ("<script>alert", "<img src=x", "<b>ID"):
            assert bad not in page.text
        assert "{{ 7 * 7 }}" in text_of(page)
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text


class TestRuns:
    def test_the_start_lists_finished_runs(self, client):
        text = text_of(client.get("/"))
        assert "first" in text
        assert "second" in text
        assert "unfinished" not in text

    def test_a_run_and_its_filters(self, client, runs_folder):
        run = RunShelf(runs_folder).run("first")
        weak = [line.systems["weak"] for line in run.sessions]
        misses = sum(session.turn is None for session in weak)
        slow = sum(session.turn is not None and session.turn >= 3 for session in weak)
        low = sum((session.rank or 0) > 1 for session in weak)
        assert misses
        assert slow
        assert low
        for show, count in (("misses", misses), ("slow", slow), ("ranks", low), ("all", len(weak))):
            page = client.get("/runs/first", params={"system": "weak", "show": show})
            assert page.text.count('<a href="/runs/first/') == count
        page = client.get("/runs/first", params={"system": "weak", "show": "misses"})
        assert page.text.count('<b class="bad">miss</b>') == misses
        page = client.get("/runs/first", params={"scenario": "boundary"})
        assert page.text.count('<a href="/runs/first/') == 3

    def test_a_recorded_turn_is_thought_through_again(self, client, runs_folder):
        run = RunShelf(runs_folder).run("first")
        traces = replay(client.agent.planner, run.sessions[0].systems["planner"].turns)
        page = client.get("/runs/first/0", params={"turn": 1})
        assert f"confidence {traces[0].belief.confidence:.1%}" in text_of(page)
        assert "would ask" not in text_of(page)
        assert "the wanted product is shown at rank 1" in text_of(
            client.get("/runs/first/0", params={"turn": 99})
        )

    def test_what_the_planner_would_have_done_instead(self, client):
        page = client.get("/runs/first/0", params={"system": "weak"})
        assert "This server's planner would ask about" in text_of(page)

    def test_the_replay_of_the_planners_own_run_decides_as_it_did(self, client, runs_folder):
        planner = client.agent.planner
        for line in RunShelf(runs_folder).run("first").sessions:
            turns = line.systems["planner"].turns
            for turn, trace in zip(turns, replay(planner, turns), strict=True):
                decision = planner.decide(trace.belief, trace.values)
                assert decision.rows == trace.decision.rows
                assert decision.question == trace.decision.question
                assert trace.message == turn.message

    def test_two_systems_side_by_side(self, client, runs_folder):
        run = RunShelf(runs_folder).run("first")
        pairs = [(line.systems["planner"], line.systems["weak"]) for line in run.sessions]
        different = sum((a.turn, a.rank) != (b.turn, b.rank) for a, b in pairs)
        page = client.get("/compare", params={"a": "first", "b": "second"})
        assert page.text.count('<a href="/compare/') == different
        assert f"a better {sum(a.score > b.score for a, b in pairs)}" in text_of(page)
        page = client.get("/compare", params={"a": "first", "b": "second", "show": "all"})
        assert page.text.count('<a href="/compare/') == len(pairs)
        page = client.get("/compare", params={"a": "first", "b": "other"})
        assert "The two runs have no session in common" in page.text
        assert "0.0000" not in page.text
        page = client.get("/compare/0", params={"a": "first", "b": "second", "turn": 1})
        assert page.status_code == 200
        assert page.text.count('<h2 id="understood">') == 2

    @pytest.mark.parametrize(
        ("path", "message"),
        [
            ("/runs/none", "no run 'none'"),
            ("/runs/first?system=none", "has no system 'none'"),
            ("/runs/first/99", "has no session number 99"),
            ("/runs/unfinished", "no run 'unfinished'"),
            ("/runs/%2e%2e", "no run '..'"),
            ("/compare?a=first&b=none", "no run 'none'"),
        ],
    )
    def test_what_is_not_there(self, client, path, message):
        answer = client.get(path)
        assert answer.status_code == 404
        assert message in text_of(answer)

    def test_a_run_over_another_catalog(self, make_client, products):
        client = make_client(Catalog.build([products[1]]))
        page = client.get("/runs/first/0")
        assert page.status_code == 200
        assert "is not in this server's catalog" in text_of(page)

    def test_a_torn_run_is_told_by_its_line(self, make_client, tmp_path):
        (tmp_path / "torn").mkdir()
        (tmp_path / "torn" / "sessions.jsonl").write_text('{"sample_id": 1}\n', encoding="utf-8")
        with pytest.raises(RunReadError, match=r"torn/sessions.jsonl, line 1: "):
            RunShelf(tmp_path).run("torn")
        client = make_client(folder=tmp_path)
        assert "torn/sessions.jsonl, line 1" in text_of(client.get("/"))

    def test_no_runs_at_all(self, make_client, tmp_path):
        assert "None in none/" in text_of(make_client(folder=tmp_path / "none").get("/")).replace(
            "none /", "none/"
        )

    def test_choices(self, runs_folder):
        line = RunShelf(runs_folder).run("first").sessions[0]
        assert Choice().takes(line, "planner")
        assert not Choice(set="other").takes(line, "planner")
        assert Choice(set="drawn", scenario=line.scenario_type).takes(line, "planner")
        assert not Choice(show="fallbacks").takes(line, "planner")


def span(start, end):
    return SpanView(start=start, end=end, label="line", value="", strength=1.0)


@pytest.mark.parametrize(
    ("spans", "pieces"),
    [
        ([], [("abcdef", False)]),
        ([span(0, 2), span(4, 6)], [("ab", True), ("cd", False), ("ef", True)]),
        ([span(4, 6), span(0, 2)], [("ab", True), ("cd", False), ("ef", True)]),
        ([span(1, 4), span(2, 5)], [("a", False), ("bcd", True), ("ef", False)]),
        ([span(3, 3)], [("abcdef", False)]),
    ],
)
def test_a_message_is_cut_into_its_spans(spans, pieces):
    assert [(text, found is not None) for text, found in segments("abcdef", spans)] == pieces


def action(question, page, value, error=0.01, taken=False):
    return ActionView(
        question=question, page=page, value=value, standard_error=error, rollouts=100, taken=taken
    )


def test_the_chart_places_values_in_proportion():
    values = [action("color", 1, 0.5, 0.0), action("size", 1, 0.75, 0.0), action(None, 1, 1.0, 0.0)]
    svg = str(charts.action_values(values))
    places = [float(place) for place in re.findall(r'<circle cx="([\d.]+)"', svg)]
    assert places[1] - places[0] == pytest.approx(places[2] - places[1], abs=0.11)
    assert places[0] < places[1]
    assert ">nothing</text>" in svg


def test_the_chart_escapes_and_marks_what_was_taken():
    svg = str(charts.action_values([action("<b>", 1, 0.5, taken=True), action("<b>", 10, 0.6)]))
    assert "<b>" not in svg
    assert svg.count('class="ring"') == 1
    assert "&lt;b&gt;, show 10: 0.6000 ± 0.0196" in svg


def test_equal_values_and_no_values_are_drawn_too():
    assert "nan" not in str(charts.action_values([action("color", 1, 0.5, 0.0)]))
    assert str(charts.action_values([])) == ""
    assert str(charts.entropy_line([1.0], 1)) == ""
    assert "nan" not in str(charts.entropy_line([0.0, None, 0.0], 3))


def test_terms_that_are_zero_for_all_are_not_told():
    product = ProductView.model_construct(id="A")
    terms = [
        {"prior": -7.0, "quoted": 0.0, "heard": 0.04, "price": -0.0},
        {"prior": -8.0, "quoted": 0.0, "heard": 0.0, "price": -3.0},
    ]
    candidates = [CandidateView.model_construct(product=product, probability=0.5, terms=one) for one in terms]
    assert charts.telling_terms(candidates) == ["prior", "price"]
    assert charts.telling_terms([]) == []
