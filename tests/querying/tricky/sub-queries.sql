SELECT country FROM book WHERE country NOT IN (SELECT country FROM groups)
SELECT people FROM book WHERE country NOT IN (SELECT country FROM groups WHERE country IS NOT NULL)
SELECT people FROM book WHERE NOT (country IN (SELECT country FROM groups WHERE grp = 'EU'))
SELECT people FROM book WHERE country IN (SELECT country FROM groups) OR people.population IS NULL
SELECT people FROM book WHERE country IN (SELECT country FROM groups) IS NOT TRUE
SELECT people FROM book WHERE (country IN (SELECT country FROM groups)) IS NULL
SELECT people FROM book WHERE country = ALL (SELECT country FROM groups WHERE grp = 'none such')
SELECT people FROM book WHERE country <> ALL (SELECT country FROM groups WHERE grp = 'EU')
SELECT people FROM book WHERE country >= ALL (SELECT country FROM groups WHERE grp = 'EU')
SELECT people FROM book WHERE country = ANY (SELECT country FROM groups WHERE grp = 'EU')
SELECT country, people FROM book b WHERE CASE WHEN country = 'Fiji' THEN EXISTS (FROM groups g WHERE g.country = b.country) ELSE people IS NULL END
SELECT b.people FROM book b WHERE EXISTS (FROM groups g WHERE g.country = b.country) = FALSE
SELECT b.people FROM book b WHERE NOT EXISTS (FROM groups g WHERE g.country = b.country AND g.grp = b.geography.location)
SELECT b.people FROM book b WHERE EXISTS (FROM groups g WHERE g.country = b.country) OR EXISTS (FROM rates r WHERE r.country = b.geography.neighbour)
SELECT b.people FROM book b WHERE EXISTS (SELECT count(*) FROM groups g WHERE g.country = b.country)
SELECT b.people FROM book b WHERE EXISTS (FROM groups g WHERE g.country = 'Atlantis')
SELECT b.people FROM book b WHERE (SELECT count(*) FROM groups g WHERE g.country = b.country) = 0
SELECT b.people FROM book b WHERE (SELECT max(g.since) FROM groups g WHERE g.country = b.country) IS NULL
SELECT b.people FROM book b WHERE (SELECT g.since FROM groups g WHERE g.country = b.country AND g.grp = 'EU') > 1960
SELECT b.people FROM book b WHERE b.country = (SELECT country FROM groups WHERE grp = 'none such')
SELECT b.people FROM book b WHERE b.country IS NOT DISTINCT FROM (SELECT country FROM groups WHERE grp = 'none such')
SELECT b.people FROM book b WHERE coalesce((SELECT country FROM groups WHERE grp = 'none such'), 'Fiji') = b.country
SELECT b.people FROM book b WHERE b.country IN (SELECT geography.neighbour FROM book n WHERE n.country = b.geography.neighbour)
SELECT g.grp FROM groups g WHERE (SELECT people.population FROM book b WHERE b.country = g.country) IS NULL
SELECT g.grp, (SELECT count(*) FROM book b WHERE b.country = g.country AND b.people.population > 100000) FROM groups g
SELECT g.grp, (SELECT max(geography.location) FROM book b WHERE b.country = g.country OR b.country = 'Fiji') FROM groups g
SELECT g.grp, (SELECT b.geography FROM book b WHERE b.country = g.country) IS NULL AS x FROM groups g
SELECT g.grp, EXISTS (FROM book b WHERE b.country = g.country AND b.people.population > 99999) FROM groups g
SELECT g.grp, g.country IN (SELECT country FROM book WHERE people IS NOT NULL) FROM groups g
SELECT grp, count(*) FROM groups GROUP BY grp HAVING count(*) > (SELECT count(*) FROM book WHERE country = 'France' AND people.population > 5)
SELECT grp FROM groups g GROUP BY grp HAVING NOT EXISTS (SELECT 1 FROM book b WHERE b.country = max(g.country))
SELECT max(people.population) FROM book WHERE country IN (SELECT country FROM groups WHERE since > (SELECT min(since) FROM groups))
SELECT country FROM groups WHERE country IN (SELECT country FROM book WHERE groups.since > 1960 AND people IS NOT NULL)
SELECT b.country FROM book b WHERE b.people.population > (SELECT avg(i.people.population) FROM book i WHERE i.geography.location = b.geography.location)
SELECT b.country FROM book b JOIN groups g ON g.country = b.country AND g.since = (SELECT max(since) FROM groups h WHERE h.country = b.country)
SELECT b.country, x.twin FROM book b, LATERAL (SELECT twin FROM cities c WHERE c.city = b.government.capital) x
SELECT b.country, x.twin FROM book b, (SELECT twin FROM cities c WHERE c.city = b.government.capital) x
SELECT b.country, x.n FROM book b, LATERAL (SELECT count(*) AS n FROM cities c WHERE c.city = b.government.capital) x
SELECT b.country, (SELECT twin FROM cities c WHERE c.city = b.government.capital) AS t FROM book b
SELECT b.country FROM book b WHERE (SELECT twin FROM cities c WHERE c.city = b.government.capital) IS NULL
SELECT b.country FROM book b WHERE NOT EXISTS (FROM cities c WHERE c.city = b.government.capital)
SELECT b.country FROM book b WHERE NOT EXISTS (FROM cities c WHERE c.city = b.government.capital AND c.twin IS NOT NULL)
SELECT x FROM (SELECT (SELECT max(people.population) FROM book WHERE country = g.country) AS x FROM groups g) WHERE x IS NULL
SELECT (SELECT grp FROM groups WHERE groups.country = o.country ORDER BY ALL LIMIT 1) FROM book o WHERE country LIKE 'F%'
SELECT country FROM book WHERE (country, geography.location) IN (SELECT country, 'Europe' FROM groups)
SELECT country FROM book WHERE (country, geography.location) NOT IN (SELECT country, 'Europe' FROM groups WHERE country IS NOT NULL)
SELECT country FROM book WHERE (country = 'France') = (1 = 1)
SELECT ARRAY(SELECT people.population FROM book WHERE country LIKE 'F%' ORDER BY ALL) AS l
SELECT list_sort(list(b.country)) AS l, count(b.people) AS n FROM book b WHERE b.country IN (SELECT unnest(['Fiji', 'France']))
SELECT r.rate FROM rates r WHERE EXISTS (SELECT 1 FROM book b WHERE b.country = r.country AND EXISTS (SELECT 1 FROM groups g WHERE g.country = b.country AND g.since < b.people.population))
SELECT r.rate FROM rates r WHERE NOT EXISTS (SELECT 1 FROM book b WHERE b.country = r.country AND NOT EXISTS (SELECT 1 FROM groups g WHERE g.country = b.country AND g.grp = 'EU' AND b.people IS NOT NULL))
SELECT country FROM book b WHERE (SELECT n.geography.location FROM book n WHERE n.country = b.geography.neighbour) IS NULL AND country LIKE 'F%'
SELECT country, people FROM book WHERE EXISTS (SELECT 1 FROM prices WHERE item = 'none') OR country = 'Fiji'
SELECT sum(x) FROM (SELECT CASE WHEN country = 'Fiji' THEN 1 ELSE people.population END AS x, country FROM book) WHERE country = 'France'
SELECT * FROM (SELECT 'Fiji' AS country, people FROM book) WHERE country = 'France'
SELECT grp, country, people FROM groups POSITIONAL JOIN (SELECT people FROM book WHERE country = 'Fiji')
SELECT b.country, b.people FROM book b WHERE b.country = 'Fiji' AND b.country IN (SELECT country FROM groups) OR b.country = 'NULL'
SELECT b.country, b.people FROM book b WHERE b.country > (SELECT avg(length(country)) FROM groups)::VARCHAR AND b.country < 'G'
SELECT book.people FROM book, LATERAL (SELECT book.country AS c) x WHERE x.c = 'Fiji'
SELECT y.people FROM rates r, LATERAL (SELECT * FROM book b WHERE b.country = r.country) x, LATERAL (SELECT * FROM book c WHERE c.country = x.geography.neighbour) y
SELECT c.city, c.twin FROM (SELECT * FROM cities) c JOIN book b ON c.city = b.government.capital WHERE b.country = 'Fiji'
SELECT 1 WHERE EXISTS (SELECT 1 FROM book WHERE country = 'Fiji')
SELECT (SELECT people FROM book WHERE country = 'Fiji'), (SELECT people FROM book WHERE country = 'Atlantis')
SELECT g.area.total FROM (SELECT geography AS g FROM book WHERE country = 'Fiji')
SELECT g.total FROM (SELECT geography.area AS g, country FROM book) WHERE country = 'Fiji'
SELECT s.x.total FROM (SELECT {'x': geography.area} AS s, country FROM book) WHERE country = 'Fiji'
SELECT t1.government.capital FROM book t1 WHERE EXISTS (WITH unused AS (SELECT country FROM book) SELECT country FROM book)
SELECT * FROM (VALUES ((SELECT people.population FROM book WHERE country = 'Fiji')), ((SELECT count(people) FROM book)))
SELECT (SELECT sum(g.since) FROM book b WHERE b.country = 'Fiji') AS n FROM groups g
SELECT b.people FROM book b WHERE b.country IN (SELECT DISTINCT ON (grp) country FROM groups ORDER BY grp, country)
SELECT g.grp FROM groups g WHERE g.grp = 'EU' AND g.country IN (SELECT b.country FROM book b WHERE b.people IS NOT NULL)
SELECT country FROM book WHERE country IN (SELECT geography.neighbour FROM book WHERE country IN (SELECT geography.neighbour FROM book WHERE country = 'Finland'))
SELECT b.country, p.item FROM book b JOIN (SELECT DISTINCT ON (market) market, item FROM prices ORDER BY market, item) p ON p.market = b.government.capital WHERE b.country LIKE 'F%'
SELECT b.country FROM book b WHERE b.country IN (SELECT market FROM prices)
SELECT b.people FROM book b WHERE b.government.capital IN (SELECT market FROM prices) AND b.country LIKE 'F%'
SELECT b.people FROM book b WHERE b.government.capital NOT IN (SELECT market FROM prices) AND b.country LIKE '%a%'
