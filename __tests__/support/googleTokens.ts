import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTHeaderParameters } from 'jose';

const PROJECT = 'forgeline-test';

interface SigningKey {
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
    iss: `https://securetoken.google.com/${PROJECT}`,
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

/** Serves Google's key set and account lookup on this machine, with faults that the test sets. */
export async function startGoogle() {
  const key = await createSigningKey('key-1');
  const state = {
    keys: [key],
    maxAgeSeconds: 3600,
    /** How the key server fails. An empty string if it works. */
    fault: '' as '' | 'error' | 'silence' | 'empty' | 'nonsense',
    /** The response of the account lookup. `undefined` closes the connection instead. */
    account: { users: [{ localId: 'any' }] } as object | undefined,
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

export const FIREBASE_ENV = {
  FIREBASE_API_KEY: 'test-key',
  FIREBASE_AUTH_DOMAIN: `${PROJECT}.firebaseapp.com`,
  FIREBASE_PROJECT_ID: PROJECT,
  FIREBASE_APP_ID: '1:1:web:1',
};
