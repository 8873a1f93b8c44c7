"""Meta's codes of errors, in the answers to our requests and in its later reports."""

from __future__ import annotations

from collections.abc import Mapping

from tidings.spine.channels.verdicts import Verdict

CODES: Mapping[int, Verdict] = {
    0: Verdict.WAIT,  # credentials
    1: Verdict.WAIT,  # unknown error
    2: Verdict.WAIT,  # service down
    3: Verdict.WAIT,  # the app lacks a permission
    4: Verdict.WAIT,  # too many calls
    10: Verdict.WAIT,  # the app lacks a permission
    100: Verdict.REJECTED,  # a parameter is not valid
    190: Verdict.WAIT,  # the token has expired
    368: Verdict.WAIT,  # the account is blocked for a while
    80007: Verdict.WAIT,  # rate limit of the account
    130429: Verdict.WAIT,  # rate limit
    130472: Verdict.REJECTED,  # the person is part of an experiment of Meta's
    130497: Verdict.REJECTED,  # not to this country
    131000: Verdict.WAIT,  # something went wrong
    131001: Verdict.WAIT,
    131002: Verdict.WAIT,
    131005: Verdict.WAIT,  # access denied
    131008: Verdict.REJECTED,  # a parameter is missing
    131009: Verdict.REJECTED,  # a value is not valid
    131016: Verdict.WAIT,  # overloaded
    131021: Verdict.REJECTED,  # to ourselves
    131026: Verdict.REJECTED,  # not deliverable: not on WhatsApp, or has not accepted its terms
    131031: Verdict.WAIT,  # account locked
    131042: Verdict.WAIT,  # payment
    131045: Verdict.WAIT,  # the sender is not registered
    131047: Verdict.REJECTED,  # more than 24 hours since the person last wrote
    131048: Verdict.WAIT,  # limited for spam
    131050: Verdict.GONE,  # the person has stopped our messages
    131056: Verdict.WAIT_FOR_ADDRESS,  # too many to this one person
    131057: Verdict.WAIT,  # maintenance
    132000: Verdict.REJECTED,  # number of parameters
    132001: Verdict.REJECTED,  # no such template
    133010: Verdict.WAIT,  # the sender is not registered
}
