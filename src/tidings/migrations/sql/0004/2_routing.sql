-- Where somebody wants to hear of a topic: addresses that have names and tags, and subscriptions that choose among them.

-- An address with a name is an integration: its owner looks after it, and it can be chosen, by itself or by a tag.
ALTER TABLE tidings.addresses ADD COLUMN name text, ADD COLUMN tags text[] NOT NULL DEFAULT '{}';

-- With either of them, what is said under the topic goes there and nowhere else; with neither, wherever the person can
-- be reached.
ALTER TABLE tidings.subscriptions ADD COLUMN address_ids uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN tags text[] NOT NULL DEFAULT '{}';

-- The topic that a notice is said under: whoever subscribed to it is told where they chose to be.
ALTER TABLE tidings.notices ADD COLUMN topic text;

-- What goes along with its mails: names, media types and texts.
ALTER TABLE tidings.notices ADD COLUMN attachments jsonb NOT NULL DEFAULT '[]';
