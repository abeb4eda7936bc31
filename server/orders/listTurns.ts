import type { FastifyReply } from 'fastify';
import { rateLimited } from '../http/problems';

/** More than the tabs of one person that refetch at once. */
const MOST_WAITING = 20;
const COME_AGAIN_SECONDS = 5;

type ListTurn = () => void;

/** @returns when this response ends, sent or cut off. */
const ending = ({ raw }: FastifyReply) =>
  new Promise<void>((resolve) => (raw.destroyed ? resolve() : raw.once('close', resolve)));

/**
 * One list at a time for a person, in this process: a long list costs processor time that others wait for. The next
 * request waits until the response before it has ended.
 */
export function listTurns() {
  const waiting = new Map<string, ListTurn[]>();

  function next(userId: string, queue: ListTurn[]): void {
    const turn = queue.shift();
    if (turn) turn();
    else waiting.delete(userId);
  }

  /** @returns false when the customer left before their turn came. */
  return async function takeTurn(userId: string, reply: FastifyReply): Promise<boolean> {
    const ended = ending(reply);
    const queue = waiting.get(userId);
    if (queue) {
      if (queue.length >= MOST_WAITING) throw rateLimited(COME_AGAIN_SECONDS);
      const left = await new Promise<boolean>((resolve) => {
        const turn = () => resolve(false);
        queue.push(turn);
        void ended.then(() => {
          if (queue.includes(turn)) queue.splice(queue.indexOf(turn), 1);
          resolve(true);
        });
      });
      if (left) return false;
    } else waiting.set(userId, []);
    void ended.then(() => next(userId, waiting.get(userId)!));
    return !reply.raw.destroyed;
  };
}
