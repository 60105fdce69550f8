import type { CallName, CallParsedRequest, CallReply } from '@hunter/contract/calls';
import type { Language } from '../accounts/mail-frame.ts';
import type { ApiKey } from '../accounts/api-key-store.ts';
import type { Session } from '../accounts/session.ts';
import type { JsonText } from '../platform/json-text.ts';

/** Who is asking. `session` is set for every call whose access is `user`. */
export type Caller = {
  session: Session | null;
  /** Set where the call came with an API key; the session is then one of the key's user, without the email. */
  apiKey: ApiKey | null;
  address: string;
  device: string;
  /** Of the reader, by the header `accept-language`. */
  language: Language;
  requestId: string;
  idempotencyKey: string | null;
};

export type SignedInCaller = Caller & { session: Session };

type AccessOf<Name extends CallName> = (typeof import('@hunter/contract/calls').calls)[Name]['access'];

export type Handler<Name extends CallName> = (
  request: CallParsedRequest<Name>,
  caller: AccessOf<Name> extends 'user' ? SignedInCaller : Caller,
) => Promise<CallReply<Name> | JsonText<CallReply<Name>>>;

export type Handlers = { [Name in CallName]: Handler<Name> };

/** Finds the session of a token; null where there is none. Called for every request, so it must be quick. */
export type Authenticate = (token: string) => Promise<Session | null> | Session | null;
