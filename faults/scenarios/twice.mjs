import { clientOf } from '../lib/client.mjs';
import { ownFolder } from '../lib/place.mjs';
import { doctor, shopOf } from '../lib/shop.mjs';

const REFUSAL = /^Another server is running on DATA_DIR .*\[exit 1\]$/s;

/** A second server on the same folder, while the first goes on as if nothing had happened. */
export async function twice({ report, size }) {
  const env = { DATA_DIR: `${ownFolder()}/data` };
  const first = await shopOf(env);
  await first.start();
  const rounds = size(5, 2);
  const said = [];
  for (let n = 0; n < rounds; n++) {
    const second = await shopOf(env);
    said.push(
      await second.start().then(
        () => 'it started',
        ({ message }) => message,
      ),
    );
  }
  const wrong = said.filter((sentence) => !REFUSAL.test(sentence));
  report.line(
    `${rounds} second starts on one folder`,
    wrong[0] ?? said[0],
    'a sentence and exit 1',
    wrong.length === 0,
  );
  const { status } = await clientOf(first.origin).send('GET', '/readyz');
  report.line('the first goes on', status, '200', status === 200);
  await doctor(report, first);
}
