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
