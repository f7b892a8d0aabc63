SELECT country FROM book EXCEPT SELECT country FROM groups
SELECT country, people FROM book EXCEPT SELECT country, people FROM book WHERE country LIKE 'F%'
SELECT country, people FROM book WHERE country LIKE 'F%' EXCEPT SELECT country, people FROM book WHERE people.population > 1000000
SELECT * FROM (SELECT country, people FROM book EXCEPT SELECT country, NULL FROM groups) WHERE country = 'Fiji'
SELECT * FROM (SELECT geography.location AS country FROM book EXCEPT SELECT 'Fiji') WHERE country = 'Europe'
SELECT * FROM (SELECT country, people.population AS p FROM book UNION SELECT grp, since FROM groups) WHERE country LIKE '%F%'
SELECT * FROM (SELECT country, 1 AS n FROM book UNION ALL SELECT grp, since FROM groups) WHERE country = 'EU'
SELECT * FROM (SELECT geography.location AS country FROM book UNION ALL SELECT country FROM book) WHERE country = 'Europe'
SELECT country FROM book INTERSECT SELECT geography.neighbour FROM book
SELECT country FROM groups INTERSECT ALL SELECT geography.neighbour FROM book
SELECT country FROM groups EXCEPT ALL SELECT country FROM book WHERE people IS NOT NULL
SELECT country, people.population AS x FROM book UNION ALL BY NAME SELECT grp AS x2, country FROM groups
SELECT country, geography.location AS l FROM book UNION BY NAME SELECT 'Europe' AS l, country FROM groups
SELECT * FROM (SELECT country, geography.location AS l FROM book UNION ALL BY NAME SELECT country AS l, grp AS country FROM groups) WHERE country = 'EU' OR country = 'Fiji'
(SELECT country FROM book WHERE people IS NULL) UNION (SELECT country FROM groups EXCEPT SELECT country FROM rates) ORDER BY 1
SELECT people FROM book WHERE country IN (SELECT country FROM groups UNION SELECT country FROM rates)
SELECT people FROM book WHERE country IN (SELECT country FROM book EXCEPT SELECT country FROM groups)
SELECT people FROM book b WHERE EXISTS (SELECT 1 FROM groups g WHERE g.country = b.country UNION ALL SELECT 1 FROM rates r WHERE r.rate = 2.0)
VALUES (1), (2)
SELECT n, c, people FROM (SELECT country AS c, 10 AS n, people FROM book UNION ALL SELECT 'x', '5', NULL) WHERE n < '9'
SELECT b.people FROM book b, (SELECT country FROM rates WHERE country = 'none' UNION ALL SELECT 'Fiji') x WHERE b.country = x.country
SELECT b.people FROM book b WHERE b.country IN (SELECT country FROM groups EXCEPT SELECT country FROM rates)
SELECT b.people FROM book b WHERE b.country IN (SELECT country FROM groups INTERSECT SELECT country FROM rates)
SELECT x.country, b.people FROM (SELECT country FROM rates UNION SELECT country FROM groups) x JOIN book b USING (country)
SELECT x.country, b.people FROM (SELECT country FROM groups EXCEPT SELECT country FROM rates) x JOIN book b USING (country)
SELECT x.* FROM rates r, LATERAL (SELECT b.country, b.people FROM book b WHERE b.country = r.country UNION ALL SELECT g.grp, NULL FROM groups g WHERE g.country = r.country) x
SELECT market FROM prices WHERE market = 'Closed' UNION ALL SELECT 'none' WHERE NOT EXISTS (SELECT 1 FROM prices WHERE market = 'Closed')
