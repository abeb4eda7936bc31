import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTHeaderParameters } from 'jose';
import { freePort } from './server';
import { waitUntil } from './wait';

export const PROJECT = 'forgeline-test';
export const ISSUER = `https://securetoken.google.com/${PROJECT}`;

export interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

export async function createSigningKey(kid: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

type Claims = Record<string, unknown>;

/** @returns the claims of a Google ID token. A change to `undefined` removes the claim. */
export function claimsOf(email: string, now: Date, changes: Claims = {}): Claims {
  const seconds = Math.floor(now.getTime() / 1000);
  return {
    iss: ISSUER,
    aud: PROJECT,
    sub: `uid-of-${email}`,
    user_id: `uid-of-${email}`,
    auth_time: seconds - 5,
    iat: seconds - 5,
    exp: seconds + 3595,
    email,
    email_verified: false,
    name: 'Ann Lee',
    firebase: { identities: { email: [email] }, sign_in_provider: 'password' },
    ...changes,
  };
}

/** The claims by which a token of a Google user differs from one of a user with a password. */
export const googleClaimsOf = (email: string): Claims => ({
  email_verified: true,
  firebase: { identities: { email: [email], 'google.com': ['1'] }, sign_in_provider: 'google.com' },
});

export function signToken(claims: Claims, { kid, privateKey }: SigningKey, header: Partial<JWTHeaderParameters> = {}) {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT', ...header }).sign(privateKey);
}

export const MINIMAL_ACCOUNT = { users: [{ localId: 'any' }] };

/** Serves Google's key set and account lookup on this machine, with faults that the test sets. */
export async function startGoogle() {
  const key = await createSigningKey('key-1');
  const state = {
    keys: [key],
    maxAgeSeconds: 3600,
    /** How the key server fails. An empty string if it works. */
    fault: '' as '' | 'error' | 'silence' | 'empty' | 'nonsense',
    /** The response of the account lookup. `undefined` closes the connection instead. */
    account: MINIMAL_ACCOUNT as object | undefined,
    keyRequests: 0,
    lookUps: 0,
  };

  function sendKeys(response: ServerResponse) {
    state.keyRequests += 1;
    if (state.fault === 'silence') return;
    if (state.fault === 'error') return response.writeHead(500).end();
    const keys = state.fault === 'empty' ? [] : state.keys.map(({ jwk }) => jwk);
    response.setHeader('cache-control', `public, max-age=${state.maxAgeSeconds}, must-revalidate`);
    return response.end(state.fault === 'nonsense' ? '<html>' : JSON.stringify({ keys }));
  }

  const server = createServer((request, response) => {
    if (request.url === '/keys') return void sendKeys(response);
    state.lookUps += 1;
    if (!state.account) return void request.socket.destroy();
    response.end(JSON.stringify(state.account));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { key, state, stop, endpoints: { keys: `${origin}/keys`, lookUp: `${origin}/lookup` } };
}

export type Google = Awaited<ReturnType<typeof startGoogle>>;

export const FIREBASE_ENV = {
  FIREBASE_API_KEY: 'test-key',
  FIREBASE_AUTH_DOMAIN: `${PROJECT}.firebaseapp.com`,
  FIREBASE_PROJECT_ID: PROJECT,
  FIREBASE_APP_ID: '1:1:web:1',
};

const FIREBASE_CLI = join(__dirname, '../node_modules/firebase-tools/lib/bin/firebase.js');
const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 60_000;

const isReachable = (url: string) =>
  fetch(url)
    .then(({ ok }) => ok)
    .catch(() => false);

async function enableEnumerationProtection(url: string, projectId: string) {
  const target = `${url}/identitytoolkit.googleapis.com/v2/projects/${projectId}/config?updateMask=emailPrivacyConfig`;
  const response = await fetch(target, {
    method: 'PATCH',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify({ emailPrivacyConfig: { enableImprovedEmailPrivacy: true } }),
  });
  if (!response.ok) throw new Error(`the Auth emulator refused its settings: ${response.status}`);
}

type LinkType = 'VERIFY_EMAIL' | 'PASSWORD_RESET';

/** The emulator mails nothing, but lists the links. */
async function findEmulatorLink(url: string, projectId: string, email: string, requestType: LinkType): Promise<URL> {
  const response = await fetch(`${url}/emulator/v1/projects/${projectId}/oobCodes`);
  const { oobCodes } = (await response.json()) as {
    oobCodes: { email: string; requestType: string; oobLink: string }[];
  };
  return new URL(oobCodes.findLast((code) => code.email === email && code.requestType === requestType)!.oobLink);
}

/** Starts Google's Auth emulator with email enumeration protection, as in production. */
export async function startAuthEmulator(projectId: string) {
  const folder = await mkdtemp(join(tmpdir(), 'auth-emulator-'));
  const [auth, hub, logging] = [await freePort(), await freePort(), await freePort()];
  const endpointAt = (port: number) => ({ host: HOST, port });
  const emulators = {
    auth: endpointAt(auth),
    hub: endpointAt(hub),
    logging: endpointAt(logging),
    ui: { enabled: false },
    singleProjectMode: true,
  };
  await writeFile(join(folder, 'firebase.json'), JSON.stringify({ emulators }));
  const args = [FIREBASE_CLI, 'emulators:start', '--only', 'auth', '--project', projectId];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', env: { ...process.env, CI: '1' } });
  const url = `http://${HOST}:${auth}`;
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitUntil(() => isReachable(url), START_TIMEOUT_MS);
    await enableEnumerationProtection(url, projectId);
  } catch (error) {
    await stop();
    throw error;
  }
  const findLink = (email: string, requestType: LinkType) => findEmulatorLink(url, projectId, email, requestType);
  return { url, stop, findLink };
}
