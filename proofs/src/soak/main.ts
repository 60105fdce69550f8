// `npm run soak -- --minutes N --seed S [--users N] [--kill-every SECONDS] [--keep]`
import { parseArgs } from 'node:util';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    users: { type: 'string', default: '200' },
    'kill-every': { type: 'string', default: '15' },
    keep: { type: 'boolean', default: false },
  },
});
const result = await soak({
  minutes: Number(values.minutes),
  seed: Number(values.seed),
  users: Number(values.users),
  killEveryMs: Number(values['kill-every']) * 1000,
  keep: values.keep,
  say: (line) => process.stdout.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
if (!result.ok) {
  const { minutes, seed, users } = values;
  process.stderr.write(
    `Broken. Replay: npm run soak -- --minutes ${minutes} --seed ${seed} --users ${users} --kill-every ${values['kill-every']} --keep\n`,
  );
}
process.exit(result.ok ? 0 : 1);
