// The page after registration, where the key of the new wallet is saved.
export default {
  notOpened:
    'Your account was created, but this browser couldn’t decrypt your private key. You can show it under Account, Security; use another browser if it fails there too.',
  title: 'Your wallet is ready',
  text: 'It is custodial: Hunter keeps the key and signs for you. Save your own copy of the private key now; whoever has it controls the wallet. To see it again you need your password and a code sent by email.',
  address: 'Wallet address',
  privateKey: 'Private key',
  reveal: 'Reveal private key',
  hide: 'Hide private key',
  hidden: 'Hidden. Reveal it only where nobody else can see your screen.',
  copyAddress: 'Copy address',
  copyKey: 'Copy private key',
  keyCopied: 'Private key copied. Clear the clipboard after saving it.',
  download: 'Download as file',
  downloaded: 'Saved as {file}',
  fileAddress: 'Wallet address',
  fileKey: 'Private key (base58)',
  fileWarning: 'Keep this file offline. Whoever reads it can take everything in the wallet.',
  rules: {
    offline: 'Keep it on paper or in a password manager.',
    never: 'Never send it to anyone. Hunter will not ask for it.',
    lost: 'Without it you depend on Hunter for access to your wallet.',
  },
  saved: 'I have saved my private key',
  mustSave: 'Please confirm that you have saved the private key',
  enter: 'Start trading',
  leaveTitle: 'Leave without saving the key?',
  leaveText:
    'Without it, only Hunter can access the wallet. Account > Security shows the key again with your password and a code sent by email.',
  leave: 'Leave anyway',
  stay: 'Stay here',
};
