import type { PlacedOrder, Tool } from '../../contract/entities';
import { authorName } from '../../contract/displayName';
import { formatDollars, formatWithCommas } from '../../contract/formatWithCommas';
import { paymentPath } from '../../contract/orderPaths';
import { NO_EXTRA_CHARGES } from '../../contract/terms';
import { useSession } from '../../session/hooks';
import { Button } from '../../ui/Button';
import { CrateStack } from '../../ui/Crate';
import { Field } from '../../ui/Field';
import { useHydrated } from '../../ui/useHydrated';
import { WaitingBox } from '../../ui/NoticeBox';
import { MutedText } from '../../ui/page';
import { DeliveryFields } from './DeliveryFields';
import { NotForSale } from './NotForSale';
import { OrderNotice } from './OrderNotice';
import { isInRange, totalOf, type PricedStock } from './orderRules';
import { CrateAndTotal, Form, ReadOnlyRow, Total } from './purchaseStyle';
import { QuantityField } from './QuantityField';
import { SavedRequest } from './SavedRequest';
import type { KnownAddress } from './useKnownAddress';
import { usePurchaseForm } from './usePurchaseForm';

const NOT_PRICED = 'Not priced';
const NO_TOTAL = '–';
const NEXT_PAGES = `/dashboard/myorder ${paymentPath('new')}`;

/** If an order could not be priced, the server named the largest quantity that can be ordered. */
function stockFor(tool: Tool, price: number, unpriced: PlacedOrder['unpriced']): PricedStock {
  const isOffer = unpriced && unpriced.max >= unpriced.min;
  const { minimumOrderQuantity, availableQuantity: left } = tool;
  return { price, minimumOrderQuantity, availableQuantity: isOffer ? Math.min(unpriced.max, left) : left };
}

function ReadOnlyFields({ tool }: { tool: Tool }) {
  const session = useSession();
  return (
    <ReadOnlyRow>
      <Field label="Name" name="name" value={authorName(session)} readOnly />
      <Field label="Email" name="email" type="email" value={session.email} readOnly />
      <Field label="Product name" name="productName" value={tool.name} readOnly />
    </ReadOnlyRow>
  );
}

type Props = { tool: Tool; known: KnownAddress };

export function PurchaseForm({ tool, known }: Props) {
  const { form, quantity, price, outcome, saved, busy, isResuming, submit } = usePurchaseForm(tool, known);
  const stock = stockFor(tool, price, saved?.unpriced);
  const canBePaid = isInRange(stock, quantity);
  const isUnpriced = !canBePaid && !Number.isNaN(quantity);
  const withoutPrice = isUnpriced ? NOT_PRICED : NO_TOTAL;
  const isHydrated = useHydrated();
  const label = outcome?.newPrice === undefined ? 'Place order' : `Order at ${formatDollars(price)} each`;
  const fieldError = form.formState.errors.root?.message;

  if (tool.onSale === false) return <NotForSale takesFocus={outcome !== undefined || saved !== undefined} />;
  if (isResuming)
    return (
      <WaitingBox role="status">You sent this order before. We&apos;re finding out whether it arrived…</WaitingBox>
    );
  return (
    <Form method="post" noValidate onSubmit={submit} aria-label={`Order ${tool.name}`} data-next={NEXT_PAGES}>
      <ReadOnlyFields tool={tool} />
      <QuantityField stock={stock} form={form} />
      {saved ? (
        <SavedRequest order={saved} />
      ) : (
        <>
          <CrateAndTotal>
            <CrateStack
              crates={(quantity || 0) / tool.minimumOrderQuantity}
              pieces={Number.isNaN(quantity) ? '' : formatWithCommas(quantity)}
            />
            <Total>
              <span>Total {canBePaid && <small>{NO_EXTRA_CHARGES}</small>}</span>{' '}
              <output aria-label="Total">{canBePaid ? formatDollars(totalOf(price, quantity)) : withoutPrice}</output>
            </Total>
          </CrateAndTotal>
          <DeliveryFields form={form} profile={known.profile} choices={known.choices} />
          {outcome ? <OrderNotice {...outcome} /> : fieldError && <OrderNotice sentence={fieldError} />}
          <Button type="submit" wide busy={busy} disabled={!isHydrated} variant={canBePaid ? 'primary' : 'quiet'}>
            {isUnpriced ? 'Ask us for a price' : label}
          </Button>
          <MutedText>
            {isUnpriced
              ? "You pay nothing now. If we can offer you a price, it's in My Orders."
              : 'Next, you pay in My Orders. We hold the tools meanwhile.'}
          </MutedText>
        </>
      )}
    </Form>
  );
}
