import { join } from 'node:path';
import { COMMON_PASSWORD } from '../../src/contract/identityMessages';
import { firebaseAuthServer, type FirebaseAuth, type FirebaseAuthOptions } from '../../embedded/firebase-auth';
import { normalizeEmail } from '../auth/emailAddress';
import { logSecurityEvent } from '../auth/securityEvents';
import { endTokensBefore } from '../auth/sessions';
import { LOCK } from '../db/advisoryLocks';
import type { Db } from '../db/database';
import { networkOf } from '../http/network';
import { statusOfError } from '../http/problems';
import { undoHit, type RateLimit } from '../http/rateLimit';
import { projectRoot } from '../projectRoot';

interface Identity extends Pick<FirebaseAuthOptions, 'demo' | 'publicUrl' | 'now' | 'passwordCost'> {
  db: Db;
  limit: RateLimit;
}

/** The embedded identity service, with what it needs of the shop. */
export function openFirebaseAuth({ db, limit, ...options }: Identity): FirebaseAuth {
  return firebaseAuthServer({
    ...options,
    db,
    folder: join(projectRoot(), 'embedded/firebase-auth'),
    keyLock: LOCK.identityKeys,
    rateLimit: { hit: limit, undo: (buckets) => undoHit(db, buckets) },
    normalizeEmail,
    clientNetwork: networkOf,
    commonPasswordMessage: COMMON_PASSWORD,
    endAppSessions: endTokensBefore,
    logEvent: logSecurityEvent,
    annotate: (request, facts) => void Object.assign(request, facts),
    statusOfError,
  });
}
