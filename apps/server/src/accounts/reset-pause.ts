/** After a reset by mail: no export, no new destination, and the old password undoes it. The signer counts the same hours by itself. */
export const RESET_PAUSE_HOURS = 72;
