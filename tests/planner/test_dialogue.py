from dataclasses import FrozenInstanceError

import pytest

from planner.dialogue import DialogueState
from scoring.evidence import CategoryNamed, LinesSaid, Opening, Refusal, Shown, Silence

COLOR, SIZE, STYLE = 2, 3, 4


def test_a_new_dialogue_is_empty():
    state = DialogueState()
    assert (state.evidence, state.questions, state.messages) == ((), (), 0)
    assert state.last_question is None
    assert not state.times_asked
    assert not state.retired


def test_hearing_and_replying_make_new_states():
    start = DialogueState()
    heard = start.heard((Opening("free"), CategoryNamed("a scarf")))
    replied = heard.replied(COLOR, (4, 2))
    assert start == DialogueState()
    assert heard == DialogueState(evidence=(Opening("free"), CategoryNamed("a scarf")), messages=1)
    assert replied == DialogueState(
        evidence=(Opening("free"), CategoryNamed("a scarf"), Shown((4, 2))), questions=(COLOR,), messages=1
    )
    with pytest.raises(FrozenInstanceError):
        heard.messages = 2


def test_showing_nothing_is_no_evidence():
    assert DialogueState().replied(SIZE, ()) == DialogueState(questions=(SIZE,))


def test_questions_are_counted():
    state = DialogueState().replied(COLOR, ()).replied(None, ()).replied(SIZE, ()).replied(COLOR, ())
    assert state.times_asked == {COLOR: 2, SIZE: 1}
    assert state.last_question == COLOR
    assert state.replied(None, ()).last_question is None


def test_exhausted_questions_retire_and_refused_ones_are_known():
    state = DialogueState().heard((Silence(COLOR),)).heard((LinesSaid(SIZE, (1,)),)).heard((Refusal(STYLE),))
    assert state.retired == {COLOR}
    assert state.refused == {STYLE}


def test_missed_messages_move_the_count_forward_only():
    state = DialogueState(evidence=(Opening("free"),), questions=(COLOR,), messages=3)
    assert state.at(4) == state
    assert state.at(2) == state
    assert state.at(7) == DialogueState(evidence=(Opening("free"),), questions=(COLOR,), messages=6)
