SELECT g.grp, b.people FROM groups g CROSS JOIN book b WHERE g.country = b.country OR (g.grp = 'G7' AND b.country = 'NULL')
SELECT b.country, b.people FROM book b WHERE NOT (b.country <> 'Fiji' AND b.country <> 'France')
SELECT b.country, b.people FROM book b WHERE (b.country = 'Fiji') IS DISTINCT FROM TRUE AND b.country LIKE 'F%'
SELECT b.country, b.people FROM book b WHERE list_contains(['Fiji', 'France'], b.country)
SELECT b.country, b.people FROM book b WHERE b.country = ANY(['Fiji', 'France'])
SELECT b.country, b.people FROM book b WHERE regexp_matches(b.country, '^F.*i$')
SELECT b.country, b.people FROM book b WHERE b.country ~ 'F.*'
SELECT b.country, b.people FROM book b WHERE b.country GLOB 'F*'
SELECT b.country, b.people FROM book b WHERE b.country ^@ 'F'
SELECT b.country, b.people FROM book b WHERE b.country LIKE '%!%%' ESCAPE '!' OR b.country LIKE 'F_ji'
SELECT b.country, b.people FROM book b WHERE hash(b.country) = hash('Fiji')
SELECT b.country, b.people FROM book b WHERE {'c': b.country} = {'c': 'Fiji'}
SELECT b.country, b.people FROM book b WHERE try_cast(b.country AS INTEGER) IS NULL AND b.country LIKE 'F%'
SELECT country, country FROM book WHERE country LIKE 'F%'
SELECT b.*, g.* FROM book b, groups g WHERE b.country = g.country AND g.grp = 'G7'
SELECT * FROM book b, book c WHERE b.country = 'Fiji' AND c.country = 'France'
SELECT NULL FROM book WHERE country = 'Fiji'
SELECT max(country), min(people.population) FROM book WHERE country < 'B'
SELECT country, people FROM book WHERE country = 'Fiji' GROUP BY ALL
SELECT _fetched > TIMESTAMPTZ '2020-01-01 00:00:00+00' FROM book WHERE country = 'Fiji'
SELECT g._page, b._page FROM groups g JOIN book b USING (country) WHERE grp = 'G7'
SELECT b.country FROM book b JOIN book c ON c._page = b._page WHERE c.country = 'Fiji'
