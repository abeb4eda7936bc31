import { WORDS } from '../../contract/messages';
import { ErrorText } from '../../ui/page';
import type { Outcome } from './usePurchaseForm';

type Props = { outcome: Outcome; rootError?: string };

/** What became of the last try: one place under the form. */
export function PurchaseNotice({ outcome, rootError }: Props) {
  if (rootError) return <ErrorText>{rootError}</ErrorText>;
  if (!outcome) return null;
  if ('noAnswer' in outcome) return <ErrorText>{WORDS.orderUnanswered}</ErrorText>;
  if ('newPrice' in outcome) return <ErrorText>{`The price is now $ ${outcome.newPrice} a piece.`}</ErrorText>;
  return <ErrorText>{outcome.whyUnpriced}</ErrorText>;
}
