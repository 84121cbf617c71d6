CREATE TABLE orders (
    id TEXT PRIMARY KEY,
    city TEXT,
    amount NUMERIC(12, 2),
    at TIMESTAMPTZ,
    number BIGSERIAL  -- grows with every new row: the increment of 8-import-database.yaml
);
