import type { Order, Problem } from '../../contract/entities';
import { ButtonLink } from '../../ui/Button';
import { Card, ErrorText, Stack } from '../../ui/page';
import { DeleteOrder } from './DeleteOrder';
import { Actions } from './paymentStyle';
import { Summary } from './Summary';

export function TooManyDeclines({ order, problem }: { order: Order; problem: Problem }) {
  return (
    <Card>
      <Stack $gap={6}>
        <Summary order={order} />
        <ErrorText>{problem.detail}</ErrorText>
        <Actions>
          <ButtonLink to="/dashboard/myorder" variant="quiet">
            My Orders
          </ButtonLink>
          <DeleteOrder order={order} />
        </Actions>
      </Stack>
    </Card>
  );
}
