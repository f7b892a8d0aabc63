SELECT
SELECT country FROM nowhere
SELECT nothing FROM book
SELECT geography.nothing FROM book
SELECT country FROM book, groups
SELECT country, count(*) FROM book
SELECT country FROM book WHERE count(*) > 1
SELECT country FROM book UNION SELECT country, grp FROM groups
SELECT b.country FROM book
SELECT none_such(country) FROM book
SELECT * FROM book NATURAL JOIN (SELECT 1 AS x)
SELECT country FROM book ORDER BY 7
WITH a AS (SELECT 1), a AS (SELECT 2) SELECT * FROM a
SELECT country FROM book LIMIT 'x'
SELECT twin FROM cities WHERE city = 'paris' COLLATE NOCASE
