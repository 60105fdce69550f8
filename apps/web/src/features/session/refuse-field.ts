import type { ErrorName } from '@hunter/contract/error-catalogue';
import { ApiFailure } from '../../data/api-failure.ts';
import type { TextKey } from '../../i18n/areas.ts';

/** Which field a refusal is about, and what is said there. */
export type RefusedFields<Values> = Partial<Record<ErrorName, { field: keyof Values; text: TextKey }>>;

/** Says a refusal at the field it is about, and not only in the toast that is shown already; false for any other. */
export function refuseField<Values>(
  form: { refuse: (field: keyof Values, text: TextKey) => void },
  error: unknown,
  fields: RefusedFields<Values>,
): boolean {
  const refusal = error instanceof ApiFailure ? error.refusal : null;
  const refused = refusal === null ? undefined : fields[refusal];
  if (refused) form.refuse(refused.field, refused.text);
  return refused !== undefined;
}
