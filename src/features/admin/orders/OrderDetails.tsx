import { useEffect, useRef, useState } from 'react';
import type { Order } from '../../../contract/entities';
import { ErrorText, Stack } from '../../../ui/page';
import { Correction } from './Correction';
import { CorrectShipment } from './CorrectShipment';
import { DeleteUnpaidOrder } from './DeleteUnpaidOrder';
import { OfferPriceForm } from './OfferPriceForm';
import { OrderFacts } from './OrderFacts';
import { canShip, hasOpenOrLostDispute } from './orderStatus';
import { ORDER_MESSAGES } from './orderMessages';
import { detailsId } from './OrderRows';
import { ButtonRow, DetailsBox } from './ordersStyle';
import { PrintPackingSlip } from './PrintPackingSlip';
import { RefundOrder } from './RefundOrder';
import { ShipForm } from './ShipForm';
import type { OrderActionProps } from './useOrderAction';

/**
 * The payment provider can report that a refund failed after it reported a success. The order then stays refunded, but
 * the admin can refund it again.
 */
const canRefund = (order: Order) =>
  (order.paid || order.refundFailed === true) && !order.refundRequested && !hasOpenOrLostDispute(order);

function Actions(props: OrderActionProps) {
  const { order } = props;
  return (
    <>
      {canShip(order) && <ShipForm {...props} />}
      {order.status === 'shipped' && <CorrectShipment {...props} />}
      {order.status === 'unpriced' && <OfferPriceForm {...props} />}
      {order.status === 'unpaid' && order.offered && (
        <Correction label="Correct the price">
          {(close) => <OfferPriceForm {...props} takesFocus onCorrected={close} />}
        </Correction>
      )}
      <ButtonRow>
        {order.paid && <PrintPackingSlip order={order} />}
        {canRefund(order) && <RefundOrder key={order.refundedCents} {...props} />}
        {(order.status === 'unpriced' || order.status === 'unpaid') && <DeleteUnpaidOrder {...props} />}
      </ButtonRow>
    </>
  );
}

/** An object and not a string, so that a conflict with the same text as before counts as a new one. */
interface Conflict {
  text: string;
}

const DELETED: Conflict = { text: ORDER_MESSAGES.wasDeleted };

/** Takes the focus, because the form that had it may have disappeared. */
function ConflictMessage({ conflict }: { conflict: Conflict }) {
  const message = useRef<HTMLParagraphElement>(null);
  useEffect(() => message.current?.focus(), [conflict]);
  return (
    <ErrorText ref={message} tabIndex={-1}>
      {conflict.text}
    </ErrorText>
  );
}

type Props = Omit<OrderActionProps, 'onConflict'> & { isDeleted: boolean };

export function OrderDetails({ order, isDeleted, ...rest }: Props) {
  const [lastConflict, setConflict] = useState<Conflict>();
  const conflict = isDeleted ? DELETED : lastConflict;
  return (
    <DetailsBox id={detailsId(order._id)}>
      <OrderFacts order={order} />
      <Stack $gap={4} style={{ alignContent: 'start' }}>
        {conflict && <ConflictMessage conflict={conflict} />}
        {!isDeleted && <Actions {...rest} order={order} onConflict={(text) => setConflict({ text })} />}
      </Stack>
    </DetailsBox>
  );
}
