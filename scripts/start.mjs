import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildIfStale } from './build.mjs';
import { installShop, root } from './install.mjs';
import { stopWithNpm } from './stopWithNpm.mjs';

await installShop();
await buildIfStale();

const server = spawn(process.execPath, [join(root, 'dist/server/index.js')], { stdio: 'inherit', cwd: root });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
stopWithNpm(() => server.kill('SIGTERM'));
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
