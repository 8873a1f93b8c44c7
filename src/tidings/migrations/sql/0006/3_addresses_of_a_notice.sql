-- What is meant for one mailbox, such as the link of an invitation, does not go to the others that a person has.
ALTER TABLE tidings.notices ADD COLUMN addresses uuid[];
