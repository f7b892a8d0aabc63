-- equality: book 2
SELECT geography.area.total FROM book WHERE country = 'France';

-- equality, turned: book 2
SELECT geography FROM book WHERE 'France' = country;

-- equality with what is computed: book 2
SELECT people FROM book WHERE country = concat('Fra', 'nce');

-- equality with no key: book 1
-- the index tells that there is no such page
SELECT geography.area.total FROM book WHERE country = 'Atlantis';

-- a quote in the key: book 2
SELECT people.population FROM book WHERE country = 'Côte d''Ivoire';

-- IN: book 3
SELECT geography.area.total FROM book WHERE country IN ('France', 'Fiji', 'Atlantis');

-- NOT IN: book 9
SELECT geography.area.total FROM book WHERE country NOT IN ('France', 'Fiji');

-- LIKE: book 4
SELECT geography.area.total FROM book WHERE country LIKE 'F%';

-- a range: book 4
-- text is ordered by code points: france and Åland come after G
SELECT people.population FROM book WHERE country >= 'Fi' AND country < 'G';

-- BETWEEN: book 3
SELECT people.population FROM book WHERE country BETWEEN 'A' AND 'D';

-- OR: book 3
SELECT people.population FROM book WHERE country = 'France' OR country LIKE 'An%';

-- OR with a value: book 11
-- any page may hold such a number
SELECT people FROM book WHERE country = 'Fiji' OR people.population > 99;

-- OR of conjunctions: book 3
SELECT country FROM book WHERE (country = 'Fiji' AND people.population > 9) OR (country = 'NULL' AND people IS NULL);

-- a function of the key: book 3
SELECT geography FROM book WHERE lower(country) = 'france';

-- key and value: book 4
SELECT country FROM book WHERE country LIKE 'F%' AND geography.location = 'Europe';

-- nothing asked for: none
SELECT geography FROM book LIMIT 0;

-- a key that is required: cities 2
SELECT site.river FROM cities WHERE city IN ('Paris', 'Suva');

-- a page of records: prices 1
SELECT item, cost.amount FROM prices WHERE market = 'Paris';

-- count(*): book 1
SELECT count(*) FROM book;

-- keys: book 1
SELECT country FROM book;

-- addresses: book 1
SELECT country, _page FROM book WHERE country LIKE 'F%' ORDER BY country;

-- aggregates of keys: book 1
SELECT min(country), count(DISTINCT country) FROM book;

-- a join by keys: book 1, groups 1
SELECT g.grp, b.country FROM groups g JOIN book b USING (country);

-- what an index lacks: book 1, groups 1
SELECT g.country FROM groups g LEFT JOIN book b USING (country) WHERE b.country IS NULL;

-- EXCEPT: book 1, groups 1
SELECT country FROM book EXCEPT SELECT country FROM groups;

-- keys of records: prices 6
-- a page of records may hold none
SELECT DISTINCT market FROM prices;

-- LIMIT: book 4
SELECT geography.area.total FROM book LIMIT 3;

-- LIMIT with OFFSET: book 4
-- a page is a row: those that are passed over need not be read
SELECT geography.area.total FROM book LIMIT 3 OFFSET 2;

-- LIMIT ordered by key: book 3
SELECT people.population FROM book ORDER BY country LIMIT 2;

-- LIMIT ordered by key with OFFSET: book 3
SELECT people.population FROM book ORDER BY country DESC LIMIT 2 OFFSET 1;

-- LIMIT with a filter on the key: book 3
SELECT people FROM book WHERE country LIKE 'F%' LIMIT 2;

-- LIMIT with a filter on a value: book 6
-- in the order of the index Finland and France are the first and the fifth
SELECT country FROM book WHERE geography.location = 'Europe' LIMIT 2;

-- LIMIT ordered by key with a filter on a value: book 2
-- Andorra, the first key, is in Europe
SELECT country FROM book WHERE geography.location = 'Europe' ORDER BY country LIMIT 1;

-- LIMIT ordered by a value: book 11
SELECT country FROM book ORDER BY people.population LIMIT 1;

-- LIMIT ordered by key in a sub-query: book 3
SELECT upper(l) FROM (SELECT geography.location AS l FROM book ORDER BY country LIMIT 2);

-- LIMIT of a UNION ALL: book 4
-- no branch can need more rows than all together
SELECT people FROM book UNION ALL SELECT people FROM book LIMIT 3;

-- LIMIT of records: prices 3
-- Suva has one record, Closed none, Paris three
SELECT item FROM prices LIMIT 2;

-- LIMIT of a join: groups 1, book 2
-- whichever country is looked up first gives a row
SELECT g.grp, b.geography.location FROM groups g JOIN book b USING (country) WHERE g.grp = 'G7' LIMIT 1;

-- JOIN ON: groups 1, book 3
SELECT b.geography.area.total FROM groups g JOIN book b ON b.country = g.country WHERE g.grp = 'EU';

-- USING: groups 1, book 3
SELECT geography FROM groups JOIN book USING (country) WHERE grp = 'G7';

-- a comma: groups 1, book 3
SELECT b.people FROM book b, groups g WHERE g.country = b.country AND g.grp = 'G7';

-- what one side is equal to, the other is too: groups 1, book 2
SELECT b.people FROM book b JOIN groups g ON g.country = b.country WHERE g.country = 'Fiji';

-- nothing to join: book 1
-- no key, no row: the other side need not be read
SELECT p.item FROM book b JOIN prices p ON p.country = b.country WHERE b.country = 'Atlantis';

-- a dependent join: book 4, cities 3
SELECT c.site.river FROM book b JOIN cities c ON c.city = b.government.capital WHERE b.country LIKE 'F%';

-- a chain of three: groups 1, book 3, cities 2
SELECT c.site.river FROM groups g JOIN book b USING (country) JOIN cities c ON c.city = b.government.capital WHERE
g.grp = 'G7';

-- a chain of three, named backwards: groups 1, book 3, cities 2
SELECT c.site.river FROM cities c, book b, groups g WHERE g.grp = 'G7' AND c.city = b.government.capital AND b.country
= g.country;

-- a chain of four: groups 1, book 3, cities 2, prices 2
-- Fiji and France; Suva and Paris, each of which has a market
SELECT p.item FROM groups g JOIN book b USING (country) JOIN cities c ON c.city = b.government.capital JOIN prices p
ON p.market = c.city WHERE g.grp = 'UN';

-- a source that binds itself: cities 2
-- Paris and 東京 are twins of each other
SELECT d.site.elevation FROM cities c JOIN cities d ON d.city = c.twin WHERE c.city IN ('Paris', '東京');

-- a self-join: book 3
SELECT n.people.population FROM book b JOIN book n ON n.country = b.geography.neighbour WHERE b.country = 'France';

-- a self-join with two keys: book 3
SELECT a.people, z.people FROM book a, book z WHERE a.country = 'France' AND z.country = 'Fiji';

-- a listing with the book: prices 1, book 2
SELECT p.item, b.geography.location FROM prices p JOIN book b ON b.country = p.country WHERE p.market = 'Helsinki';

-- a table at hand: book 3
SELECT rate, people.population FROM rates JOIN book USING (country);

-- a file: book 3
SELECT code, people FROM codes NATURAL JOIN book WHERE code IN ('FR', 'JP');

-- values: book 2
SELECT people FROM (VALUES ('Fiji'), ('Atlantis')) v(country) JOIN book USING (country);

-- LEFT JOIN: groups 1, book 3
SELECT g.country, b.people FROM groups g LEFT JOIN book b USING (country) WHERE g.grp = 'EU';

-- LEFT JOIN from what is restricted: groups 1, book 2
SELECT b.people, g.since FROM book b LEFT JOIN groups g ON g.country = b.country WHERE b.country = 'Fiji';

-- LEFT JOIN from what is not: groups 1, book 11
-- rows without a partner stay
SELECT b.people, g.since FROM book b LEFT JOIN groups g ON g.country = b.country AND b.country = 'Fiji';

-- RIGHT JOIN: book 3
SELECT rate, b.people FROM book b RIGHT JOIN rates USING (country);

-- FULL JOIN: book 11
SELECT rate, b.people FROM book b FULL JOIN rates USING (country);

-- ANTI JOIN: book 9
-- what is at hand tells which keys have a partner
SELECT people FROM book ANTI JOIN rates USING (country);

-- LEFT JOIN to what must not be there: book 9, groups 1
SELECT b.people FROM book b LEFT JOIN groups g ON g.country = b.country AND g.grp = 'EU' WHERE g.country IS NULL;

-- SEMI JOIN: book 3
SELECT people FROM book SEMI JOIN rates USING (country);

-- a sub-query: book 2
SELECT p FROM (SELECT country, people AS p FROM book) WHERE country = 'Fiji';

-- a CTE: book 2
WITH f AS (SELECT * FROM book) SELECT people FROM f WHERE country = 'Fiji';

-- a CTE used twice: book 3
WITH f AS (SELECT * FROM book) SELECT a.people, z.people FROM f a, f z WHERE a.country = 'France' AND z.country =
'Fiji';

-- a CTE in a chain: groups 1, book 3, cities 2
WITH g AS (SELECT country FROM groups WHERE grp = 'G7'), b AS (SELECT b.* FROM book b JOIN g USING (country)) SELECT
c.site FROM b JOIN cities c ON c.city = b.government.capital;

-- a CTE that is not used: none
WITH f AS (SELECT people FROM book) SELECT rate FROM rates;

-- a CTE by the name of a source: book 3
WITH book AS (SELECT * FROM book WHERE country LIKE 'F%') SELECT people FROM book WHERE country <> 'Fiji';

-- a view: groups 1, book 3
SELECT area FROM members WHERE grp = 'G7';

-- a view of a view: book 4
SELECT city FROM capitals WHERE country LIKE 'F%';

-- IN a sub-query: groups 1, book 3
SELECT people FROM book WHERE country IN (SELECT country FROM groups WHERE grp = 'EU');

-- EXISTS: groups 1, book 3
SELECT b.people FROM book b WHERE EXISTS (FROM groups g WHERE g.country = b.country AND g.grp = 'G7');

-- NOT EXISTS: groups 1, book 5
-- six of its ten countries are in groups
SELECT b.people FROM book b WHERE NOT EXISTS (FROM groups g WHERE g.country = b.country);

-- NOT IN what has a NULL: groups 1, book 1
-- the NULL in it leaves nothing
SELECT people FROM book WHERE country NOT IN (SELECT country FROM groups);

-- a scalar sub-query: groups 1, book 2
SELECT people FROM book WHERE country = (SELECT max(country) FROM groups WHERE grp = 'UN');

-- a correlated sub-query in SELECT: groups 1, book 3
SELECT g.since, (SELECT b.people.population FROM book b WHERE b.country = g.country) FROM groups g WHERE g.grp = 'EU';

-- a correlated aggregate in WHERE: groups 1, book 7
-- all but Atlantis, which is not in the book
SELECT g.grp FROM groups g WHERE g.since > (SELECT max(people.population) FROM book b WHERE b.country = g.country);

-- a sub-query that binds a required key: book 4, cities 3
SELECT twin FROM cities WHERE city IN (SELECT government.capital FROM book WHERE country LIKE 'F%');

-- LATERAL: groups 1, book 3
SELECT g.since, x.l FROM groups g, LATERAL (SELECT geography.location AS l FROM book b WHERE b.country = g.country) x
WHERE g.grp = 'G7';

-- LATERAL that binds a required key: book 3, cities 2
SELECT x.river FROM book b, LATERAL (SELECT site.river FROM cities WHERE city = b.government.capital) x WHERE
b.country IN ('France', 'Fiji');

-- UNION: book 3
SELECT people FROM book WHERE country = 'France' UNION SELECT people FROM book WHERE country IN ('Fiji', 'France');

-- UNION ALL, restricted from outside: book 2
SELECT l FROM (SELECT country, geography.location AS l FROM book UNION ALL SELECT country, geography.neighbour FROM
book) WHERE country = 'Fiji';

-- HAVING by what is grouped: groups 1, book 3
SELECT grp, sum(people.population) FROM groups JOIN book USING (country) GROUP BY grp HAVING grp = 'G7';

-- groups of a key: book 4
SELECT country, max(people.population) FROM book GROUP BY country HAVING country LIKE 'F%';

-- a part of a key of two: census 3
SELECT heads FROM census WHERE year = '2000' AND country <> 'NULL';

-- the other part: census 3
SELECT heads FROM census WHERE country = 'France';

-- both parts: census 2
SELECT heads FROM census WHERE year = '1990' AND country LIKE 'Fi%';

-- only parts of the key: census 1
SELECT year, count(*) FROM census GROUP BY year;

-- parts of a key by a join: groups 1, census 4
SELECT c.heads FROM groups g JOIN census c ON c.country = g.country AND c.year = CASE g.grp WHEN 'EU' THEN '2000' ELSE '1990' END WHERE g.grp IN ('EU', 'UN') AND g.since < 1975;

-- an order by a part of the key: census 7
-- pages of one year are in no order
SELECT year, heads FROM census ORDER BY year DESC, heads DESC LIMIT 1;

-- rows in no order: census 3
SELECT year, heads FROM census LIMIT 2;

-- parts that must be told: fares 2
SELECT price FROM fares WHERE origin = 'Paris' AND target IN ('Suva', '東京');

-- parts that must be told, in pairs: fares 2
SELECT price FROM (VALUES ('Paris', 'Suva'), ('Suva', 'Paris')) t(a, b) JOIN fares ON origin = a AND target = b;

-- parts that must be told, from different tables: cities 1, fares 1
SELECT price FROM cities JOIN fares ON fares.origin = cities.twin WHERE cities.city = '東京' AND target = 'Suva';
