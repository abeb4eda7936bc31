import { jwtVerify, UnsecuredJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import type { AskAccount } from './accountStatus';
import { identityIn, issuerOf, SKEW_SECONDS } from './claims';
import type { FindKey } from './googleKeys';
import { IdentityProviderDown, type IdentityVerifier } from './identityProvider';

interface Verifying {
  projectId: string;
  now: () => Date;
  askAccount: AskAccount;
}

const rules = ({ projectId, now }: Verifying) => ({
  issuer: issuerOf(projectId),
  audience: projectId,
  clockTolerance: SKEW_SECONDS,
  currentDate: now(),
  requiredClaims: ['exp'],
});

/** Null for whatever is wrong with a token: who sends one learns nothing of why. */
function orNull(error: unknown): null {
  if (error instanceof IdentityProviderDown) throw error;
  return null;
}

function verifier(how: Verifying, claimsOf: (token: string) => Promise<JWTPayload>): IdentityVerifier {
  return {
    async verify(idToken, admit) {
      const claims = await claimsOf(idToken).catch(orNull);
      const person = claims && identityIn(claims, how.projectId, how.now());
      if (!person) return null;
      await admit?.(person.uid);
      const state = await how.askAccount(person.uid, idToken);
      if (state && !state.alive) return null;
      return { ...person, sessionsEndedAt: state?.sessionsEndedAt ?? null };
    },
  };
}

/** Tokens of Firebase, and of the embedded service that speaks for it: only the keys come from elsewhere. */
export function firebaseVerifier(how: Verifying & { findKey: FindKey }): IdentityVerifier {
  const keyFor = async ({ kid }: JWTHeaderParameters) => {
    const key = typeof kid === 'string' && (await how.findKey(kid));
    if (!key) throw new Error('no such key');
    // As a JWK, which jose imports once and remembers: a forged token must cost little.
    return key;
  };
  return verifier(how, async (token) => {
    const { payload } = await jwtVerify(token, keyFor, { ...rules(how), algorithms: ['RS256'] });
    return payload;
  });
}

/** Google's Auth emulator does not sign its tokens: made only where its address is configured. */
export function emulatorVerifier(how: Verifying): IdentityVerifier {
  return verifier(how, async (token) => UnsecuredJWT.decode(token, rules(how)).payload);
}
