// The pages that links in security mails lead to.
export default {
  freeze: {
    title: 'Freeze your account?',
    text: 'It ends all sessions, cancels held withdrawals and stops withdrawals and key exports, until you unfreeze it with your password and a code sent by email. Trigger orders that buy and followed wallets are paused until you resume them. Sales and your strategy follows go on.',
    key: 'A freeze does not stop somebody who has your private key. If it has leaked, withdraw everything to another wallet first.',
    submit: 'Freeze account',
    done: 'Your account is frozen',
    doneText:
      'All sessions have ended, nothing can be withdrawn, and trigger orders that buy and followed wallets are paused.',
    unfreeze: 'Unfreeze the account',
    noLink: 'This page needs the link from an email.',
  },
  undo: {
    title: 'Undo a password reset',
    text: 'For 72 hours after a reset by email your old password or a second factor can undo it. All sessions end, and the account stays frozen until you unfreeze it.',
    oldPassword: 'Old password',
    withFactor: 'Use a code of your second factor',
    withPassword: 'Use the old password',
    submit: 'Undo the reset',
    done: 'Your old password is valid again. Unfreeze the account now.',
  },
  cancel: {
    title: 'Cancel this withdrawal?',
    text: 'Nothing has been sent yet. The amount becomes available again.',
    amount: 'Amount',
    to: 'To',
    until: 'Held until',
    submit: 'Cancel withdrawal',
    done: 'Withdrawal canceled',
    doneText: 'If you did not request it, change your password, or freeze the account with the link in the email.',
    over: 'This withdrawal can no longer be canceled.',
  },
};
