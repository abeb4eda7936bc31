import { createClient } from '../lib/client.mjs';
import { createTempFolder } from '../lib/tempFolder.mjs';
import { runDoctor, createShop } from '../lib/shopProcess.mjs';

const REFUSAL = /^Another server is running on DATA_DIR .*\[exit 1\]$/s;

/** Starts a second server on the same folder. It must exit, and the first must continue. */
export async function secondServer({ report, chooseSize }) {
  const env = { DATA_DIR: `${createTempFolder()}/data` };
  const first = await createShop(env);
  await first.start();
  const rounds = chooseSize(5, 2);
  const messages = [];
  for (let n = 0; n < rounds; n++) {
    const second = await createShop(env);
    messages.push(
      await second.start().then(
        () => 'it started',
        ({ message }) => message,
      ),
    );
  }
  const wrong = messages.filter((message) => !REFUSAL.test(message));
  report.check(
    `message of a second server that is started on the data folder of the first (${rounds} times)`,
    wrong[0] ?? messages[0],
    'a one-sentence error and exit code 1',
    wrong.length === 0,
  );
  const { status } = await createClient(first.origin).send('GET', '/readyz');
  report.check('status of the first server afterwards', status, '200', status === 200);
  await runDoctor(report, first);
}
