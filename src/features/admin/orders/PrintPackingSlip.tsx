import { useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import styled, { createGlobalStyle } from 'styled-components';
import { CONTACT } from '../../../contract/contact';
import type { Order } from '../../../contract/entities';
import { formatWithCommas } from '../../../contract/formatWithCommas';
import { orderNumber } from '../../../contract/orderNumber';
import { SHOP_NAME } from '../../../contract/shopName';
import { Button } from '../../../ui/Button';
import { Fact, Facts, TimeFact } from '../../../ui/Facts';
import { color, lineLength, size, space } from '../../../ui/theme';
import { customerNameOf } from './orderMessages';

/** When printing, hides the application, so that only the packing slip is printed. */
const PrintOnlySlip = createGlobalStyle`
  @media print { #root { display: none; } }
`;

const Slip = styled.article`
  display: none;
  @media print {
    display: grid;
    gap: ${space(6)};
    max-width: ${lineLength};
    color: ${color.ink};
  }
`;

const Title = styled.h1`
  font-size: ${size.title};
`;

const StrongValue = styled.dd`
  font-size: ${size.lead};
  font-weight: 600;
`;

/** The slip shows no prices, because the parcel may be a gift or go to a warehouse. */
function SlipContent({ order }: { order: Order }) {
  return (
    <Slip aria-label="Packing slip">
      <div>
        <Title>{SHOP_NAME} packing slip</Title>
        <p>
          {CONTACT.street}, {CONTACT.town} · {CONTACT.phone} · {CONTACT.email}
        </p>
      </div>
      <Facts $labelWidth="7rem">
        <div>
          <dt>Deliver to</dt>
          <StrongValue dir="auto">
            {customerNameOf(order)}
            {'\n'}
            {order.address}
          </StrongValue>
        </div>
        <Fact label="Phone">{order.phone}</Fact>
        <div>
          <dt>Product</dt>
          <StrongValue dir="auto">{order.productName}</StrongValue>
        </div>
        <div>
          <dt>Quantity</dt>
          <StrongValue>{formatWithCommas(order.totalQuantity)}</StrongValue>
        </div>
        <div>
          <dt>Order number</dt>
          <StrongValue>{orderNumber(order._id)}</StrongValue>
        </div>
        {order.reference && <Fact label="Your reference">{order.reference}</Fact>}
        {order.invoice && <Fact label="Invoice">{order.invoice}</Fact>}
        <Fact label="Order ID">{order._id}</Fact>
        <TimeFact label="Ordered" at={order.placedAt} />
      </Facts>
    </Slip>
  );
}

/**
 * Prints the order's packing slip. The slip stays in the page until `afterprint`, because some browsers print only
 * after `print` has returned.
 */
export function PrintPackingSlip({ order }: { order: Order }) {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const finish = () => setPrinting(false);
    window.addEventListener('afterprint', finish);
    return () => window.removeEventListener('afterprint', finish);
  }, []);
  const print = () => {
    flushSync(() => setPrinting(true));
    window.print();
  };
  return (
    <>
      <Button variant="quiet" onClick={print}>
        Print packing slip
      </Button>
      {isPrinting &&
        createPortal(
          <>
            <PrintOnlySlip />
            <SlipContent order={order} />
          </>,
          document.body,
        )}
    </>
  );
}
