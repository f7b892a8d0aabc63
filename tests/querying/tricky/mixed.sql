SELECT b.people FROM book b LEFT JOIN rates r ON r.country = b.country AND EXISTS (SELECT 1 FROM groups g WHERE g.country = b.country AND g.grp = 'EU') WHERE r.country IS NULL
SELECT b.country, (SELECT c.twin FROM cities c WHERE c.city = (SELECT max(b2.government.capital) FROM book b2 WHERE b2.country = b.country)) FROM book b WHERE b.country LIKE 'F%'
SELECT g.grp, x.n FROM groups g LEFT JOIN LATERAL (SELECT count(*) AS n, max(b.people.population) FROM book b WHERE b.country = g.country) x ON true
SELECT g.grp, x.p FROM groups g LEFT JOIN LATERAL (SELECT b.people.population AS p FROM book b WHERE b.country = g.country) x ON x.p > 100000
SELECT * FROM (SELECT country, people, row_number() OVER (PARTITION BY country ORDER BY people.population) AS n FROM book) WHERE country = 'Fiji' AND n = 1
SELECT * FROM (SELECT DISTINCT ON (country) country, people FROM book ORDER BY country, people) WHERE country LIKE 'F%'
SELECT * FROM (SELECT DISTINCT ON (geography.location) geography.location AS l, country FROM book ORDER BY l, country) WHERE country = 'France'
SELECT * FROM (SELECT upper(country) AS country, count(people) AS n FROM book GROUP BY country) WHERE country = 'FIJI'
SELECT a.country, a.people FROM book a WHERE a.people.population = (SELECT max(b.people.population) FROM book b WHERE b.geography.location = a.geography.location) AND a.country < 'G'
SELECT a.country FROM book a WHERE NOT EXISTS (SELECT 1 FROM book b WHERE b.geography.neighbour = a.country AND b.country <> a.country) AND a.people.population > 0
SELECT country FROM book WHERE country IN (SELECT country FROM groups EXCEPT SELECT country FROM rates) AND people.population > 5
SELECT country, people FROM book WHERE country IN (SELECT country FROM groups WHERE grp = 'EU' UNION SELECT country FROM rates WHERE rate > 1)
SELECT country, people FROM book WHERE country IN (SELECT country FROM groups ORDER BY since DESC NULLS LAST LIMIT 3)
SELECT b.people FROM book b JOIN (SELECT country, max(since) AS s FROM groups GROUP BY country HAVING max(since) > 1960) g ON g.country = b.country
SELECT b.people FROM book b JOIN (SELECT country, rank() OVER (ORDER BY since) AS r FROM groups) g ON g.country = b.country WHERE g.r < 3
WITH a AS (SELECT * FROM book WHERE country LIKE 'F%'), b AS (SELECT * FROM a WHERE people.population > 1000000), c AS (SELECT country FROM b) SELECT g.grp, a.people FROM groups g JOIN a USING (country) WHERE g.country NOT IN (SELECT country FROM c)
WITH a AS (SELECT country, people FROM book) SELECT x.people, y.people FROM a x LEFT JOIN a y ON y.country = 'Fiji' AND x.country = 'France' WHERE x.country IN ('France', 'Finland')
SELECT count(*) FROM book a LEFT JOIN book b ON b.country = a.geography.neighbour WHERE b.people IS NULL
SELECT a.country, b.people FROM book a FULL JOIN rates b2 ON b2.country = a.country LEFT JOIN book b ON b.country = b2.country
SELECT coalesce(a.country, r.country) AS c, a.people FROM book a FULL JOIN rates r USING (country) WHERE country = 'Fiji'
SELECT country, a.people FROM book a FULL JOIN rates r USING (country) WHERE country > 'A'
SELECT country, a.people FROM rates r LEFT JOIN book a USING (country) WHERE country = 'Fiji'
SELECT country, a.people FROM book a RIGHT JOIN rates r USING (country) WHERE country = 'Fiji'
SELECT country, a.people FROM book a RIGHT JOIN rates r USING (country) LEFT JOIN groups g USING (country) WHERE g.grp IS NULL
SELECT m.grp, m.area FROM members m LEFT JOIN rates r ON r.country = m.country WHERE r.country IS NULL
SELECT e.country, e.people FROM europe e ANTI JOIN groups g ON g.country = e.country
SELECT c.city, k.twin FROM capitals c LEFT JOIN cities k ON k.city = c.city WHERE k.city IS NULL
SELECT b.country, t.u FROM book b, unnest([b.geography.location, b.geography.neighbour]) AS t(u) WHERE t.u = 'France'
SELECT b.people FROM book b, (SELECT unnest(['Fiji', 'France']) AS k) t WHERE b.country = t.k
SELECT b.people FROM book b JOIN range(3) r(i) ON b.country = ['Fiji', 'France', 'Nix'][r.i + 1]
SELECT CASE WHEN b.country = 'Fiji' THEN (SELECT max(a.people.population) FROM book a WHERE a.country = 'France') END FROM book b
SELECT b.country FROM book b WHERE (SELECT count(*) FROM groups g WHERE g.country = b.country) = 0 AND b.people.population > 0
SELECT b.country FROM book b WHERE b.country = ALL (SELECT g.country FROM groups g WHERE g.grp = 'none') AND b.people.population > 5
SELECT b.country, b.people FROM book b WHERE b.country >= ALL (SELECT country FROM rates WHERE country IS NOT NULL)
SELECT b.people FROM book b WHERE (b.country, 1) IN (SELECT country, 1 FROM rates)
SELECT b.people FROM book b WHERE b.country IS NOT DISTINCT FROM 'Fiji'
SELECT b.people FROM book b WHERE coalesce(b.country, 'x') = 'Fiji' OR (b.people.population > 5 AND b.country = 'France')
SELECT b.people FROM book b WHERE NOT (b.country <> 'Fiji' OR b.people IS NULL)
SELECT b.people FROM book b WHERE CASE WHEN b.country = 'Fiji' THEN true ELSE b.people.population > 1000000 END
SELECT b.people FROM book b WHERE b.country SIMILAR TO 'F.*' AND b.country NOT ILIKE '%land'
SELECT b.people, r.rate FROM book b LEFT JOIN rates r ON b.country = r.country AND b.people.population > 100000000 WHERE r.rate IS NULL AND b.country LIKE 'F%'
SELECT sum(b.people.population) OVER (PARTITION BY b.geography.location) AS s, b.country FROM book b WHERE b.country LIKE 'F%' QUALIFY s > 5
SELECT g.grp, array_agg(b.people.population ORDER BY b.country) FROM groups g LEFT JOIN book b ON b.country = g.country GROUP BY ALL
SELECT * FROM (FROM book SELECT country, people) JOIN (FROM groups) USING (country) WHERE grp = 'EU'
SELECT a.people FROM (SELECT * FROM book UNION ALL BY NAME SELECT * FROM europe) a WHERE a.country = 'France'
SELECT p.item FROM prices p WHERE p.market IN (SELECT government.capital FROM book WHERE country LIKE 'F%')
SELECT p.item, c.twin FROM prices p JOIN cities c ON c.city = p.market WHERE p.cost.amount > 2
SELECT p.market, count(p.item) FROM prices p GROUP BY p.market HAVING p.market LIKE 'P%' AND count(*) > 1
SELECT x.country FROM (SELECT country, people FROM book EXCEPT SELECT country, people FROM europe) x WHERE x.country < 'G'
SELECT x.country FROM (SELECT country FROM book INTERSECT ALL SELECT country FROM groups) x, book b WHERE b.country = x.country AND b.people.population > 0
WITH RECURSIVE t(c, n) AS (SELECT 'France', 0 UNION ALL SELECT b.geography.neighbour, n + 1 FROM t JOIN book b ON b.country = t.c WHERE n < 3) SELECT * FROM t
SELECT b.country, s.people FROM book b SEMI JOIN groups g ON g.country = b.country LEFT JOIN book s ON s.country = b.geography.neighbour
SELECT (SELECT people.population FROM book WHERE country = 'Fiji') + (SELECT people.population FROM book WHERE country = 'France')
SELECT b.people FROM book b WHERE b.country IN (SELECT r.country FROM rates r LEFT JOIN groups g ON g.country = r.country WHERE g.grp IS NULL OR g.grp = 'UN')
SELECT b.people FROM book b WHERE EXISTS (SELECT 1 FROM rates r LEFT JOIN groups g ON g.country = r.country AND g.country = b.country WHERE g.country IS NULL)
SELECT b.people FROM book b WHERE b.country = (SELECT r.country FROM rates r WHERE r.rate = 4.0) OR b.country = (SELECT min(country) FROM groups)
SELECT a.people.population, b.rate FROM book a JOIN (rates b JOIN groups c USING (country)) ON a.country = c.country
SELECT a.people.population, b.rate FROM book a JOIN (rates b JOIN groups c USING (country)) ON a.geography.neighbour = b.country
SELECT a.people.population, b.rate FROM book a, (rates b JOIN groups c ON b.country = c.country) RIGHT JOIN codes d ON d.country = b.country AND d.code = 'nix'
SELECT a.people.population, d.code FROM book a JOIN (rates b JOIN groups c ON b.country = c.country) ON a.country = b.country JOIN codes d ON d.country = a.country
SELECT a.people.population, d.code FROM book a JOIN (rates b JOIN groups c ON b.country = c.country) ON a.country = b.country RIGHT JOIN codes d ON d.country = a.country
SELECT a.people.population, d.code FROM (rates b JOIN groups c ON b.country = c.country), book a RIGHT JOIN codes d ON d.country = a.country AND a.people.population > 100
SELECT a.people.population, c.grp FROM (book a LEFT JOIN rates b ON a.country = b.country) LEFT JOIN groups c ON c.country = b.country WHERE c.country IS NULL
SELECT a.people.population FROM book a NATURAL JOIN (rates b JOIN groups c USING (country))
SELECT a.people.population, c.grp FROM book a JOIN (groups c SEMI JOIN rates b ON b.country = c.country) ON c.country = a.country
SELECT a.people.population, c.grp FROM book a JOIN (groups c ANTI JOIN rates b ON b.country = c.country) ON c.country = a.country
SELECT * FROM groups PIVOT (count(*) FOR grp IN ('EU', 'G7'))
FROM (SELECT country, grp, since FROM groups) PIVOT (max(since) FOR grp IN ('EU', 'G7'))
SELECT count(x) FROM (SELECT b FROM book b) t(x)
SELECT b.country FROM book b NATURAL JOIN (SELECT country FROM rates)
SELECT x.country FROM (SELECT * FROM book) x NATURAL JOIN (SELECT country, rate FROM rates) y
SELECT country FROM (SELECT country, people FROM book UNION ALL BY NAME SELECT rate, country FROM rates) WHERE rate IS NULL
SELECT count(*) FROM (SELECT * FROM book NATURAL JOIN groups)
SELECT hash(b) IS NULL FROM book b LIMIT 1
SELECT to_json(b) ->> 'country' FROM book b WHERE b.country = 'Fiji'
