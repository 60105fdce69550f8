/** A line in the signer's own log, which the server cannot write. */
export type Alarm = (alarm: { msg: string; address?: string; strategyWallet?: string }) => void;
