SELECT count(*) FROM book WHERE country = 'Atlantis'
SELECT count(*), max(people.population) FROM book WHERE country = 'Atlantis'
SELECT count(*) FROM book WHERE people.population > 100000
SELECT count(*) FILTER (WHERE country = 'France'), count(*), count(people) FROM book
SELECT count(*) FROM book GROUP BY geography.location HAVING count(*) > 1
SELECT count(*) FROM book HAVING count(*) > 5
SELECT count(*) FROM book HAVING min(country) = 'Andorra'
SELECT max(country) FROM book HAVING max(country) = 'Fiji'
SELECT geography.location AS country, count(*) FROM book WHERE country = 'Fiji' GROUP BY 1
SELECT country, count(*) FROM book GROUP BY ROLLUP (country) HAVING country IS NULL
SELECT country, sum(people.population) AS p FROM book GROUP BY ROLLUP (country) HAVING country = 'Fiji'
SELECT * FROM (SELECT country, sum(people.population) AS p FROM book GROUP BY ROLLUP (country)) WHERE country IS NULL
SELECT * FROM (SELECT country, geography.location AS l, count(people) FROM book GROUP BY CUBE (country, l)) WHERE country = 'Fiji'
SELECT * FROM (SELECT country, geography.location AS l, count(people) FROM book GROUP BY GROUPING SETS ((country), (l), ())) WHERE country = 'Fiji' OR l = 'Asia'
SELECT * FROM (SELECT geography.location AS l, min(country) AS country, count(*) AS n FROM book GROUP BY 1) WHERE country = 'France'
SELECT * FROM (SELECT count(*) AS n, max(country) AS country FROM book) WHERE country = 'Fiji'
SELECT * FROM (SELECT country, count(*) OVER () AS n FROM book) WHERE country = 'Fiji'
SELECT * FROM (SELECT country, people, count(*) OVER (PARTITION BY geography.location) AS n FROM book) WHERE country = 'France'
SELECT * FROM (SELECT country, rank() OVER (ORDER BY people.population DESC NULLS LAST) AS n FROM book) WHERE country = 'Fiji'
SELECT * FROM (SELECT country, lag(country) OVER (ORDER BY country) AS before FROM book) WHERE country = 'France'
SELECT country, rank() OVER (ORDER BY country) AS r, people FROM book WHERE country LIKE 'F%' QUALIFY r = 1
SELECT country, people FROM book QUALIFY row_number() OVER (PARTITION BY geography.location ORDER BY country) = 1
SELECT grp, b.country FROM groups g JOIN book b USING (country) QUALIFY rank() OVER (PARTITION BY grp ORDER BY b.people.population) = 1
SELECT grp, sum(people.population) FROM groups g LEFT JOIN book b USING (country) GROUP BY grp
SELECT grp, count(b.country), count(*) FROM groups g LEFT JOIN book b ON b.country = g.country AND b.geography.location = 'Europe' GROUP BY grp
SELECT arg_max(country, people.population) FROM book
SELECT string_agg(country, ';' ORDER BY country) FROM book WHERE people.population IS NOT NULL
SELECT market, count(*) FROM prices GROUP BY market
SELECT count(DISTINCT market), count(*) FROM prices
SELECT market FROM prices WHERE market IN ('Closed', 'Suva')
SELECT count(*) FROM book b JOIN prices p ON p.market = b.government.capital
SELECT count(*) FROM prices p, book b
SELECT count(*) FROM book a, book z
SELECT count(*) FROM book a, book z WHERE a.country < z.country
SELECT r.rate, (SELECT count(*) FROM book b WHERE b.country = r.country AND b.geography.location = (SELECT max(geography.location) FROM book x WHERE x.country = 'France')) FROM rates r
SELECT country, (SELECT count(*) FROM groups) AS n FROM book WHERE n > 5 AND country = 'Fiji'
SELECT country, people FROM book WHERE (SELECT count(*) FROM rates) = 5 AND country = 'Fiji'
SELECT country, people FROM book WHERE (SELECT count(*) FROM prices WHERE item = 'fish') = 2 AND country = 'Fiji'
SELECT x.grp, b.people FROM (SELECT grp, max(country) AS country FROM groups GROUP BY grp) x JOIN book b USING (country)
SELECT x.grp, b.people FROM (SELECT grp, max(country) AS country FROM groups GROUP BY grp) x JOIN book b USING (country) WHERE country = 'Fiji'
SELECT x.n, b.people FROM (SELECT country, count(*) AS n FROM groups GROUP BY country) x JOIN book b USING (country) WHERE x.n > 1
SELECT r.country, y.n FROM rates r, LATERAL (SELECT count(*) AS n FROM book b WHERE b.country < r.country AND b.people IS NOT NULL) y
SELECT * FROM (SELECT country, row_number() OVER (PARTITION BY country ORDER BY people.population) AS n, people FROM book) WHERE country = 'Fiji'
SELECT count(*), (SELECT count(people) FROM book) AS n FROM rates WHERE country = 'none'
SELECT max(rate) FROM rates WHERE country = 'none' HAVING (SELECT count(people) FROM book) > 5
SELECT count(*) FROM groups WHERE grp = 'none' HAVING EXISTS (SELECT 1 FROM book WHERE people.population > 5)
SELECT country, count(*), (SELECT count(people) FROM book) AS n FROM rates WHERE country = 'none' GROUP BY ROLLUP (country)
SELECT x.n, b.people FROM (SELECT count(*) AS n FROM groups g WHERE g.grp = 'none') x, book b WHERE b.country = 'Fiji'
SELECT x.n, b.people FROM (SELECT count(*) AS n FROM rates WHERE country = 'none') x JOIN book b ON b.country = 'Fiji'
SELECT x.n, b.people FROM (SELECT count(*) AS n FROM rates WHERE country = 'none') x JOIN book b ON length(b.country) = x.n + 4
SELECT b.people, (SELECT count(*) FROM rates r WHERE r.country = 'none') AS n FROM book b WHERE b.country = 'Fiji'
SELECT b.people FROM book b, (SELECT max(country) AS country FROM rates WHERE rate > 100) x WHERE b.country = coalesce(x.country, 'Fiji')
SELECT max(geography.location) AS country FROM book GROUP BY country HAVING country = 'Europe'
SELECT max(geography.location) AS country FROM book GROUP BY country HAVING country = 'Fiji'
SELECT lower(country) AS country, count(people) FROM book GROUP BY country HAVING country = 'fiji'
SELECT lower(country) AS country, count(people) FROM book GROUP BY country HAVING country = 'Fiji'
SELECT b.people FROM book b WHERE EXISTS (SELECT 1 FROM groups g WHERE g.country = b.country HAVING count(*) = 0)
SELECT b.people FROM book b WHERE EXISTS (SELECT 1 FROM groups g WHERE g.country = b.country GROUP BY g.country HAVING count(*) > 1)
SELECT b.people FROM book b WHERE EXISTS (SELECT max(g.country) FROM groups g WHERE g.country = b.country HAVING max(g.country) IS NULL)
SELECT b.people FROM book b WHERE b.country IN (SELECT g.country FROM groups g WHERE g.country = b.country GROUP BY ALL HAVING count(*) > 1)
SELECT b.people FROM book b WHERE b.country IN (SELECT max(g.country) FROM groups g GROUP BY g.grp)
SELECT b.people FROM book b WHERE b.country IN (SELECT max(g.country) FROM groups g WHERE g.country <= b.country)
SELECT b.people FROM book b WHERE b.country IN (SELECT max(g.country) OVER () FROM groups g)
SELECT b.people FROM book b WHERE b.country IN (SELECT max(g.country) OVER (PARTITION BY g.grp) FROM groups g)
SELECT g.grp, (SELECT max(b.country) FROM book b WHERE b.country < g.country) AS n FROM groups g WHERE g.grp = 'EU'
SELECT g.grp, (SELECT max(b.people.population) FROM book b WHERE b.country < g.country) AS n FROM groups g WHERE g.grp = 'EU'
SELECT g.grp, count(*) FILTER (WHERE EXISTS (SELECT 1 FROM book b WHERE b.country = g.country AND b.people IS NOT NULL)) FROM groups g GROUP BY g.grp
SELECT grp, sum((SELECT b.people.population FROM book b WHERE b.country = g.country)) FROM groups g GROUP BY grp
SELECT sum((SELECT max(b.people.population) FROM book b WHERE b.country = g.country)) OVER (PARTITION BY grp) AS s, grp FROM groups g
SELECT x.* FROM rates r, LATERAL (SELECT max(b.people.population) AS m FROM book b WHERE b.country = r.country) x WHERE x.m IS NULL
SELECT b.country FROM book b, LATERAL (SELECT count(*) AS n FROM groups g WHERE g.country = b.country) x WHERE x.n = 0
SELECT b.country FROM book b, LATERAL (SELECT count(*) AS n FROM prices p WHERE p.market = b.government.capital) x WHERE x.n = 0
SELECT b.country, p.n FROM book b JOIN (SELECT market, count(*) AS n FROM prices GROUP BY market) p ON p.market = b.government.capital WHERE b.country LIKE 'F%'
SELECT b.country, p.n FROM book b JOIN (SELECT market, count(*) OVER () AS n FROM prices) p ON p.market = b.government.capital WHERE b.country LIKE 'F%'
SELECT b.country, p.n FROM book b JOIN (SELECT market, rank() OVER (ORDER BY market) AS n FROM prices) p ON p.market = b.government.capital WHERE b.country LIKE 'F%'
SELECT b.country, p.n FROM book b JOIN (SELECT market, count(*) OVER (PARTITION BY market) AS n FROM prices) p ON p.market = b.government.capital WHERE b.country LIKE 'F%'
SELECT b.country, p.m FROM book b JOIN (SELECT item, min(market) AS m FROM prices GROUP BY item) p ON p.m = b.government.capital WHERE b.country LIKE 'F%'
SELECT EXISTS (SELECT 1 FROM prices WHERE market = 'Closed'), (SELECT count(*) FROM prices WHERE market = 'Closed')
SELECT max(rate), (SELECT max(people.population) FROM book) AS n FROM rates WHERE 1 = 2
SELECT b.people FROM (SELECT count(p.item) AS n FROM prices p JOIN rates r ON r.country = 'none') x, book b WHERE x.n <> b.people.population
