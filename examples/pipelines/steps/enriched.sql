SELECT o.*, coalesce(c.region, 'unknown') AS region
FROM orders o LEFT JOIN cities c USING (city)
