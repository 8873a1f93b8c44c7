"""Why somebody was told of a fact, or was not: from what was found to answers in words. Pure; time is in the evidence.

Follows the way of a fact: recorded, prepared, heard by each listener, said to an audience, delivered. Each listener,
and each delivery, is a matter of its own, with an answer of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from tidings.spine.delivery.seeing.causes import About, Answer, Cause
from tidings.spine.delivery.seeing.evidence import Evidence, HeardBy, NoticeSeen, RuleSeen, Work
from tidings.spine.delivery.seeing.explaining_notices import of_notice
from tidings.spine.delivery.seeing.wording import moment, sentence
from tidings.spine.notify.kinds import LISTENER, PREPARE, RULES


def explain(evidence: Evidence) -> tuple[Answer, ...]:
    """One answer or more. What belongs to no fact is explained by its notices alone."""
    if evidence.fact is None and not evidence.notices:
        return (_unknown(),)
    return (*_of_preparing(evidence), *_of_listeners(evidence), *_of_rules_not_asked(evidence)) or (_no_rule(evidence),)


def _unknown() -> Answer:
    said = "There is no such fact: it was never recorded here, or its transaction was rolled back."
    return Answer(Cause.FACT_UNKNOWN, (said,))


def _no_rule(evidence: Evidence) -> Answer:
    assert evidence.fact is not None
    said = f"No rule and no listener is known to have heard of it; no rule is for facts of type {evidence.fact.type}."
    return Answer(Cause.NO_RULE, (_recorded(evidence), said))


def _of_preparing(evidence: Evidence) -> Iterator[Answer]:
    """Where the fact has not been heard by everybody yet."""
    for work in evidence.preparing:
        if work.status != "succeeded":
            cause, words = _preparing(evidence, work)
            yield Answer(cause, (_recorded(evidence), words), work.finished_at or work.run_at, _about(work))


def _about(work: Work) -> About:
    """Which listener it is that has not heard of it; of rules it could be any."""
    return About(work.kind.removeprefix(LISTENER)) if work.kind.startswith(LISTENER) else About()


def _preparing(evidence: Evidence, work: Work) -> tuple[Cause, str]:
    error = work.last_error or "no error was kept"
    match work.status:
        case "dead":
            said = f"Finding out whom to tell was given up, having failed {_times(work.attempts)}: {error}"
            return Cause.PREPARING_FAILED, sentence(said)
        case "cancelled":
            return Cause.PREPARING_CANCELLED, f"Telling anybody was cancelled at {moment(work.finished_at)}."
        case _ if evidence.suspended_at is not None:
            return Cause.TENANT_SUSPENDED, f"The tenant is suspended since {moment(evidence.suspended_at)}; all waits."
        case "processing":
            return Cause.BEING_PREPARED, "It is being found out at this moment whom to tell."
        case "failed":
            said = f"Finding out whom to tell has failed {_times(work.attempts)}: {error}"
            return Cause.PREPARING_FAILS, f"{sentence(said)} It is tried again at {moment(work.run_at)}."
        case "enqueued":
            return Cause.BEING_PREPARED, "It waits its turn to be prepared; the broker has been told of it."
        case _ if work.run_at > evidence.now:
            return Cause.DUE_LATER, f"It was recorded to be told at {moment(work.run_at)}, and not before."
        case _ if work.kind not in evidence.served:
            return Cause.NO_WORKER, "It waits for a worker: none that is running prepares notices."
        case _:
            return Cause.BEING_PREPARED, "It waits its turn to be prepared."


def _of_listeners(evidence: Evidence) -> Iterator[Answer]:
    said_by = {each.listener for each in evidence.heard}
    for each in evidence.heard:
        notices = [notice for notice in evidence.notices if notice.listener == each.listener]
        yield from _of_listener(evidence, each, notices)
    for notice in evidence.notices:
        if notice.listener not in said_by:
            yield from of_notice(evidence, notice, (f"{_capital(notice.listener)} said it.",), About(notice.listener))


def _of_listener(evidence: Evidence, heard: HeardBy, notices: list[NoticeSeen]) -> Iterator[Answer]:
    about = About(heard.listener, heard.rule, heard.rule_version)
    recorded = _recorded(evidence)
    if not heard.told:
        yield _not_told(heard, (recorded,), about)
    elif not notices:
        said = f"{_capital(_name(heard))} heard of it at {moment(heard.at)}, and what it said is not kept any more."
        yield Answer(Cause.NOT_KEPT, (recorded, said), heard.at, about)
    for notice in notices:
        told = (recorded, f"{_capital(_name(heard))} heard of it at {moment(heard.at)}, and told its audience.")
        yield from of_notice(evidence, notice, told, about)


def _not_told(heard: HeardBy, before: tuple[str, ...], about: About) -> Answer:
    if heard.rule is None:
        said = f"{_capital(_name(heard))} heard of it at {moment(heard.at)}: {heard.verdict}"
        return Answer(Cause.NOTHING_SAID, (*before, sentence(said)), heard.at, about)
    said = f"{_capital(_name(heard))} was asked at {moment(heard.at)}, and its condition was not met: {heard.verdict}"
    return Answer(Cause.CONDITION_NOT_MET, (*before, sentence(said), *_changed(heard)), heard.at, about)


def _changed(heard: HeardBy) -> tuple[str, ...]:
    if heard.version_now is None:
        return ("The rule has been deleted since.",)
    if heard.rule_version is not None and heard.version_now > heard.rule_version:
        return (f"The rule has changed since: it is in version {heard.version_now} now.",)
    return ()


def _of_rules_not_asked(evidence: Evidence) -> Iterator[Answer]:
    """Rules that are for such facts now, and have no part in this one."""
    asked = [work for work in evidence.preparing if work.kind in (RULES, PREPARE)]
    if any(work.status != "succeeded" for work in asked):
        return
    heard = {each.listener for each in evidence.heard}
    for rule in evidence.rules:
        if rule.listener not in heard:
            cause, words = _not_kept(rule) if rule.held_then and not asked else _not_asked(rule)
            about = About(rule.listener, rule.name, rule.version)
            yield Answer(cause, (_recorded(evidence), words), rule.updated_at, about)


def _not_kept(rule: RuleSeen) -> tuple[Cause, str]:
    return Cause.NOT_KEPT, f"The rule {rule.name!r} was for such facts then; what it made of this one is not kept."


def _not_asked(rule: RuleSeen) -> tuple[Cause, str]:
    if not rule.enabled:
        return Cause.RULE_DISABLED, f"The rule {rule.name!r} is for such facts, but it is switched off."
    if rule.held_then is False:
        said = f"The rule {rule.name!r} is for such facts now, but was switched off, or for others, at that time"
        return Cause.RULE_DISABLED, f"{said}; it is as it is since {moment(rule.updated_at)}."
    said = f"The rule {rule.name!r} is for such facts, but only since {moment(rule.updated_at)}"
    return Cause.RULE_CAME_LATER, f"{said}: what happened before it, it does not tell."


def _recorded(evidence: Evidence) -> str:
    if evidence.fact is None:
        return "No fact caused it."
    return f"The fact {evidence.fact.type} was recorded at {moment(evidence.fact.occurred_at)}."


def _name(heard: HeardBy) -> str:
    if heard.rule is None:
        return f"the listener {heard.listener!r}"
    return f"the rule {heard.rule!r} (version {heard.rule_version})"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
