import { randomUUID } from 'node:crypto';
import { LostResponse } from './client.mjs';
import { retryUntilAnswered } from './verifyOrders.mjs';

const ROWS = 500;
const FIRST_STOCK = 1_000;

/** Imports a spreadsheet of 500 tools again and again. Each import changes all descriptions, and adds a piece of each. */
export async function createToolImporter(client, token) {
  const name = `Imported ${randomUUID()}`;
  let round = 0;
  let unanswered;

  const post = (sheet, key) =>
    client.exchange('POST', '/tool/import', sheet, {
      authorization: `Bearer ${token}`,
      'content-type': 'text/csv',
      'content-length': Buffer.byteLength(sheet),
      'idempotency-key': key,
    });
  const expectDone = ({ status, text }) => {
    if (status !== 200) throw new Error(`The import answers ${status}: ${text.slice(0, 300)}`);
  };
  const listTools = async () => {
    const { body } = await retryUntilAnswered(() => client.send('GET', '/tool'));
    return body.filter((tool) => tool.name.startsWith(name));
  };

  const drafts = Array.from(
    { length: ROWS },
    (_, n) => `${name} ${n},7,1,${FIRST_STOCK},round 0,/images/placeholder.svg`,
  );
  const header = 'name,price,minimumOrderQuantity,availableQuantity,description,img';
  expectDone(await post([header, ...drafts].join('\n'), randomUUID()));
  const ids = (await listTools()).map(({ _id }) => _id);

  function nextImport() {
    round++;
    const rows = ids.map((id) => `${id},round ${round},1,0`);
    return { sheet: ['_id,description,availableQuantity,knownQuantity', ...rows].join('\n'), key: randomUUID() };
  }

  return {
    /** Imports one sheet after the other, until the server is killed. */
    async importUntilKilled() {
      for (;;) {
        unanswered = nextImport();
        try {
          expectDone(await post(unanswered.sheet, unanswered.key));
        } catch (error) {
          if (error instanceof LostResponse) return;
          throw error;
        }
      }
    },
    /** @returns how the tools differ from what all or nothing of the last import left, before and after it is sent again */
    async verify() {
      const before = new Set((await listTools()).map(describe));
      const isWhole =
        before.size === 1 && [describeRound(round - 1), describeRound(round)].some((text) => before.has(text));
      expectDone(await retryUntilAnswered(() => post(unanswered.sheet, unanswered.key)));
      const after = new Set((await listTools()).map(describe));
      const isDone = after.size === 1 && after.has(describeRound(round));
      return [
        ...(isWhole ? [] : [`after the kill in import ${round}: ${[...before].join(' and ')}`]),
        ...(isDone ? [] : [`after import ${round} was sent again: ${[...after].join(' and ')}`]),
      ];
    },
  };
}

const describe = ({ description, availableQuantity }) => `${description}, ${availableQuantity} pieces`;
const describeRound = (round) => `round ${round}, ${FIRST_STOCK + round} pieces`;
