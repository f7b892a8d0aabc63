SELECT * FROM (PIVOT (SELECT geography.location AS l, people.population AS p FROM book) ON l IN ('Europe', 'Asia') USING sum(p))
SELECT country FROM book TABLESAMPLE 100 PERCENT (bernoulli) WHERE country = 'Fiji'
SELECT count(*) FROM (FROM book TABLESAMPLE reservoir(3 ROWS))
SELECT count(people) >= 0 FROM book USING SAMPLE 5 ROWS
SELECT count(*) FROM book WHERE random() >= 0 AND people IS NOT NULL
SELECT country FROM book WHERE CASE WHEN random() >= 0 THEN country = 'Fiji' END AND people IS NOT NULL
SELECT x.country, x.g.location FROM (SELECT country, geography AS g FROM book) x WHERE x.country LIKE 'F%'
SELECT {'a': country, 'b': people}.b.population AS p FROM book WHERE country = 'Fiji'
SELECT [x FOR x IN [country, geography.location] IF x IS NOT NULL] AS l FROM book WHERE country LIKE 'F%'
SELECT list_transform([1, 2], lambda country: country + 1) AS l, people FROM book WHERE country = 'Fiji'
SELECT row_to_json(b) FROM (SELECT country, people FROM book) b WHERE country = 'Fiji'
SELECT b FROM (SELECT country, people FROM book) b WHERE b.country = 'Fiji'
SELECT country COLLATE NOCASE AS c, people FROM book WHERE country COLLATE NOCASE = 'france'
SELECT people FROM book WHERE country = 'Fiji'::VARCHAR AND 1
SELECT people FROM book ORDER BY country = 'Fiji' DESC, country LIMIT 2
SELECT country FROM book ORDER BY people.population DESC NULLS LAST, country LIMIT 2
SELECT generate_series AS n, b.people FROM generate_series(1, 2), book b WHERE b.country = 'Fiji'
SELECT n, b.people FROM range(2) r(n) CROSS JOIN book b WHERE b.country LIKE 'F%'
SELECT u, b.people FROM (SELECT unnest(['Fiji', 'France', 'x']) AS u) JOIN book b ON b.country = u
SELECT b.country, w FROM book b, unnest(string_split(b.country, ' ')) t(w) WHERE b.people IS NOT NULL
SELECT country, g.since FROM book ASOF JOIN (SELECT country, since FROM groups WHERE since IS NOT NULL AND grp = 'EU') g USING (country)
TABLE groups
SELECT * FROM (PIVOT (SELECT grp, since FROM groups) ON grp USING count(*))
SELECT people.population FROM book WHERE country = 'Fiji'; -- and no more
