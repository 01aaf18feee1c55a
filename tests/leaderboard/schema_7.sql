-- a results database of schema 7, in SQL that SQLite and PostgreSQL understand
CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    PRIMARY KEY (version_num)
);
CREATE TABLE ballcourt (
    digest VARCHAR(32) NOT NULL,
    PRIMARY KEY (digest)
);
CREATE TABLE boards (
    question VARCHAR(64) NOT NULL,
    part INTEGER NOT NULL,
    digest VARCHAR(32) NOT NULL,
    until BIGINT NOT NULL,
    seal VARCHAR(64) NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (question, part)
);
CREATE TABLE entrants (
    id INTEGER NOT NULL,
    name VARCHAR(100) NOT NULL,
    version VARCHAR(100) NOT NULL,
    content_hash VARCHAR(64) NOT NULL,
    owner VARCHAR(100) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (name, version, content_hash, owner)
);
CREATE TABLE ladders (
    id INTEGER NOT NULL,
    game VARCHAR(100) NOT NULL,
    rules_version VARCHAR(100) NOT NULL,
    seats SMALLINT NOT NULL,
    options TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE matches (
    id INTEGER NOT NULL,
    ladder INTEGER NOT NULL,
    deal BIGINT NOT NULL,
    block BIGINT NOT NULL,
    seal BIGINT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(ladder) REFERENCES ladders (id)
);
CREATE TABLE records (
    match INTEGER NOT NULL,
    identity VARCHAR(32) NOT NULL,
    key VARCHAR(100) NOT NULL,
    deal VARCHAR(32) NOT NULL,
    started VARCHAR(20) NOT NULL,
    record TEXT NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    seal BIGINT NOT NULL,
    PRIMARY KEY (match),
    FOREIGN KEY(match) REFERENCES matches (id),
    UNIQUE (identity)
);
CREATE TABLE rivals (
    match INTEGER NOT NULL,
    number SMALLINT NOT NULL,
    name VARCHAR(100) NOT NULL,
    placement INTEGER NOT NULL,
    score FLOAT(53) NOT NULL,
    PRIMARY KEY (match, number),
    FOREIGN KEY(match) REFERENCES matches (id)
);
CREATE TABLE seats (
    match INTEGER NOT NULL,
    seat SMALLINT NOT NULL,
    entrant INTEGER NOT NULL,
    placement INTEGER NOT NULL,
    score FLOAT(53) NOT NULL,
    fault BOOLEAN NOT NULL,
    termination INTEGER NOT NULL,
    think_us BIGINT NOT NULL,
    longest_think_us BIGINT NOT NULL,
    PRIMARY KEY (match, seat),
    FOREIGN KEY(match) REFERENCES matches (id),
    FOREIGN KEY(entrant) REFERENCES entrants (id)
);
INSERT INTO alembic_version (version_num) VALUES ('7');
INSERT INTO ballcourt (digest) VALUES ('d7865bb752ae5fa34a00f82b70154e1b');
INSERT INTO entrants (id, name, version, content_hash, owner) VALUES (1, 'ann', '1', '', '');
INSERT INTO entrants (id, name, version, content_hash, owner) VALUES (2, 'bob', '1', '', '');
INSERT INTO entrants (id, name, version, content_hash, owner) VALUES (3, 'cid', '1', '', '');
INSERT INTO entrants (id, name, version, content_hash, owner) VALUES (4, 'faulty', '1', '', '');
INSERT INTO ladders (id, game, rules_version, seats, options) VALUES (1, 'bluff', '1', 1, '{}');
INSERT INTO ladders (id, game, rules_version, seats, options) VALUES (2, 'bluff', '1', 2, '{"decks": "2", "rounds": "3"}');
INSERT INTO ladders (id, game, rules_version, seats, options) VALUES (3, 'bluff', '1', 3, '{}');
INSERT INTO matches (id, ladder, deal, block, seal) VALUES (1, 3, -4100287876319253083, -6432623467396114187, 1551098967862309824);
INSERT INTO matches (id, ladder, deal, block, seal) VALUES (2, 2, -4998673447775830957, 6634149346275145807, -7487344861065693001);
INSERT INTO matches (id, ladder, deal, block, seal) VALUES (3, 3, -8672202552687387643, 4423401544462815929, -7956437123583954031);
INSERT INTO matches (id, ladder, deal, block, seal) VALUES (4, 1, 7327856778009205870, 8597499768804351596, -5547167298815146543);
INSERT INTO matches (id, ladder, deal, block, seal) VALUES (5, 1, 7327856778009205870, 8597499768804351596, -1923436623858583094);
INSERT INTO records (match, identity, key, deal, started, record, checksum, seal) VALUES (1, 'id b000000-r0', 'b000000-r0', 'deal b000000-r0', '', '', '', -2787467747794112776);
INSERT INTO records (match, identity, key, deal, started, record, checksum, seal) VALUES (2, 'id b000000-r1', 'b000000-r1', 'deal b000000-r1', '2026-11-22T18:30:05Z', 'records/b000000-r1.match', 'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 5835223559253562276);
INSERT INTO records (match, identity, key, deal, started, record, checksum, seal) VALUES (3, 'id b000001-r0', 'b000001-r0', 'deal b000001-r0', '', '/runs/cup/records/b000001-r0.match', '', -235606423670957468);
INSERT INTO records (match, identity, key, deal, started, record, checksum, seal) VALUES (4, 'id cup d ann', 'cup d ann', 'd', '', '', '', -1328932166812706637);
INSERT INTO records (match, identity, key, deal, started, record, checksum, seal) VALUES (5, 'id cup d faulty', 'cup d faulty', 'd', '', '', '', 3849317603278608488);
INSERT INTO rivals (match, number, name, placement, score) VALUES (4, 0, 'the house', 1, 3.0);
INSERT INTO rivals (match, number, name, placement, score) VALUES (5, 0, 'the house', 1, 3.0);
INSERT INTO seats (match, seat, entrant, placement, score, fault, termination, think_us, longest_think_us) VALUES (1, 0, 1, 1, 10.0, false, 1, 0, 0);
INSERT INTO seats (match, seat, entrant, placement, score, fault, termination, think_us, longest_think_us) VALUES (1, 1, 2, 2, 9.0, false, 1, 0, 0);
INSERT INTO seats (match, seat, entrant, placement, score, fault, termination, think_us, longest_think_us) VALUES (1, 2, 3, 2, 9.0, false, 1, 0, 0);
INSERT INTO seats (match, seat, entrant, placement, score, fault, termination, think_us, longest_think_us) VALUES (2, 0, 2, 1, 10.0, false, 1, 0, 0);
INSERT INTO seats (match, seat, entrant, placement, score, fault, termination, think_us, longest_think_us) VALUES (2, 1, 4, 2, 9.0, true, 1, 0, 0);
INSERT INTO seats (match, seat, entrant, placement, score, fault, termination, think_us, longest_think_us) VALUES (3, 0, 1, 2, 9.0, false, 1, 0, 0);
INSERT INTO seats (match, seat, entrant, placement, score, fault, termination, think_us, longest_think_us) VALUES (3, 1, 2, 3, 8.0, false, 1, 0, 0);
INSERT INTO seats (match, seat, entrant, placement, score, fault, termination, think_us, longest_think_us) VALUES (3, 2, 3, 1, 10.0, false, 1, 0, 0);
INSERT INTO seats (match, seat, entrant, placement, score, fault, termination, think_us, longest_think_us) VALUES (4, 0, 1, 2, 2.5, false, 1, 0, 0);
INSERT INTO seats (match, seat, entrant, placement, score, fault, termination, think_us, longest_think_us) VALUES (5, 0, 4, 2, 0.1, true, 4, 0, 0);