import type { FastifyReply } from 'fastify';
import { rateLimited } from '../http/problems';

/** More than the open tabs of one person, which all refetch when the connection returns. */
const MAX_WAITING = 20;
const RETRY_AFTER_SECONDS = 5;

type StartTurn = () => void;

/** Resolves when the response was sent or its connection was closed. */
const waitForEnd = ({ raw }: FastifyReply) =>
  new Promise<void>((resolve) => (raw.destroyed ? resolve() : raw.once('close', resolve)));

/**
 * Serves one list at a time to each person, in this process. Serializing a long list takes processor time from all other
 * requests, so the next list of the same person waits until the previous response has ended.
 */
export function createListQueue() {
  const waiting = new Map<string, StartTurn[]>();

  function startNext(userId: string, queue: StartTurn[]): void {
    const startTurn = queue.shift();
    if (startTurn) startTurn();
    else waiting.delete(userId);
  }

  /** @returns false when the customer disconnected before it was their turn */
  return async function waitForTurn(userId: string, reply: FastifyReply): Promise<boolean> {
    const ended = waitForEnd(reply);
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
