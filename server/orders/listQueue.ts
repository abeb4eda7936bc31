import type { FastifyReply } from 'fastify';
import { rateLimited } from '../http/problems';

/** More lists than a user's open tabs request at the same time, for example when the device is online again. */
const MAX_WAITING = 20;
const RETRY_AFTER_SECONDS = 5;

type StartTurn = () => void;

const waitForResponseEnd = ({ raw }: FastifyReply) =>
  new Promise<void>((resolve) => (raw.destroyed ? resolve() : raw.once('close', resolve)));

/**
 * Serves each user's lists one after the other. Serializing a long list blocks this process, so a user who requests
 * many lists at once would slow down everyone else.
 */
export function createListQueue() {
  const waiting = new Map<string, StartTurn[]>();

  function startNext(userId: string, queue: StartTurn[]): void {
    const startTurn = queue.shift();
    if (startTurn) startTurn();
    else waiting.delete(userId);
  }

  /** @returns false if the customer disconnected while waiting */
  return async function waitForTurn(userId: string, reply: FastifyReply): Promise<boolean> {
    const ended = waitForResponseEnd(reply);
    const queue = waiting.get(userId);
    if (queue) {
      if (queue.length >= MAX_WAITING) throw rateLimited(RETRY_AFTER_SECONDS);
      const isDisconnected = await new Promise<boolean>((resolve) => {
        const startTurn = () => resolve(false);
        queue.push(startTurn);
        void ended.then(() => {
          if (queue.includes(startTurn)) queue.splice(queue.indexOf(startTurn), 1);
          resolve(true);
        });
      });
      if (isDisconnected) return false;
    } else waiting.set(userId, []);
    void ended.then(() => startNext(userId, waiting.get(userId)!));
    return !reply.raw.destroyed;
  };
}
