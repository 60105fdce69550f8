// The installed app: new versions.
export default {
  newVersion: 'A new version is available',
  reload: 'Reload',
} as const;
