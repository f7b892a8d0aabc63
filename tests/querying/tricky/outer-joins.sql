SELECT b.country, g.grp FROM book b LEFT JOIN groups g ON g.country = b.country WHERE g.grp IS NULL
SELECT b.country, g.grp FROM book b LEFT JOIN groups g ON g.country = b.country AND b.country = 'France'
SELECT b.people, g.grp FROM book b LEFT JOIN groups g ON b.country = 'France'
SELECT g.country, b.people FROM groups g LEFT JOIN book b ON g.country = b.country AND b.country = 'France'
SELECT g.country, b.people FROM groups g LEFT JOIN book b ON g.country = b.country WHERE b.people IS NULL
SELECT g.country, b.people FROM groups g LEFT JOIN book b ON g.country = b.country WHERE b.country IS NULL OR b.country = 'Fiji'
SELECT g.country, b.people FROM groups g LEFT JOIN book b USING (country) WHERE coalesce(b.government.capital, 'none') = 'none'
SELECT g.country, b.people FROM groups g LEFT JOIN book b USING (country) WHERE (b.country = 'Fiji') IS NOT TRUE
SELECT g.country, b.people FROM groups g LEFT JOIN (SELECT * FROM book WHERE country = 'Fiji') b USING (country)
SELECT g.country, b.people FROM book b RIGHT JOIN groups g ON b.country = g.country AND g.grp = 'EU'
SELECT g.country, b.people FROM book b RIGHT JOIN groups g ON b.country = g.country WHERE b.country IS NULL
SELECT g.grp, b.people FROM book b FULL JOIN groups g ON b.country = g.country AND g.grp = 'EU'
SELECT g.grp, b.people FROM book b FULL JOIN groups g ON b.country = g.country WHERE g.country IS NULL
SELECT g.grp, b.people FROM book b FULL JOIN groups g USING (country) WHERE country = 'Atlantis'
SELECT country, g.grp, b.people FROM book b FULL JOIN groups g USING (country) WHERE country LIKE 'A%'
SELECT country, g.grp FROM book b RIGHT JOIN groups g USING (country) WHERE country LIKE 'A%'
SELECT b.country, g.country, country FROM book b FULL JOIN groups g USING (country)
SELECT b.people, c.twin FROM book b LEFT JOIN cities c ON c.city = b.government.capital
SELECT b.people, c.twin FROM book b LEFT JOIN cities c ON c.city = b.government.capital WHERE c.city IS NULL
SELECT b.people, c.twin FROM book b LEFT JOIN cities c ON c.city = b.government.capital AND c.twin = 'Suva'
SELECT b.people, c.twin FROM book b LEFT JOIN cities c ON c.city = 'Paris'
SELECT b.country, c.twin FROM cities c RIGHT JOIN book b ON c.city = b.government.capital WHERE b.country LIKE 'F%'
SELECT a.country, z.people FROM book a LEFT JOIN book z ON z.country = a.geography.neighbour
SELECT a.country, z.people FROM book a LEFT JOIN book z ON z.country = a.geography.neighbour WHERE z.country IS NULL
SELECT r.rate, b.people, g.grp FROM rates r LEFT JOIN book b USING (country) FULL JOIN groups g USING (country)
SELECT r.rate, b.people FROM rates r LEFT JOIN book b ON b.country = r.country AND r.rate > 1
SELECT r.rate, b.people FROM rates r LEFT JOIN book b ON b.country = coalesce(r.country, 'Fiji')
SELECT r.rate, b.people FROM rates r JOIN book b ON b.country IS NOT DISTINCT FROM r.country
SELECT r.rate, b.people FROM rates r JOIN book b ON b.country IS DISTINCT FROM r.country
SELECT r.rate, b.people FROM rates r JOIN book b ON b.country = r.country OR r.rate = 2.0
SELECT r.rate, b.people FROM rates r JOIN book b ON b.country > r.country
SELECT * FROM book b SEMI JOIN groups g ON g.country = b.country AND g.since > 1960
SELECT b.country, b.people FROM book b ANTI JOIN groups g ON g.country = b.country AND g.since > 1960
SELECT b.people FROM groups g ANTI JOIN rates r USING (country) JOIN book b USING (country)
SELECT p.item, b.people FROM prices p LEFT JOIN book b ON b.country = p.market
SELECT p.item, b.people FROM book b LEFT JOIN prices p ON p.market = b.country
SELECT p.item, b.people FROM book b LEFT JOIN prices p ON p.market = b.government.capital WHERE p.item IS NULL
SELECT p.market, b.country FROM book b LEFT JOIN prices p ON p.market = b.government.capital
SELECT g.grp, m.area FROM groups g LEFT JOIN members m USING (country, grp)
SELECT g.country, x.l FROM groups g LEFT JOIN LATERAL (SELECT geography.location AS l FROM book b WHERE b.country = g.country AND g.grp = 'EU') x ON TRUE
SELECT g.country, x.l FROM groups g LEFT JOIN LATERAL (SELECT geography.location AS l FROM book b WHERE b.country = g.country) x ON g.grp = 'EU'
SELECT g.country, x.n FROM groups g, LATERAL (SELECT count(*) AS n FROM book b WHERE b.country = g.country) x
SELECT g.country, x.n FROM groups g, LATERAL (SELECT count(b.people) AS n FROM book b WHERE b.country = g.country) x WHERE x.n = 0
SELECT b.country FROM book b LEFT JOIN groups g ON g.country = b.country WHERE g.grp = 'EU' OR g.grp IS NULL
SELECT country, a.people, z.rate FROM (SELECT * FROM book WHERE country LIKE 'A%') a FULL JOIN rates z USING (country) WHERE country = 'Atlantis' OR country = 'Andorra'
SELECT country, rate, people FROM rates LEFT JOIN book USING (country) WHERE country = 'Atlantis'
SELECT country, rate, people FROM book RIGHT JOIN rates USING (country) WHERE country = 'Atlantis'
SELECT country, count(people) FROM groups LEFT JOIN book USING (country) GROUP BY country
SELECT country FROM groups FULL JOIN book USING (country) FULL JOIN rates USING (country) WHERE country LIKE 'A%'
SELECT g.grp, b.people FROM groups g LEFT JOIN book b ON b.country = g.country LEFT JOIN rates r ON r.country = b.country AND r.rate > 1 WHERE r.rate IS NULL
SELECT g.grp, b.people, r.rate FROM groups g LEFT JOIN book b ON b.country = g.country JOIN rates r ON r.country = b.geography.neighbour
SELECT * FROM (SELECT coalesce(b.country, g.country) AS country, g.grp, b.people FROM groups g LEFT JOIN book b USING (country)) WHERE country = 'Atlantis'
SELECT * FROM (SELECT coalesce(b.country, 'Fiji') AS country, g.grp, b.people FROM groups g LEFT JOIN book b USING (country)) WHERE country = 'Fiji'
SELECT * FROM (SELECT b.country, g.grp, b.people FROM groups g LEFT JOIN book b USING (country)) WHERE country IS NULL
SELECT * FROM (SELECT b.country, g.grp, b.people FROM groups g LEFT JOIN book b USING (country)) WHERE country IS DISTINCT FROM 'France'
SELECT g.grp, (SELECT b.people.population FROM book b WHERE b.country = coalesce(r.country, 'Fiji')) FROM groups g LEFT JOIN rates r ON r.country = g.country
SELECT g.grp, x.p FROM groups g LEFT JOIN rates r ON r.country = g.country, LATERAL (SELECT b.people.population p FROM book b WHERE b.country = coalesce(r.country, 'Fiji')) x
SELECT g.grp, b.people, c.twin FROM groups g LEFT JOIN book b USING (country) LEFT JOIN cities c ON c.city = b.government.capital
SELECT r.country, b.people.population FROM rates r ASOF JOIN book b ON r.country >= b.country WHERE b.country LIKE 'F%'
SELECT x.n, b.people FROM (SELECT count(*) AS n, max(country) AS c FROM rates WHERE country = 'none') x LEFT JOIN book b ON b.country = x.c
SELECT coalesce(b.country, 'none') AS c, g.grp FROM groups g LEFT JOIN book b USING (country) WHERE c = 'none'
SELECT b.country AS c, g.grp FROM groups g LEFT JOIN book b USING (country) WHERE c IS NULL
SELECT b.people FROM book b WHERE NOT EXISTS (SELECT 1 FROM groups g LEFT JOIN rates r ON r.country = b.country AND r.country = g.country WHERE r.country IS NOT NULL)
SELECT g.grp FROM groups g LEFT JOIN book b ON b.country = g.country AND EXISTS (SELECT 1 FROM rates r WHERE r.country = b.country) WHERE b.people IS NULL
SELECT g.grp, b.people FROM groups g LEFT JOIN book b ON b.country = g.country AND b.country NOT IN (SELECT country FROM rates WHERE country IS NOT NULL)
SELECT g.grp, b.people FROM groups g LEFT JOIN book b ON b.country IN (SELECT country FROM rates r WHERE r.country = g.country)
SELECT b.country, b.people FROM book b LEFT JOIN groups g USING (country) LEFT JOIN rates r ON r.country = g.country WHERE r.rate > 1
SELECT b.country, b.people FROM rates r LEFT JOIN groups g ON g.country = r.country LEFT JOIN book b ON b.country = g.country WHERE b.people IS NOT NULL
SELECT b.country, b.people FROM rates r LEFT JOIN groups g ON g.country = r.country LEFT JOIN book b ON b.country = g.country WHERE NOT (b.people IS NOT NULL)
SELECT b.country FROM book b LEFT JOIN groups g ON g.country = b.country WHERE g.since <> 1957
SELECT b.country FROM book b LEFT JOIN groups g ON g.country = b.country WHERE g.since IN (1957, NULL)
SELECT b.country FROM book b LEFT JOIN groups g ON g.country = b.country WHERE g.since NOT IN (1957)
SELECT b.country FROM book b LEFT JOIN groups g ON g.country = b.country WHERE (g.since = 1957) = FALSE
SELECT b.country FROM book b LEFT JOIN groups g ON g.country = b.country WHERE (g.since = 1957) IS NULL
SELECT b.country FROM book b LEFT JOIN groups g ON g.country = b.country WHERE coalesce(g.since, 0) + 1 = 1
SELECT b.country FROM book b LEFT JOIN groups g ON g.country = b.country WHERE g.since + 1 > 0
SELECT b.country FROM book b LEFT JOIN groups g ON g.country = b.country WHERE concat(g.grp, 'x') = 'x'
SELECT b.country FROM book b LEFT JOIN groups g ON g.country = b.country WHERE CASE WHEN g.grp IS NULL THEN 1 ELSE 0 END = 1
SELECT b.country FROM book b LEFT JOIN groups g ON g.country = b.country WHERE cast(g.since AS VARCHAR) LIKE '19%'
SELECT b.country FROM book b LEFT JOIN groups g ON g.country = b.country WHERE try_cast(g.grp AS INTEGER) IS NULL
SELECT b.country FROM book b LEFT JOIN (SELECT country, coalesce(since, 0) AS s FROM groups) g ON g.country = b.country WHERE g.s = 0
SELECT b.country FROM book b LEFT JOIN (SELECT country, 1 AS one FROM groups) g ON g.country = b.country WHERE g.one IS NULL
SELECT b.country FROM book b LEFT JOIN (SELECT country, 1 AS one FROM groups) g ON g.country = b.country WHERE g.one = 1
SELECT g.grp, b.c FROM groups g LEFT JOIN (SELECT country, coalesce(government.capital, 'none') AS c FROM book) b USING (country) WHERE b.c IS NULL
SELECT g.grp, b.c FROM groups g LEFT JOIN (SELECT 'Fiji' AS country, government.capital AS c FROM book WHERE country = 'France') b USING (country)
SELECT * FROM (SELECT country, people FROM book WHERE country LIKE 'F%') a NATURAL FULL JOIN (SELECT country, rate FROM rates) WHERE country = 'Fiji' OR rate = 2.0
SELECT x.country FROM (SELECT country FROM book UNION SELECT country FROM groups) x LEFT JOIN rates r USING (country) WHERE r.rate IS NULL
SELECT x.country, b.people FROM (SELECT country FROM rates UNION SELECT country FROM groups) x LEFT JOIN book b USING (country) WHERE x.country LIKE 'A%'
SELECT a.country, z.country FROM book a LEFT JOIN book z ON z.country = a.geography.neighbour AND z.geography.neighbour = a.country WHERE a.country LIKE 'F%'
SELECT g.grp, list(b.country ORDER BY b.country) FILTER (WHERE b.people IS NOT NULL) FROM groups g LEFT JOIN book b USING (country) GROUP BY g.grp
SELECT b.country, p.n FROM book b LEFT JOIN (SELECT market, count(*) AS n FROM prices GROUP BY market) p ON p.market = b.government.capital
SELECT n.x, p.item FROM (SELECT 'Paris' AS x) n LEFT JOIN prices p ON p.market = n.x AND p.item = 'none'
SELECT t2.market AS a, t1.geography.area.total AS b, t2.market AS c FROM prices t2 RIGHT JOIN book t1 ON t2.country = t1.country AND t2.item IS NULL WHERE t2.country IS NULL
SELECT t1.geography.area.total AS b FROM book t1 LEFT JOIN prices t2 ON t2.country = t1.country AND t2.item IS NULL WHERE t2.country IS NULL
SELECT b.people FROM book b LEFT JOIN rates r ON r.country = b.country WHERE r.country IS NULL
SELECT b.people FROM book b LEFT JOIN rates r ON r.country = b.country WHERE r.rate IS NULL
SELECT b.people FROM book b LEFT JOIN rates r USING (country) WHERE r.country IS NULL
SELECT b.people FROM book b LEFT JOIN groups g ON g.country = b.country AND g.grp = 'EU' WHERE g.country IS NULL
SELECT b.people FROM book b LEFT JOIN (SELECT country FROM groups WHERE grp = 'EU') g ON g.country = b.country WHERE g.country IS NULL AND b.country LIKE 'F%'
SELECT g.grp FROM groups g LEFT JOIN book b ON b.country = g.country AND b.people.population > 5 WHERE b.country IS NULL
SELECT b.people FROM book b ANTI JOIN groups g ON g.country = b.country AND g.since > 1960 ANTI JOIN rates r ON r.country = b.country
SELECT b.people FROM book b ANTI JOIN prices p ON p.country = b.country
SELECT b.people FROM book b LEFT JOIN cities c ON c.city = b.government.capital WHERE c.city IS NULL
SELECT b.people FROM book b ANTI JOIN book c ON c.geography.neighbour = b.country
SELECT b.people FROM book b LEFT JOIN (groups g JOIN rates r ON r.country = g.country) ON g.country = b.country WHERE g.country IS NULL
SELECT b.people FROM rates r RIGHT JOIN book b ON r.country = b.country WHERE r.country IS NULL
SELECT b.people FROM book b LEFT JOIN (groups g LEFT JOIN rates r ON r.country = g.country) ON g.country = b.country WHERE r.country IS NULL
SELECT b.people, g.grp FROM (groups g LEFT JOIN rates r ON r.country = g.country) JOIN book b ON g.country = b.country WHERE r.country IS NULL
SELECT b.people, g.grp FROM (book b LEFT JOIN rates r ON r.country = b.country) RIGHT JOIN groups g ON g.country = b.country WHERE b.country IS NULL OR b.country = 'Fiji'
SELECT b.people, g.grp FROM groups g RIGHT JOIN (book b LEFT JOIN rates r ON r.country = b.country) ON g.country = b.country WHERE g.country IS NULL
SELECT b.people, g.grp FROM groups g FULL JOIN (book b JOIN rates r ON r.country = b.country) ON g.country = b.country WHERE g.country IS NULL
SELECT b.people FROM book b JOIN (groups g JOIN rates r USING (country)) USING (country) WHERE g.grp = 'EU'
SELECT a.people.population, c.grp FROM book a, rates b RIGHT JOIN groups c ON b.country = c.country AND b.rate > 1000
SELECT a.people.population, c.grp FROM book a, rates b RIGHT JOIN groups c ON b.country = c.country AND b.rate > 1000 WHERE a.country LIKE 'F%'
SELECT a.people.population, c.grp FROM book a, rates b FULL JOIN groups c ON b.country = c.country AND b.rate > 1000 WHERE a.country LIKE 'F%'
SELECT a.people.population, c.grp FROM book a CROSS JOIN rates b RIGHT JOIN groups c ON b.country = c.country AND b.rate > 1000
SELECT a.people.population, c.grp FROM book a, rates b LEFT JOIN groups c ON b.country = c.country WHERE a.country = b.country
SELECT a.people.population, b.rate FROM book a, rates b SEMI JOIN groups c ON b.country = c.country WHERE a.country LIKE 'F%'
SELECT a.people.population, b.rate FROM book a, rates b ANTI JOIN groups c ON b.country = c.country WHERE a.country LIKE 'F%'
SELECT a.people.population, b.rate FROM book a, rates b POSITIONAL JOIN groups c WHERE a.country LIKE 'F%'
SELECT a.people.population, c.grp FROM book a, rates b JOIN groups c USING (country) WHERE a.country = 'Fiji'
SELECT a.people.population, c.grp FROM rates b JOIN groups c USING (country), book a WHERE a.country = b.country
SELECT a.people.population, c.grp FROM rates b RIGHT JOIN groups c USING (country), book a WHERE a.country = c.country
SELECT a.people.population, c.grp FROM book a, groups c NATURAL JOIN rates b WHERE a.country = b.country
SELECT a.people.population, c.grp, d.since FROM book a, groups d, rates b RIGHT JOIN groups c ON b.country = c.country WHERE a.country = d.country AND b.country IS NOT NULL
SELECT a.people.population FROM book a, rates b LEFT JOIN groups c ON b.country = c.country WHERE c.country IS NULL AND a.country = b.country
SELECT t2.country AS a, t2.since AS b FROM groups t2 LEFT JOIN (book t1 JOIN rates t3 ON t1.country = t3.country AND 1 = 2) ON t2.country = t1.country WHERE t2.country IS NULL
