-- Earlier versions took every transaction of ours for the receiver's own as well, so that what one user withdrew to the wallet
-- of another was never credited. Wallets that a withdrawal was sent to are read again from their beginning; what was
-- recorded before is unique per transaction, wallet and asset and is not recorded twice.
update watched_address set read_until_signature = null
where wallet_address in (select to_address from withdrawal);
