/** What every call answers. Success is `code` 200; `data` of a refusal names it and carries its context. */
export type Envelope<Data = unknown> = { code: number; msg: string; data: Data };

export const SUCCESS_CODE = 200;
