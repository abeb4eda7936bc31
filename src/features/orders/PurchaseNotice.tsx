import type { Tool } from '../../contract/entities';
import { unpricedNotice, WORDS } from '../../contract/messages';
import { ErrorText } from '../../ui/page';
import { fits } from './orderRules';
import type { Outcome } from './purchaseForm';

type Props = { tool: Tool; outcome: Outcome; rootError?: string };

/** What became of the last try: one place under the form. */
export function PurchaseNotice({ tool, outcome, rootError }: Props) {
  if (rootError) return <ErrorText>{rootError}</ErrorText>;
  if (!outcome) return null;
  if ('noAnswer' in outcome) return <ErrorText>{WORDS.orderUnanswered}</ErrorText>;
  if ('newPrice' in outcome) return <ErrorText>{`The price is now $ ${outcome.newPrice} a piece.`}</ErrorText>;
  if (fits(tool, outcome.unpriced.totalQuantity)) return <ErrorText>{WORDS.tooManyUnpaid}</ErrorText>;
  return <ErrorText>{unpricedNotice(tool.minimumOrderQuantity, tool.availableQuantity)}</ErrorText>;
}
