import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad } from '../lib/orderLoad.mjs';
import { withRetries } from '../lib/retryingClient.mjs';
import { formatList } from '../lib/report.mjs';
import { openCopies, stopCopies } from '../lib/shopCopies.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';
import { hasSystemPostgres, NEEDS_SYSTEM_POSTGRES, startSystemPostgres } from '../lib/systemPostgres.mjs';
import { onCleanUp } from '../lib/cleanUp.mjs';
import { loadMailServer } from '../../lib/testKit.mjs';

const MODES = [
  'accepts',
  'is down',
  'is slow',
  'does not greet',
  'refuses relaying',
  'defers mail',
  'hangs up in the middle',
  'hangs up after accepting',
];
/** Long enough that the lease of a killed server expires and all queued emails are sent. */
const DRAIN_TIMEOUT_MS = 240_000;

/** Makes all retries due, because the shop would wait up to four hours between them. */
const makeRetriesDue = (postgres) => postgres.sql("update mails set next_try_at = now() where state = 'queued'");

async function breakOnce(mailServer, shop, mode, random) {
  if (mode === 'is down') await mailServer.stop();
  else mailServer.setMode(mode);
  await sleep(random.integer(300, 1_500));
  await shop.stop('SIGKILL');
  if (mode === 'is down') await mailServer.start();
  await shop.start();
}

async function breakUnderLoad(scenario, postgres, mailServer, rounds) {
  const { shops, random, people, tools } = scenario;
  const client = withRetries(scenario.client, { serversAreKilled: true });
  const load = startLoad({ client, people, tools, random, workers: 4, pauseMs: 100 });
  for (let round = 0; round < rounds; round++) {
    await breakOnce(mailServer, shops[round % shops.length], MODES[round % MODES.length], random);
    makeRetriesDue(postgres);
  }
  return load.stop();
}

async function waitUntilSent(postgres) {
  const endAt = Date.now() + DRAIN_TIMEOUT_MS;
  for (; Date.now() < endAt; await sleep(1_000)) {
    if (postgres.sql("select count(*) from mails where state = 'queued'") === '0') return;
    makeRetriesDue(postgres);
  }
}

const EXPECTED_SQL = `
  select 'order-received.' || o.id, u.email, o.state = 'deleted' from orders o join users u on u.id = o.owner_id
  union all
  select 'payment-received.' || o.id, u.email, false
  from payments p join orders o on o.id = p.order_id join users u on u.id = o.owner_id where p.outcome = 'paid'`;

/** @returns a map from the id of each expected email to its address, and to whether it may be missing */
function readExpected(postgres) {
  const rows = postgres.sql(EXPECTED_SQL).split('\n').filter(Boolean);
  return new Map(
    rows.map((row) => row.split('|')).map(([id, email, isDeleted]) => [id, { email, isOptional: isDeleted === 't' }]),
  );
}

function compareEmails(received, expected) {
  const copies = new Map();
  const wrong = [];
  for (const { raw, to } of received) {
    const id = /^Message-ID:\s+<([^@]+)@/im.exec(raw)?.[1];
    copies.set(id, (copies.get(id) ?? 0) + 1);
    if (expected.get(id)?.email !== to.join()) wrong.push(`${id} to ${to}`);
  }
  const missing = [...expected].filter(([id, { isOptional }]) => !isOptional && !copies.has(id)).map(([id]) => id);
  const repeated = [...copies.values()].filter((count) => count > 1).length;
  return { wrong, missing, repeated, distinct: copies.size };
}

/** Kills two servers on one database in turn, while the mail server goes through all `MODES`. */
export async function mail({ report, chooseSize, seed }) {
  if (!hasSystemPostgres()) return report.note(`Not run: ${NEEDS_SYSTEM_POSTGRES}.`);
  const { startMailServer } = await loadMailServer();
  const mailServer = await startMailServer();
  onCleanUp(() => mailServer.stop());
  const postgres = await startSystemPostgres();
  const env = { SMTP_URL: mailServer.url, MAIL_FROM: 'shop@forgeline.example' };
  const scenario = await openCopies(seed, postgres.url, env, 2);
  const rounds = chooseSize(50, 8);
  const { unexpectedResponses } = await breakUnderLoad(scenario, postgres, mailServer, rounds);
  mailServer.setMode('accepts');
  await waitUntilSent(postgres);

  const { wrong, missing, repeated, distinct } = compareEmails(mailServer.received, readExpected(postgres));
  const title = `after killing a server ${rounds} times (of ${distinct} emails)`;
  report.check(
    `unexpected emails, and emails to a wrong address, ${title}`,
    formatList(wrong),
    '0',
    wrong.length === 0,
  );
  report.check('missing emails', formatList(missing), '0', missing.length === 0);
  const unsent = postgres.sql(`
    select count(*) from mails m join orders o on o.id = m.order_id
    where m.state <> 'sent' and not (m.state = 'not sent' and o.state = 'deleted')`);
  report.check('emails that are not recorded as sent', unsent, '0', unsent === '0');
  report.note(`${repeated} emails arrived more than once, with the same Message-ID`);
  report.check('unexpected responses', formatList(unexpectedResponses), '0', unexpectedResponses.length === 0);
  await runDoctor(report, scenario.shops[0]);
  await stopCopies(scenario);
}
