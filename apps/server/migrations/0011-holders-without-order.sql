-- The order of a token's holders by amount is worked out when somebody asks for it, from the few thousand rows of one
-- token. Kept as an index it had to change with every trade, which cost each of them a second write to a random page.
drop index holder_largest;
