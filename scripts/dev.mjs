import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { copyPublic, forgetBuild, webpackConfig } from './build.mjs';
import { installForWriting, root } from './install.mjs';

await installForWriting();
forgetBuild();
copyPublic();

const require = createRequire(import.meta.url);
const webpack = require('webpack');
const DevServer = require('webpack-dev-server');
const port = Number(process.env.PORT ?? 3000);
const inner = { port: port + 1, origin: `http://127.0.0.1:${port + 1}` };
const [browser, ...behind] = webpackConfig('development');

let server;
let stopping = false;
const isUp = () => server !== undefined && server.exitCode === null && server.signalCode === null;

async function end() {
  if (!isUp()) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}

/** The server again, once the one before has stopped its database; over when it answers, or has ended. */
async function restart() {
  await end();
  if (stopping) return;
  const env = {
    ...process.env,
    PORT: String(inner.port),
    PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
    NODE_ENV: 'development',
  };
  server = spawn(process.execPath, [join(root, 'dist/server/index.js')], { cwd: root, stdio: 'inherit', env });
  while (isUp()) {
    const answer = await fetch(`${inner.origin}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await setTimeout(50);
  }
}

/** Requests wait while the server is made or started again, so that a page that reloads meets the new one. */
let ready;
let letThrough;
const hold = () => (ready ??= new Promise((resolve) => (letThrough = resolve)));
function release() {
  letThrough?.();
  ready = undefined;
}
hold();

const pages = webpack(browser);
const rest = webpack(behind);
const pagesBuilt = new Promise((resolve) => pages.hooks.done.tap('dev', resolve));

let running;
let work = Promise.resolve();
async function takeOver(stats) {
  if (stats.hasErrors()) process.stderr.write(`${stats.toString('errors-only')}\n`);
  else if (stats.hash !== running) {
    await pagesBuilt;
    running = stats.hash;
    await restart();
  }
}
let latest;
rest.hooks.invalid.tap('dev', hold);
rest.hooks.done.tap('dev', (stats) => {
  latest = stats;
  work = work.then(() => takeOver(stats)).then(() => stats === latest && release());
});

/** What no bundle has: it is copied, or read by the server when it starts. */
let edits = 0;
async function edited() {
  const edit = ++edits;
  hold();
  await setTimeout(200);
  if (edit !== edits) return;
  copyPublic();
  work = work.then(restart).then(() => edit === edits && release());
}
for (const folder of ['public', 'embedded/firebase-auth/google'])
  watch(join(root, folder), { recursive: true }, () => void edited());

const forServer = (path) => !path.startsWith('/ws') && !path.startsWith('/assets/');
const holding = async (request, _reply, next) => {
  if (forServer(request.url)) await ready;
  next();
};
const dev = new DevServer(
  {
    port,
    host: process.env.HOST ?? '127.0.0.1',
    static: false,
    hot: true,
    setupExitSignals: false,
    devMiddleware: { publicPath: '/assets/', writeToDisk: true },
    setupMiddlewares: (middlewares) => [holding, ...middlewares],
    proxy: [
      {
        context: forServer,
        target: inner.origin,
        xfwd: false,
      },
    ],
    client: { webSocketURL: 'auto://0.0.0.0:0/ws', overlay: { errors: true, warnings: false } },
  },
  pages,
);

async function stop() {
  if (stopping) return;
  stopping = true;
  await end();
  process.exit(server?.exitCode ?? 0);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);

rest.watch({ aggregateTimeout: 200 }, (error) => error && process.stderr.write(`${error}\n`));
await dev.start();
