import { setTimeout as sleep } from 'node:timers/promises';

const AGAIN = [502, 503, 504];
const TRIES = 40;
const PAUSE_MS = 250;

/**
 * Asks again where the answer says so, as the pages do, and also where there was none if servers are killed meanwhile;
 * what stays so is an error. `told.again` counts how often it had to.
 */
export function patient(client, { killed = false } = {}) {
  const told = { again: 0 };
  const send = async (...args) => {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await client.send(...args);
        if (!AGAIN.includes(answer.status) || tries === TRIES) return answer;
      } catch (error) {
        if (!killed || tries === TRIES) throw error;
      }
      told.again++;
      await sleep(PAUSE_MS);
    }
  };
  return { ...client, send, told };
}
