-- a results database of schema 5, in SQL that SQLite and PostgreSQL understand
CREATE TABLE ballcourt (
    schema VARCHAR(40) NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (schema)
);
CREATE TABLE boards (
    question VARCHAR(64) NOT NULL,
    part INTEGER NOT NULL,
    digest VARCHAR(64) NOT NULL,
    seal VARCHAR(64) NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (question, part)
);
CREATE TABLE matches (
    identity VARCHAR(32) NOT NULL,
    key VARCHAR(100) NOT NULL,
    deal VARCHAR(32) NOT NULL,
    game VARCHAR(100) NOT NULL,
    rules_version VARCHAR(100) NOT NULL,
    options TEXT NOT NULL,
    started VARCHAR(20) NOT NULL,
    record TEXT NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    seal VARCHAR(64) NOT NULL,
    PRIMARY KEY (identity)
);
CREATE TABLE rivals (
    identity VARCHAR(32) NOT NULL,
    number INTEGER NOT NULL,
    name VARCHAR(100) NOT NULL,
    placement INTEGER NOT NULL,
    score FLOAT(53) NOT NULL,
    PRIMARY KEY (identity, number),
    FOREIGN KEY(identity) REFERENCES matches (identity) ON DELETE CASCADE
);
CREATE TABLE seats (
    identity VARCHAR(32) NOT NULL,
    seat INTEGER NOT NULL,
    name VARCHAR(100) NOT NULL,
    version VARCHAR(100) NOT NULL,
    content_hash VARCHAR(64) NOT NULL,
    placement INTEGER NOT NULL,
    score FLOAT(53) NOT NULL,
    fault BOOLEAN NOT NULL,
    termination VARCHAR(40) NOT NULL,
    think_us BIGINT NOT NULL,
    longest_think_us BIGINT NOT NULL,
    PRIMARY KEY (identity, seat),
    FOREIGN KEY(identity) REFERENCES matches (identity) ON DELETE CASCADE
);
INSERT INTO ballcourt (schema, digest) VALUES ('ballcourt-leaderboard-5', 'cd08e6adb741f8e9170fe0c1adb586b031bb1f947952e45c7a96c5b638a43313');
INSERT INTO matches (identity, key, deal, game, rules_version, options, started, record, checksum, seal) VALUES ('id b000000-r0', 'b000000-r0', 'deal b000000-r0', 'bluff', '1', '{}', '', '', '', 'a4c7585b8dcedc004a2321480401802174e192a3ac1aaf614a9facdf379a9436');
INSERT INTO matches (identity, key, deal, game, rules_version, options, started, record, checksum, seal) VALUES ('id b000000-r1', 'b000000-r1', 'deal b000000-r1', 'bluff', '1', '{"decks": "2", "rounds": "3"}', '2026-11-22T18:30:05Z', 'records/b000000-r1.match', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 'ec349a8c65608189da88001377bd57a6d1f621d32d63987725ba0fb04086155f');
INSERT INTO matches (identity, key, deal, game, rules_version, options, started, record, checksum, seal) VALUES ('id b000001-r0', 'b000001-r0', 'deal b000001-r0', 'bluff', '1', '{}', '', '/runs/cup/records/b000001-r0.match', '', '9372a00c840d191ff9de1aa8d0e18e43f27d87d19177439fd5791053a34f4ba1');
INSERT INTO matches (identity, key, deal, game, rules_version, options, started, record, checksum, seal) VALUES ('id cup d ann', 'cup d ann', 'd', 'bluff', '1', '{}', '', '', '', '32b88e4b1f1ed95596a48bce3f6a697cfe014e978017552019894b45fba26854');
INSERT INTO matches (identity, key, deal, game, rules_version, options, started, record, checksum, seal) VALUES ('id cup d faulty', 'cup d faulty', 'd', 'bluff', '1', '{}', '', '', '', '0993570863ace928d4a3a07a89ff6f2eb5c3240bfefb49f22c1264ff133078e0');
INSERT INTO rivals (identity, number, name, placement, score) VALUES ('id cup d ann', 0, 'the house', 1, 3.0);
INSERT INTO rivals (identity, number, name, placement, score) VALUES ('id cup d faulty', 0, 'the house', 1, 3.0);
INSERT INTO seats (identity, seat, name, version, content_hash, placement, score, fault, termination, think_us, longest_think_us) VALUES ('id b000000-r0', 0, 'ann', '1', '', 1, 10.0, false, 'OK', 0, 0);
INSERT INTO seats (identity, seat, name, version, content_hash, placement, score, fault, termination, think_us, longest_think_us) VALUES ('id b000000-r0', 1, 'bob', '1', '', 2, 9.0, false, 'OK', 0, 0);
INSERT INTO seats (identity, seat, name, version, content_hash, placement, score, fault, termination, think_us, longest_think_us) VALUES ('id b000000-r0', 2, 'cid', '1', '', 2, 9.0, false, 'OK', 0, 0);
INSERT INTO seats (identity, seat, name, version, content_hash, placement, score, fault, termination, think_us, longest_think_us) VALUES ('id b000000-r1', 0, 'bob', '1', '', 1, 10.0, false, 'OK', 0, 0);
INSERT INTO seats (identity, seat, name, version, content_hash, placement, score, fault, termination, think_us, longest_think_us) VALUES ('id b000000-r1', 1, 'faulty', '1', '', 2, 9.0, true, 'OK', 0, 0);
INSERT INTO seats (identity, seat, name, version, content_hash, placement, score, fault, termination, think_us, longest_think_us) VALUES ('id b000001-r0', 0, 'ann', '1', '', 2, 9.0, false, 'OK', 0, 0);
INSERT INTO seats (identity, seat, name, version, content_hash, placement, score, fault, termination, think_us, longest_think_us) VALUES ('id b000001-r0', 1, 'bob', '1', '', 3, 8.0, false, 'OK', 0, 0);
INSERT INTO seats (identity, seat, name, version, content_hash, placement, score, fault, termination, think_us, longest_think_us) VALUES ('id b000001-r0', 2, 'cid', '1', '', 1, 10.0, false, 'OK', 0, 0);
INSERT INTO seats (identity, seat, name, version, content_hash, placement, score, fault, termination, think_us, longest_think_us) VALUES ('id cup d ann', 0, 'ann', '1', '', 2, 2.5, false, 'OK', 0, 0);
INSERT INTO seats (identity, seat, name, version, content_hash, placement, score, fault, termination, think_us, longest_think_us) VALUES ('id cup d faulty', 0, 'faulty', '1', '', 2, 0.1, true, 'CRASH', 0, 0);
