import type { Order, Problem } from '../../contract/entities';
import { grouped } from '../../contract/numbers';
import { ButtonLink } from '../../ui/Button';
import { Card, ErrorText, Stack } from '../../ui/page';
import { DeleteOrder } from './DeleteOrder';
import { Actions } from './paymentStyle';
import { Summary } from './Summary';

/** Said before any card is asked for. */
export function OutOfStock({ order, problem }: { order: Order; problem: Problem }) {
  const min = Number(problem.meta?.['min']);
  const available = Number(problem.meta?.['available']);
  return (
    <Card>
      <Stack $gap={6}>
        <Summary order={order} />
        <ErrorText>{problem.detail}</ErrorText>
        <Actions>
          {available >= min && (
            <ButtonLink to={`/purchase/${order.toolId}?quantity=${available}`}>
              Order {grouped(available)} instead
            </ButtonLink>
          )}
          <DeleteOrder order={order} />
        </Actions>
      </Stack>
    </Card>
  );
}
