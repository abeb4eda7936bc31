import type { Order, Problem } from '../../contract/entities';
import { Button } from '../../ui/Button';
import { Card, ErrorText, Stack } from '../../ui/page';
import { DeleteOrder } from './DeleteOrder';
import { Actions } from './paymentStyle';
import { Summary } from './Summary';

type Props = { order: Order; problem: Problem; onAccept: (price: number) => void };

/** The order is old and its tool has another price by now: nothing is charged before the customer accepts it. */
export function PriceChanged({ order, problem, onAccept }: Props) {
  const price = Number(problem.meta?.['price']);
  const canBePaid = problem.meta?.['max'] === undefined;
  return (
    <Card>
      <Stack $gap={6}>
        <Summary order={{ ...order, price }} />
        <ErrorText>{problem.detail}</ErrorText>
        <Actions>
          {canBePaid && <Button onClick={() => onAccept(price)}>Pay at ${price.toLocaleString('en-US')} each</Button>}
          <DeleteOrder order={order} />
        </Actions>
      </Stack>
    </Card>
  );
}
