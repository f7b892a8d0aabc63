SELECT g.grp, a.people, z.people FROM groups g, book a, book z WHERE a.country = g.country AND z.country = a.geography.neighbour
SELECT g.grp, a.people FROM groups g, book a WHERE a.country IN (g.country, 'Fiji')
SELECT g.grp, a.people FROM groups g, book a WHERE a.country LIKE g.country || '%'
SELECT g.grp, a.people FROM groups g, book a WHERE a.country = g.country OR a.country = g.grp
SELECT g.grp, a.people FROM groups g, book a WHERE (a.country = g.country AND g.grp = 'EU') OR (a.country = 'Fiji' AND g.grp = 'UN')
SELECT g.grp, a.people FROM groups g, book a WHERE (a.country = g.country AND g.grp = 'EU') OR a.people IS NULL
SELECT g.grp, a.people FROM groups g JOIN book a ON a.country = CASE WHEN g.country = 'Atlantis' THEN 'Fiji' ELSE g.country END
SELECT c.twin FROM cities c WHERE c.city = 'Paris' OR c.city = 'Suva'
SELECT c.twin FROM cities c WHERE c.city IN ('Paris', 'Suva') AND c.twin IS NULL
SELECT c.twin FROM cities c WHERE (c.city = 'Paris' AND c.twin IS NULL) OR (c.city = 'Suva' AND c.country = 'Fiji')
SELECT c.twin FROM cities c WHERE c.city = 'O''Higgins'
SELECT c.twin, b.people FROM cities c, book b WHERE c.city IN (b.government.capital, 'Suva') AND b.country = 'France'
SELECT c.twin FROM cities c WHERE c.city = (SELECT government.capital FROM book WHERE country = 'France')
SELECT c.twin, d.twin FROM cities c JOIN cities d ON d.city = c.twin WHERE c.city = 'Paris'
SELECT c.city, b.country FROM cities c JOIN book b ON b.country = c.country WHERE c.city = b.government.capital
SELECT c.twin FROM prices p JOIN cities c ON c.city = p.market WHERE p.item = 'bread'
SELECT c.twin FROM (SELECT DISTINCT market AS city FROM prices) JOIN cities c USING (city)
SELECT c.twin FROM cities c NATURAL JOIN (SELECT 'Paris' AS city)
SELECT c.twin FROM cities c SEMI JOIN (SELECT market AS city FROM prices) p USING (city)
SELECT sum(1) FROM (SELECT twin FROM cities WHERE city = 'Paris' UNION ALL SELECT twin FROM cities WHERE city = 'Suva')
SELECT c.city, c.twin FROM cities c JOIN (SELECT government.capital AS city FROM book WHERE country LIKE 'F%') b USING (city)
SELECT c.twin, p.item FROM cities c, prices p WHERE c.city = p.market
SELECT c.twin FROM cities c WHERE c.city IN (SELECT d.twin FROM cities d WHERE d.city = 'Paris')
SELECT c.twin FROM cities c WHERE c.city IN ('Paris') AND c.city LIKE 'P%'
SELECT c.twin FROM cities c WHERE c.city = 'Paris' AND (c.twin = 'x' OR c.country = 'France')
SELECT c.twin FROM cities c WHERE c.city IS NOT DISTINCT FROM 'Paris'
SELECT c.twin FROM cities c WHERE CASE WHEN c.city = 'Paris' THEN TRUE ELSE FALSE END AND c.city IN ('Paris', 'Suva')
SELECT c.twin FROM rates r JOIN cities c ON c.city = CASE WHEN r.country = 'Fiji' THEN 'Suva' ELSE 'Paris' END
SELECT count(*) FROM cities WHERE city = 'Paris'
SELECT city FROM cities WHERE city = 'Nowhere'
SELECT city FROM cities WHERE city IN ('Paris', 'Nowhere')
SELECT b.country, c.city FROM book b LEFT JOIN cities c ON c.city = b.government.capital
SELECT b.country, c.city FROM book b LEFT JOIN cities c ON c.city = b.government.capital AND b.country LIKE 'F%'
SELECT b.country FROM book b ANTI JOIN cities c ON c.city = b.government.capital
SELECT b.country FROM book b WHERE b.government.capital IN (SELECT city FROM cities WHERE city = b.government.capital)
SELECT b.country FROM book b WHERE b.government.capital NOT IN (SELECT city FROM cities WHERE city IN ('Paris', 'Suva'))
SELECT country FROM book WHERE government.capital = (SELECT twin FROM cities WHERE city = '東京')
SELECT g.grp, string_agg(c.city, ',' ORDER BY c.city) FROM groups g JOIN book b USING (country) JOIN cities c ON c.city = b.government.capital GROUP BY ALL
SELECT _page FROM cities WHERE city = 'Paris'
SELECT c.twin FROM cities c WHERE c.city = ANY(['Paris', 'Suva'])
SELECT c.twin FROM cities c WHERE EXISTS (FROM book b WHERE b.government.capital = c.city)
WITH RECURSIVE r(k) AS (SELECT 'Paris' UNION SELECT 'Suva' FROM r) SELECT c.twin FROM cities c JOIN r ON r.k = c.city
SELECT g.grp, b.people, c.twin FROM groups g LEFT JOIN book b USING (country) LEFT JOIN cities c ON c.city = b.government.capital
