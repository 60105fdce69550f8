/** A live session and whose it is. */
export type Session = { sessionId: string; userId: string; email: string };
