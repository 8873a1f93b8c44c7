"""Live over `/v1/ws`: what changes in an inbox reaches every open socket of its person, on every API process; and who
watches their tenant is told what moves there (`pulse`) and what was changed (`changes`).

One connection a process listens (`listener`); the courier reads what was announced and hands it to the sockets in the
person's room (`hub`); each socket has a queue with an end (`socket`). Start with `service`.
"""
