import type { ReactNode } from 'react';
import { useMoneyAction } from '../data/use-money-action.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';
import { NoAnswer } from './no-answer.tsx';

type Props = {
  title: ReactNode;
  description?: ReactNode;
  width?: number;
  submitLabel: string;
  disabled?: boolean;
  /** Rejects where the call failed, which has told why: the dialog stays open with what was typed. */
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: (pending: boolean) => ReactNode;
};

/** A form with one button, locked until its call has ended; closes where that was done. */
export function FormDialog({ submitLabel, disabled = false, onSubmit, onClose, children, ...dialog }: Props) {
  const { pending, failed, run } = useMoneyAction();
  const submit = () =>
    run(async () => {
      await onSubmit();
      onClose();
    });
  return (
    <Dialog open {...dialog} onClose={onClose} locked={pending}>
      <Form
        className="flex flex-col gap-4"
        onSubmit={() => {
          if (!disabled && !pending) void submit();
        }}
      >
        {children(pending)}
        <NoAnswer failed={failed} />
        <Button type="submit" size="l" className="w-full" pending={pending} disabled={disabled}>
          {submitLabel}
        </Button>
      </Form>
    </Dialog>
  );
}
