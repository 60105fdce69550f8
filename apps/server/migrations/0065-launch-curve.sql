-- Where a token was traded before it graduated: only a swap with its pool or its launch curve is a trade of the market.
alter table token add column curve_pool text;
