import { join } from 'node:path';
import { COMMON_PASSWORD_MESSAGE } from '../../src/contract/identityMessages';
import {
  createFirebaseAuthServer,
  type FirebaseAuth,
  type FirebaseAuthOptions,
  type LinkMail,
} from '../../embedded/firebase-auth';
import { normalizeEmail } from '../auth/emailAddress';
import { logSecurityEvent } from '../auth/securityEvents';
import { endTokensBefore } from '../auth/sessions';
import type { Db } from '../db/database';
import { lockInTransaction } from '../db/locks';
import { networkOf } from '../http/network';
import { statusOfError } from '../http/problems';
import { undoHit, type RateLimit } from '../http/rateLimit';
import { queueLinkMail, type LinkMailKind } from '../mail/outbox';
import { findProjectRoot } from '../projectRoot';

interface FirebaseAuthDependencies extends Pick<FirebaseAuthOptions, 'demo' | 'publicUrl' | 'now' | 'passwordCost'> {
  db: Db;
  limit: RateLimit;
}

const MAIL_KINDS: Record<LinkMail['requestType'], LinkMailKind> = {
  VERIFY_EMAIL: 'verify email',
  PASSWORD_RESET: 'reset password',
};

export function openFirebaseAuth({ db, limit, ...options }: FirebaseAuthDependencies): FirebaseAuth {
  return createFirebaseAuthServer({
    ...options,
    db,
    folder: join(findProjectRoot(), 'embedded/firebase-auth'),
    lockKeys: (tx) => lockInTransaction(tx, 'identity keys'),
    sendMail: (tx, { requestType, email, link, expiresAt }) =>
      queueLinkMail(tx, MAIL_KINDS[requestType], { recipient: email, link, linkExpiresAt: expiresAt }),
    rateLimit: { hit: limit, undo: (buckets) => undoHit(db, buckets) },
    normalizeEmail,
    clientNetwork: networkOf,
    commonPasswordMessage: COMMON_PASSWORD_MESSAGE,
    endAppSessions: endTokensBefore,
    logEvent: logSecurityEvent,
    annotate: (request, facts) => void Object.assign(request, facts),
    statusOfError,
  });
}
