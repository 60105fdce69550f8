/**
 * Opens what a request names, unless it is there. Sent twice at the same moment, maybe to two processes, the one that comes second fails
 * on whatever the first has changed (its row, the name, the balance, the room): it is done all the same.
 */
export async function openOnce(isKnown: () => Promise<boolean>, open: () => Promise<void>): Promise<void> {
  if (await isKnown()) return;
  try {
    await open();
  } catch (error) {
    if (!(await isKnown())) throw error;
  }
}
