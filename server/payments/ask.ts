import { asRefusal } from './paymentProblems';
import { PaymentProviderDown } from './provider';

/** Shorter than what a request may take in all. */
const PATIENCE_MS = 12_000;

function tooLong(ms: number) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PaymentProviderDown('too slow')), ms);
  });
  return { late, stop: () => clearTimeout(timer) };
}

/** The provider's answer, or a refusal in the shop's words. Never to be called inside a transaction. */
export async function ask<T>(call: () => Promise<T>): Promise<T> {
  const { late, stop } = tooLong(PATIENCE_MS);
  try {
    return await Promise.race([call(), late]);
  } catch (error) {
    throw asRefusal(error);
  } finally {
    stop();
  }
}
