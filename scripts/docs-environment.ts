import { root } from './bootstrap.mjs';
import { writeEnvironmentTable } from './environment-table.ts';

writeEnvironmentTable(root);
