import type { ReactNode } from 'react';
import { useMoneyAction } from '../data/use-money-action.ts';
import { useT } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import type { ButtonTone } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { NoAnswer } from './no-answer.tsx';

/** Asks before something that cannot be taken back. Stays open, locked, until the action has ended. */
export function ConfirmDialog({
  open,
  title,
  text,
  confirmLabel,
  cancelLabel,
  tone = 'accent',
  disabled = false,
  onConfirm,
  onClose,
  children,
}: {
  open: boolean;
  title: ReactNode;
  text?: ReactNode;
  confirmLabel?: string;
  cancelLabel?: string;
  tone?: ButtonTone;
  /** What would be confirmed is not known yet. */
  disabled?: boolean;
  /** May take its time; a rejection keeps the dialog open, so that the user can try again. */
  onConfirm: () => Promise<void> | void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const t = useT();
  const { pending, failed, run } = useMoneyAction();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={text}
      locked={pending}
      footer={
        <>
          <Button tone="ghost" disabled={pending} onClick={onClose}>
            {cancelLabel ?? t('ui.cancel')}
          </Button>
          <Button tone={tone} pending={pending} disabled={disabled} onClick={() => void run(async () => onConfirm())}>
            {confirmLabel ?? t('ui.confirm')}
          </Button>
        </>
      }
    >
      {children}
      <NoAnswer failed={failed} />
    </Dialog>
  );
}
