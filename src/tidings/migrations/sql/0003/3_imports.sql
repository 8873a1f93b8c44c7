-- Files that were imported are told apart by what they are called.
ALTER TABLE tidings.imports ADD COLUMN file text;

-- Who looks at an import while it runs is told how far it is: it begins, it goes on (a thousand rows at a time), it ends.
CREATE TRIGGER what_is_new_is_told AFTER INSERT ON tidings.imports REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change('imports');
CREATE TRIGGER what_changed_is_told AFTER UPDATE ON tidings.imports REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change('imports');
CREATE TRIGGER what_is_gone_is_told AFTER DELETE ON tidings.imports REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION tidings.tell_of_change('imports');
