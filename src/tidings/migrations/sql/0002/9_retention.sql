-- What is old is found by its time. A block range index forgets no time that it ever held: when the blocks of what was
-- removed are used again, every range reaches back to the beginning, and each look reads the whole table. Rows that are
-- settled together have one time, so that this index has one entry for many.
DROP INDEX tidings.outbox_finished_by_time;
CREATE INDEX outbox_finished_by_time ON tidings.outbox_finished (finished_at);
