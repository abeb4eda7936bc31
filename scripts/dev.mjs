import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { copyPublicFolder, invalidateBuild, loadWebpackConfig } from './build.mjs';
import { installForDevelopment, root } from './install.mjs';
import { stopWithNpm } from './stopWithNpm.mjs';

await installForDevelopment();
invalidateBuild();
copyPublicFolder();

const require = createRequire(import.meta.url);
const webpack = require('webpack');
const DevServer = require('webpack-dev-server');
const RefreshPlugin = require('@pmmmwh/react-refresh-webpack-plugin');
const { default: createRefreshTransformer } = require('react-refresh-typescript');
const port = Number(process.env.PORT ?? 3000);
const internalServer = { port: port + 1, origin: `http://127.0.0.1:${port + 1}` };
const [browserConfig, ...serverConfigs] = loadWebpackConfig('development');

/** React Fast Refresh: an edited component is replaced in the open page, which keeps what was typed. */
const [{ options, ...typescript }, ...otherRules] = browserConfig.module.rules;
const getCustomTransformers = () => ({
  before: [createRefreshTransformer(), ...options.getCustomTransformers().before],
});
browserConfig.module.rules = [{ ...typescript, options: { ...options, getCustomTransformers } }, ...otherRules];
browserConfig.plugins.push(new RefreshPlugin({ overlay: false }));

let server;
let isStopping = false;
const isRunning = () => server !== undefined && server.exitCode === null && server.signalCode === null;

async function stopServer() {
  if (!isRunning()) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}

/**
 * Stops the server, which also stops its database, and starts a new one. Returns when the new server answers or has
 * exited.
 */
async function restart() {
  await stopServer();
  if (isStopping) return;
  const env = {
    ...process.env,
    PORT: String(internalServer.port),
    PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
    NODE_ENV: 'development',
  };
  server = spawn(process.execPath, [join(root, 'dist/server/index.js')], { cwd: root, stdio: 'inherit', env });
  while (isRunning()) {
    const response = await fetch(`${internalServer.origin}/healthz`).catch(() => undefined);
    if (response?.ok) return;
    await setTimeout(50);
  }
}

/** Holds requests until the new server is ready, so that a reloaded page comes from it. */
let serverReady;
let resolveReady;
const holdRequests = () => (serverReady ??= new Promise((resolve) => (resolveReady = resolve)));
function releaseRequests() {
  resolveReady?.();
  serverReady = undefined;
}
holdRequests();

const browserCompiler = webpack(browserConfig);
const serverCompiler = webpack(serverConfigs);
const browserBuilt = new Promise((resolve) => browserCompiler.hooks.done.tap('dev', resolve));

let runningHash;
let lastRestart = Promise.resolve();
async function restartOnNewBuild(stats) {
  if (stats.hasErrors()) process.stderr.write(`${stats.toString('errors-only')}\n`);
  else if (stats.hash !== runningHash) {
    await browserBuilt;
    runningHash = stats.hash;
    await restart();
  }
}
let latestStats;
serverCompiler.hooks.invalid.tap('dev', holdRequests);
serverCompiler.hooks.done.tap('dev', (stats) => {
  latestStats = stats;
  lastRestart = lastRestart.then(() => restartOnNewBuild(stats)).then(() => stats === latestStats && releaseRequests());
});

/** Counts edits of files that webpack does not watch. They are copied, or the server reads them when it starts. */
let editCount = 0;
async function handleEdit() {
  const edit = ++editCount;
  holdRequests();
  await setTimeout(200);
  if (edit !== editCount) return;
  copyPublicFolder();
  lastRestart = lastRestart.then(restart).then(() => edit === editCount && releaseRequests());
}
for (const folder of ['public', 'embedded/firebase-auth/pages'])
  watch(join(root, folder), { recursive: true }, () => void handleEdit());

const isServerPath = (path) => !path.startsWith('/ws') && !path.startsWith('/assets/');
const waitForServer = async (request, _reply, next) => {
  if (isServerPath(request.url)) await serverReady;
  next();
};
const devServer = new DevServer(
  {
    port,
    host: process.env.HOST ?? '127.0.0.1',
    static: false,
    hot: true,
    setupExitSignals: false,
    devMiddleware: { publicPath: '/assets/', writeToDisk: true },
    setupMiddlewares: (middlewares) => [waitForServer, ...middlewares],
    proxy: [
      {
        context: isServerPath,
        target: internalServer.origin,
        xfwd: false,
      },
    ],
    client: { webSocketURL: 'auto://0.0.0.0:0/ws', overlay: { errors: true, warnings: false } },
  },
  browserCompiler,
);

async function stop() {
  if (isStopping) return;
  isStopping = true;
  await stopServer();
  process.exit(server?.exitCode ?? 0);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
stopWithNpm(stop);

serverCompiler.watch({ aggregateTimeout: 200 }, (error) => error && process.stderr.write(`${error}\n`));
await devServer.start();
