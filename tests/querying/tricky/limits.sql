SELECT country FROM (SELECT country, people FROM book ORDER BY country LIMIT 3) WHERE country LIKE 'F%'
SELECT people FROM (SELECT country, people FROM book ORDER BY country LIMIT 3) WHERE country = 'France'
SELECT people FROM (SELECT country, people FROM book ORDER BY country DESC LIMIT 3 OFFSET 2) WHERE country < 'N'
SELECT people FROM (SELECT country, people FROM book ORDER BY people.population DESC NULLS LAST, country LIMIT 2) WHERE country = 'France'
SELECT b.people FROM (SELECT DISTINCT country FROM groups ORDER BY country LIMIT 2) g JOIN book b USING (country)
SELECT g.grp, b.country FROM groups g JOIN (SELECT * FROM book ORDER BY country LIMIT 4) b USING (country)
SELECT g.grp, b.people FROM groups g LEFT JOIN (SELECT * FROM book ORDER BY country DESC LIMIT 4) b USING (country)
SELECT count(*) FROM (SELECT people FROM book LIMIT 3)
SELECT count(people), count(*) FROM (SELECT people FROM book ORDER BY country LIMIT 3)
SELECT count(*) FROM (SELECT people FROM book WHERE country LIKE 'F%' LIMIT 2 OFFSET 2)
SELECT count(*) FROM (FROM prices LIMIT 2 OFFSET 1)
SELECT count(*) FROM (SELECT DISTINCT geography.location FROM book LIMIT 4)
SELECT count(*) FROM (SELECT geography.location FROM book GROUP BY 1 LIMIT 4)
SELECT count(*) FROM (SELECT count(*) FROM book LIMIT 1)
SELECT count(*), max(n) FROM (SELECT count(*) AS n FROM book WHERE people IS NOT NULL LIMIT 1)
SELECT count(*) FROM (SELECT unnest([1, 2, 3]), people FROM book LIMIT 5)
SELECT count(*) FROM (SELECT people FROM book QUALIFY count(*) OVER () = 10 LIMIT 4)
SELECT count(*) FROM (SELECT people, row_number() OVER () AS n FROM book QUALIFY n > 8 LIMIT 4)
SELECT max(n) FROM (SELECT people, count(*) OVER () AS n FROM book LIMIT 1)
SELECT DISTINCT ON (geography.location) geography.location, country FROM book ORDER BY geography.location, country
SELECT DISTINCT ON (grp) grp, b.people FROM groups g JOIN book b USING (country) ORDER BY grp, country
SELECT * FROM (SELECT DISTINCT ON (geography.location) geography.location AS l, country FROM book ORDER BY l, country) WHERE country = 'Fiji'
SELECT * FROM (SELECT DISTINCT ON (geography.location) geography.location AS l, country FROM book ORDER BY l, country) WHERE country = 'France'
(SELECT country, people FROM book ORDER BY country LIMIT 2) UNION ALL (SELECT country, people FROM book ORDER BY country DESC LIMIT 2)
SELECT country, people FROM book UNION ALL SELECT country, people FROM book WHERE country = 'Fiji' ORDER BY ALL LIMIT 4
SELECT people FROM book WHERE country IN (SELECT country FROM groups ORDER BY country NULLS LAST LIMIT 2)
SELECT people FROM book ORDER BY country LIMIT (SELECT count(*) FROM rates WHERE rate > 1)
SELECT people FROM book ORDER BY country LIMIT 30%
SELECT country, people FROM book ORDER BY lower(country), country LIMIT 3
SELECT country, people FROM book ORDER BY length(country) DESC, country DESC LIMIT 3
SELECT country AS people, people.population AS country FROM book ORDER BY country NULLS FIRST, people LIMIT 3
SELECT people.population AS country FROM book ORDER BY country NULLS FIRST LIMIT 3
SELECT country, people FROM book ORDER BY 1 DESC LIMIT 2
SELECT country, people FROM book ORDER BY ALL DESC LIMIT 2
SELECT country, item FROM prices ORDER BY market, item, country LIMIT 4
SELECT market, item FROM prices ORDER BY market, item LIMIT 3 OFFSET 2
SELECT b.country, g.grp FROM book b JOIN groups g USING (country) ORDER BY b.country, g.grp LIMIT 3
SELECT b.country, g.grp, b.people FROM book b LEFT JOIN groups g USING (country) ORDER BY b.country, g.grp LIMIT 3
SELECT b.people, g.grp FROM groups g LEFT JOIN book b USING (country) ORDER BY b.country DESC NULLS LAST, g.grp LIMIT 3
SELECT country, people FROM book WHERE people.population > 100000 ORDER BY country LIMIT 2
SELECT country, max(people.population) FROM book GROUP BY country ORDER BY country LIMIT 2
SELECT geography.location, min(country) FROM book GROUP BY 1 ORDER BY min(country) LIMIT 2
SELECT country, sum(people.population) OVER () AS s FROM book ORDER BY country LIMIT 1
SELECT country, rank() OVER (ORDER BY people.population) AS r FROM book WHERE country LIKE 'F%' ORDER BY country LIMIT 1
SELECT DISTINCT b.people.population FROM groups g JOIN book b USING (country) ORDER BY 1 LIMIT 2
SELECT b.country FROM groups g JOIN book b USING (country) WHERE b.people.population > 100000 ORDER BY b.country LIMIT 2
SELECT b.country, b.people FROM groups g JOIN book b USING (country) ORDER BY b.country LIMIT 2
SELECT g.since, b.people FROM groups g JOIN book b USING (country) ORDER BY g.since DESC NULLS LAST, b.country LIMIT 2
SELECT g.since, b.people FROM groups g LEFT JOIN book b USING (country) ORDER BY g.since NULLS FIRST, g.country LIMIT 2
SELECT b.country, b.people FROM book b SEMI JOIN groups g USING (country) ORDER BY country LIMIT 2
SELECT b.country, b.people FROM book b ANTI JOIN groups g USING (country) ORDER BY country LIMIT 2
SELECT country, people FROM book WHERE country IN (SELECT country FROM groups) ORDER BY country DESC LIMIT 2
SELECT country, people FROM book WHERE country NOT IN (SELECT country FROM rates WHERE country IS NOT NULL) ORDER BY country LIMIT 2
SELECT country, people FROM (SELECT * FROM book WHERE people IS NOT NULL) ORDER BY country LIMIT 2
SELECT country, people FROM (SELECT * FROM book WHERE people IS NOT NULL ORDER BY country DESC LIMIT 5) ORDER BY country LIMIT 2
SELECT country, people FROM (SELECT * FROM book ORDER BY country DESC LIMIT 5) WHERE people IS NOT NULL ORDER BY country LIMIT 2
SELECT DISTINCT country FROM book WHERE people IS NOT NULL ORDER BY country LIMIT 2
SELECT geography.location AS country FROM book ORDER BY book.country LIMIT 2
SELECT market, item FROM prices WHERE cost.amount > 3 ORDER BY market, item LIMIT 1
SELECT market FROM prices WHERE item = 'bread' ORDER BY market LIMIT 1
SELECT market, item FROM prices ORDER BY market DESC, item DESC NULLS LAST LIMIT 2 OFFSET 1
SELECT count(*) FROM (SELECT country FROM book OFFSET 4)
SELECT count(*) FROM (SELECT b.people FROM groups g JOIN book b USING (country) LIMIT 7)
SELECT count(*) FROM (SELECT b.people FROM groups g LEFT JOIN book b USING (country) LIMIT 7)
SELECT count(*) FROM (SELECT b.people FROM groups g LEFT JOIN book b USING (country) WHERE b.people IS NULL LIMIT 7)
SELECT count(*) FROM (SELECT b.people FROM book b SEMI JOIN groups g USING (country) LIMIT 4)
SELECT count(*) FROM (SELECT b.people FROM book b ANTI JOIN groups g USING (country) LIMIT 4)
SELECT count(*) FROM (SELECT b.people FROM book b, rates LIMIT 12)
SELECT count(*) FROM (SELECT b.people, x.n FROM book b, LATERAL (SELECT unnest([1, 2, 3]) AS n) x LIMIT 7)
SELECT count(*) FROM (SELECT people FROM book WHERE geography.location = 'Europe' LIMIT 3)
SELECT count(*) FROM (SELECT people FROM book WHERE country NOT IN ('France') AND geography.location = 'Europe' LIMIT 9 OFFSET 1)
SELECT count(*) FROM ((SELECT people FROM book LIMIT 2) UNION ALL (SELECT people FROM book LIMIT 3))
SELECT count(*) FROM (SELECT people FROM book UNION ALL SELECT people FROM book LIMIT 13)
SELECT r.country, y.people FROM rates r LEFT JOIN LATERAL (SELECT people FROM book b WHERE b.country = r.country ORDER BY b.country LIMIT 1) y ON TRUE
SELECT b.people.population FROM book b LIMIT 30%
SELECT unnest([1, 2]) AS u, people.population FROM book LIMIT 3 OFFSET 1
SELECT count(*) FROM (SELECT unnest(CASE WHEN people IS NULL THEN [1] END) AS u FROM book LIMIT 2)
SELECT count(*) FROM (SELECT unnest(CASE WHEN country LIKE 'F%' THEN [1, 2] END) AS u FROM book LIMIT 4)
SELECT * FROM ((SELECT country, people FROM book) UNION ALL (SELECT country, people FROM book ORDER BY country LIMIT 4)) WHERE country LIKE 'F%'
SELECT b.people FROM book b WHERE EXISTS (SELECT 1 FROM groups g WHERE g.country = b.country OFFSET 1)
SELECT b.people FROM book b WHERE EXISTS (SELECT 1 FROM groups g WHERE g.country = b.country LIMIT 0)
SELECT g.grp, (SELECT b.people.population FROM book b WHERE b.country < g.country ORDER BY b.country DESC LIMIT 1) AS n FROM groups g WHERE g.grp = 'EU'
SELECT grp, country FROM groups g ORDER BY (SELECT b.people.population FROM book b WHERE b.country = g.country) DESC NULLS LAST, grp, country LIMIT 1
SELECT count(*) FROM book b, LATERAL (SELECT 1 FROM groups g WHERE g.country = b.country LIMIT 1) x
SELECT b.country, p.item FROM book b JOIN (SELECT market, item FROM prices ORDER BY item, market LIMIT 3) p ON p.market = b.government.capital WHERE b.country LIKE 'F%'
SELECT p.item FROM prices p WHERE p.market IN (SELECT government.capital FROM book WHERE country LIKE 'F%') ORDER BY ALL LIMIT 2
SELECT DISTINCT p.market FROM prices p ORDER BY p.market LIMIT 2
SELECT DISTINCT p.market FROM prices p ORDER BY p.market DESC LIMIT 2 OFFSET 1
SELECT count(*) FROM (SELECT people FROM book UNION ALL SELECT people FROM europe LIMIT 4)
SELECT count(*) FROM ((SELECT people.population AS p FROM book UNION ALL SELECT since FROM groups) LIMIT 3 OFFSET 2)
SELECT people FROM book WHERE country LIKE 'F%' UNION ALL SELECT people FROM book WHERE country LIKE 'A%' LIMIT 10
SELECT count(*) FROM (SELECT people FROM book UNION SELECT people FROM europe LIMIT 4)
SELECT country, people FROM book UNION ALL SELECT country, NULL FROM groups ORDER BY ALL LIMIT 3
SELECT count(*) FROM (SELECT people FROM book WHERE people.population > 5 UNION ALL SELECT people FROM book WHERE country = 'Fiji' LIMIT 2)
SELECT count(*) FROM (SELECT DISTINCT geography.location FROM book UNION ALL SELECT item FROM prices LIMIT 4)
