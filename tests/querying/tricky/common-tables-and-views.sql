WITH book AS (SELECT country AS c FROM groups) SELECT c FROM book
WITH book AS (SELECT * FROM book WHERE country LIKE 'F%') SELECT people FROM book
WITH a AS (SELECT * FROM book), z AS (SELECT * FROM a WHERE country LIKE 'F%') SELECT people FROM z WHERE country <> 'Fiji'
WITH a AS (SELECT * FROM book) SELECT (SELECT count(people) FROM a), country, people FROM a WHERE country = 'Fiji'
WITH a AS (SELECT * FROM book) SELECT people FROM a WHERE country = 'Fiji' UNION ALL SELECT people FROM a WHERE country = 'France'
WITH a AS (SELECT * FROM book) SELECT x.country FROM a x LEFT JOIN a y ON y.country = x.geography.neighbour WHERE y.country IS NULL
WITH a AS MATERIALIZED (SELECT * FROM book) SELECT people FROM a WHERE country = 'Fiji'
WITH a AS (SELECT * FROM book ORDER BY country LIMIT 3) SELECT people FROM a WHERE country = 'Fiji' UNION ALL SELECT people FROM a
WITH a AS (WITH b AS (SELECT country FROM groups WHERE grp = 'EU') SELECT * FROM book WHERE country IN (FROM b)) SELECT people FROM a
WITH RECURSIVE way(country, n) AS (SELECT 'Finland', 0 UNION ALL SELECT b.geography.neighbour, n + 1 FROM way JOIN book b USING (country) WHERE n < 4) SELECT country, n FROM way
WITH RECURSIVE way(country) AS (SELECT country FROM book WHERE country = 'Finland' UNION SELECT b.geography.neighbour FROM way JOIN book b USING (country)) SELECT b.people FROM way JOIN book b USING (country)
WITH RECURSIVE way(city, n) AS (SELECT 'Paris', 0 UNION ALL SELECT b.government.capital, n + 1 FROM way w, book b WHERE b.country LIKE 'F%' AND n < 1) SELECT * FROM way
SELECT m.area, b.people FROM members m JOIN book b USING (country) WHERE m.grp = 'EU'
SELECT e.people FROM europe e WHERE e.country = 'Fiji'
SELECT e.people FROM europe e ANTI JOIN groups USING (country)
SELECT c.city, x.twin FROM capitals c LEFT JOIN cities x USING (city)
WITH a AS (SELECT people FROM book LIMIT 3) SELECT (SELECT count(*) FROM a), count(*) FROM a
WITH a AS (SELECT * FROM book WHERE country = 'Fiji') SELECT a.people, book.people FROM a, book WHERE book.country = 'France'
WITH x AS (SELECT 'Fiji' AS country) SELECT people FROM book, x WHERE book.country = x.country
WITH x AS (VALUES ('Fiji'), ('France')) SELECT people FROM book, x WHERE book.country = x.col0
WITH c AS (SELECT * FROM cities) SELECT c.twin FROM c WHERE c.city = 'Paris'
SELECT count(*) FROM members
SELECT grp FROM members WHERE area > 400000
SELECT count(*) FROM capitals c LEFT JOIN prices p ON p.market = c.city WHERE p.item IS NULL
WITH groups AS (SELECT 'X' AS grp) SELECT groups.grp, area FROM groups, members
WITH c(land, g) AS (SELECT country, geography FROM book) SELECT g FROM c WHERE land = 'Fiji'
WITH a AS (SELECT country FROM groups WHERE grp = 'EU'), b AS (SELECT country FROM a UNION SELECT 'Fiji') SELECT people FROM book JOIN b USING (country)
WITH a AS (SELECT * FROM book), b AS (SELECT * FROM a WHERE country = 'Fiji'), c AS (SELECT * FROM a WHERE country = 'France') SELECT b.people, c.people FROM b FULL JOIN c ON b.country = c.country
