"""Twilio's codes of errors, in the answers to our requests and in its later reports."""

from __future__ import annotations

from collections.abc import Mapping

from tidings.spine.channels.verdicts import Verdict

CODES: Mapping[int, Verdict] = {
    20003: Verdict.WAIT,  # wrong credentials
    20429: Verdict.WAIT,
    21211: Verdict.GONE,  # no valid number
    21212: Verdict.WAIT,  # the sender is not valid
    21217: Verdict.GONE,  # no valid number
    21408: Verdict.REJECTED,  # the account may not send to this country
    21602: Verdict.REJECTED,  # no text
    21603: Verdict.WAIT,  # no sender
    21606: Verdict.WAIT,  # the sender is not ours
    21610: Verdict.GONE,  # has unsubscribed at Twilio
    21611: Verdict.WAIT,  # the sender's queue is full
    21612: Verdict.REJECTED,  # not reachable from this sender
    21614: Verdict.GONE,  # no mobile number
    21617: Verdict.REJECTED,  # too long
    21703: Verdict.WAIT,  # the messaging service has no senders
    30001: Verdict.WAIT,  # queue overflow
    30002: Verdict.WAIT,  # account suspended
    30003: Verdict.WAIT_FOR_ADDRESS,  # unreachable handset
    30004: Verdict.REJECTED,  # blocked by the carrier
    30005: Verdict.GONE,  # unknown number
    30006: Verdict.GONE,  # landline
    30007: Verdict.REJECTED,  # filtered
    30008: Verdict.WAIT_FOR_ADDRESS,  # unknown error
    63001: Verdict.WAIT,  # the channel's credentials
    63003: Verdict.GONE,  # not on WhatsApp
    63007: Verdict.WAIT,  # the sender is not set up
    63010: Verdict.WAIT,  # WhatsApp's own fault
    63016: Verdict.REJECTED,  # free text outside the 24-hour window
    63018: Verdict.WAIT,  # too fast
    63024: Verdict.GONE,  # not on WhatsApp
}
