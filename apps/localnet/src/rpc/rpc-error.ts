// JSON-RPC errors with the codes Solana's own nodes use.

export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  toJSON(): { code: number; message: string; data?: unknown } {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

export const parseError = (): RpcError => new RpcError(-32700, 'Parse error');
export const invalidRequest = (): RpcError => new RpcError(-32600, 'Invalid request');
export const methodNotFound = (): RpcError => new RpcError(-32601, 'Method not found');
export const internalError = (): RpcError => new RpcError(-32603, 'Internal error');
export const invalidParams = (message: string): RpcError => new RpcError(-32602, message);
export const minContextSlotNotReached = (contextSlot: number): RpcError =>
  new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot });
export const blockNotAvailable = (slot: number): RpcError =>
  new RpcError(-32004, `Block not available for slot ${slot}`);
export const blockCleanedUp = (slot: number, firstAvailable: number): RpcError =>
  new RpcError(-32001, `Block ${slot} cleaned up, does not exist on node. First available block: ${firstAvailable}`);
