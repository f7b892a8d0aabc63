SELECT geography.location AS country, country AS location FROM book WHERE country = 'Fiji'
SELECT country AS c, people FROM book WHERE c = 'Fiji'
SELECT lower(country) AS country, people FROM book WHERE country = 'Fiji'
SELECT country FROM (SELECT geography.location AS country, people FROM book) WHERE country = 'Europe'
SELECT book.country FROM groups book WHERE book.country = 'Atlantis'
SELECT book.country, g.people FROM groups book JOIN book g ON g.country = book.country
SELECT country.country FROM book country WHERE country.country = 'Fiji'
SELECT geography.geography.location FROM book geography WHERE geography.country = 'Fiji'
SELECT geography.location FROM book geography WHERE country = 'Fiji'
SELECT people.country FROM groups people JOIN book b ON b.country = people.country
SELECT book FROM book WHERE country = 'Fiji'
SELECT struct_extract(geography, 'location') AS l FROM book
SELECT unnest(geography) FROM book WHERE country LIKE 'F%'
SELECT unnest(geography, recursive := true) FROM book WHERE country LIKE 'F%'
SELECT * EXCLUDE (geography, _fetched) FROM book WHERE country LIKE 'F%'
SELECT * REPLACE (upper(country) AS country) FROM book WHERE country LIKE 'F%'
SELECT * RENAME (country AS land) FROM book WHERE country LIKE 'F%'
SELECT COLUMNS('^(country|people)$') FROM book WHERE country LIKE 'F%'
SELECT COLUMNS(lambda c: c LIKE 'g%') FROM book WHERE country LIKE 'F%'
SELECT max(COLUMNS('^(country|_page)$')) FROM book
SELECT * FROM book WHERE COLUMNS('country|_page') LIKE 'F%'
SELECT BOOK.COUNTRY, Book.Geography.LOCATION FROM Book WHERE "Country" = 'Fiji'
SELECT "country" FROM "book" AS "B" WHERE "b".country = 'Fiji'
FROM book
FROM book SELECT people WHERE country = 'Fiji'
FROM book WHERE country = 'Fiji'
TABLE rates
SELECT b.* FROM book b JOIN groups USING (country)
SELECT * FROM book JOIN groups USING (country)
SELECT * FROM book b JOIN groups g ON b.country = g.country
SELECT * FROM groups NATURAL JOIN rates NATURAL LEFT JOIN codes
SELECT x.country FROM book x WHERE x.country IN ('NULL', '', 'Say "Hi"', 'Åland')
SELECT _page, _fetched FROM book WHERE country = 'Fiji'
SELECT country FROM book WHERE _page LIKE '%/4'
SELECT country, people FROM book WHERE _page = 'https://book.example/4'
SELECT c.land, g.location FROM (SELECT * FROM book) c(land, g, p) WHERE c.land = 'Fiji'
SELECT c.land FROM book c(land) WHERE c.land = 'Fiji' AND c.people IS NOT NULL
SELECT 1 FROM book
SELECT count(*) FROM book, groups
SELECT lower(country) AS c, count(*), max(people.population) FROM book GROUP BY c HAVING c = 'france'
SELECT country, geography.location, row_number() OVER (PARTITION BY geography.location ORDER BY country) AS n FROM book WHERE country > 'F' QUALIFY n = 1
SELECT b.geography = c.geography FROM book b, book c WHERE b.country = 'Fiji' AND c.country = b.country
SELECT struct_pack(a := country, b := geography.location) AS s FROM book WHERE country LIKE 'F%'
SELECT geography.* EXCLUDE (area) FROM book WHERE country = 'Fiji'
SELECT to_json(geography) FROM book WHERE country = 'Fiji'
SELECT unnest([geography.location, geography.neighbour]) AS u, country FROM book WHERE country LIKE 'F%'
SELECT struct_keys(geography) FROM book WHERE country = 'Fiji'
SELECT max(_page) FROM book
SELECT geography.area['total'] AS t, geography['location'] AS l FROM book WHERE country LIKE 'F%'
WITH c(land, g) AS (SELECT country, geography FROM book) SELECT g FROM c WHERE land = 'Fiji'
WITH groups AS (SELECT 'X' AS grp) SELECT groups.grp, area FROM groups, members
SELECT lower(country) AS country, people FROM book WHERE country = 'fiji'
SELECT country AS a, a || 'x' AS b, people FROM book WHERE b = 'Fijix'
SELECT a.country FROM book a JOIN book z ON a.country < z.country AND z.country LIKE 'Fi%' WHERE a.people.population < z.people.population
