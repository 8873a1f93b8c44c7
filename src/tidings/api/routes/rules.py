"""Rules over HTTP."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.responses import Response

from tidings.api.bodies import checked
from tidings.api.bodies.rules import NewRuleBody, RuleChangesBody, SampleBody, TrialBody
from tidings.api.desk import Desk, answered, desk
from tidings.api.documents import Envelope, Listing
from tidings.api.documents.rules import RuleDocument, RuleVersionDocument, TrialDocument
from tidings.api.openapi import signed_in, takes
from tidings.api.shapes import PAGE, Cursor, Limit
from tidings.api.shown.rules import shown_rule, shown_trial, shown_version
from tidings.api.versions import IF_MATCH, wanted_version, with_version
from tidings.kit.errors import Outdated
from tidings.kit.json_input import parse_json
from tidings.spine.access.identity import Role, Scope
from tidings.spine.notify.rules.accepting import Acceptance
from tidings.spine.notify.rules.dry_run import DryRun
from tidings.spine.notify.rules.model import FACT_TYPE, Rule
from tidings.spine.notify.rules.records import untried
from tidings.spine.notify.rules.storing import RuleFilter, Rules
from tidings.spine.notify.rules.trials import Sample

router = APIRouter(prefix="/v1/rules", tags=["rules"])
_READ = desk(Role.ADMIN, Scope.RULES_READ)
_WRITE = desk(Role.ADMIN, Scope.RULES_WRITE)
_WRITE_BODY = desk(Role.ADMIN, Scope.RULES_WRITE, body=True)
TypeFilter = Annotated[
    str | None, Query(alias="factType", max_length=200, pattern=FACT_TYPE, description="as the rule has it")
]


@router.get("", operation_id="list_rules", response_model=Listing[RuleDocument], responses=signed_in())
async def list_rules(
    at: Annotated[Desk, _READ],
    fact_type: TypeFilter = None,
    enabled: bool | None = None,
    limit: Limit = PAGE,
    cursor: Cursor = None,
) -> Response:
    """The rules of your tenant, newest first."""
    page = await _rules(at).list(RuleFilter(fact_type, enabled), at.position("rules", cursor), limit)
    return at.page("rules", page, shown_rule)


@router.post(
    "",
    operation_id="make_rule",
    status_code=201,
    response_model=Envelope[RuleDocument],
    responses=signed_in(409, 415),
    openapi_extra=takes(NewRuleBody, idempotent=True),
)
async def make_rule(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Makes a rule. Facts that are recorded from now on are told by it; `dry-run` shows what it would have told."""
    new = await _acceptance(at).new(parse_json(at.body))

    async def make() -> dict[str, Any]:
        return shown_rule(await _rules(at).create(new, at.identity.actor))

    return await at.once(make, 201)


@router.get("/{id:uuid}", operation_id="get_rule", response_model=Envelope[RuleDocument], responses=signed_in())
async def get_rule(id: UUID, at: Annotated[Desk, _READ]) -> Response:
    """One rule. Its version is in `ETag` too."""
    return with_version(shown_rule(await _rules(at).get(id)))


@router.patch(
    "/{id:uuid}",
    operation_id="change_rule",
    response_model=Envelope[RuleDocument],
    responses=signed_in(409, 412, 415),
    openapi_extra=takes(RuleChangesBody) | {"parameters": [IF_MATCH]},
)
async def change_rule(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """Changes a rule, as a new version. The last write wins, unless `If-Match` says which version it is of."""
    changes, wanted = parse_json(at.body), wanted_version(at)
    rules = _rules(at)
    known = await rules.get(id, for_change=True)
    if wanted is not None and wanted != known.rule.version:
        raise Outdated(f"The rule is at version {known.rule.version} by now.")
    new = await _acceptance(at).changed(known.rule, changes)
    return with_version(shown_rule(await rules.save(known, new, at.identity.actor)))


@router.delete(
    "/{id:uuid}", operation_id="delete_rule", status_code=204, response_class=Response, responses=signed_in()
)
async def delete_rule(id: UUID, at: Annotated[Desk, _WRITE]) -> Response:
    """Deletes a rule. What it has told is told; its versions stay."""
    await _rules(at).delete(id)
    return Response(status_code=204)


@router.get(
    "/{id:uuid}/versions",
    operation_id="list_rule_versions",
    response_model=Listing[RuleVersionDocument],
    responses=signed_in(),
)
async def list_rule_versions(
    id: UUID, at: Annotated[Desk, _READ], limit: Limit = PAGE, cursor: Cursor = None
) -> Response:
    """Every version of a rule, newest first; also of one that was deleted."""
    listing = f"versions of rule {id}"
    page = await _rules(at).versions(id, at.position(listing, cursor), limit)
    return at.page(listing, page, shown_version)


@router.post(
    "/dry-run",
    operation_id="try_rule",
    response_model=Envelope[TrialDocument],
    responses=signed_in(415),
    openapi_extra=takes(TrialBody),
)
async def try_rule(at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """What a rule that is not saved would have told of facts of the past, and to whom. Nothing is written or sent."""
    raw = parse_json(at.body)
    wanted = _sample({name: value for name, value in raw.items() if name != "rule"} if isinstance(raw, dict) else raw)
    rule = await _acceptance(at).unsaved(raw.get("rule"), "rule")
    return await _tried(at, untried(at.tenant, rule), wanted)


@router.post(
    "/{id:uuid}/dry-run",
    operation_id="try_saved_rule",
    response_model=Envelope[TrialDocument],
    responses=signed_in(415),
    openapi_extra=takes(SampleBody),
)
async def try_saved_rule(id: UUID, at: Annotated[Desk, _WRITE_BODY]) -> Response:
    """What a rule would have told of facts of the past, and to whom. Nothing is written or sent."""
    wanted = _sample(parse_json(at.body))
    rule = (await _rules(at).get(id)).rule
    return await _tried(at, rule, wanted)


def _rules(at: Desk) -> Rules:
    return Rules(at.connection, at.tenant)


def _acceptance(at: Desk) -> Acceptance:
    return Acceptance(at.connection, at.tenant, at.parts.renderer)


def _sample(raw: Any) -> Sample:
    wanted = checked(SampleBody, raw)
    return Sample(wanted.fact_id, wanted.since, wanted.until, wanted.limit, wanted.people)


async def _tried(at: Desk, rule: Rule, wanted: Sample) -> Response:
    trial = await DryRun(at.connection, at.tenant, at.parts.renderer).run(rule, wanted)
    return answered({"data": shown_trial(trial)})
