import { useCountOrdersQuery } from '../../api/apiSlice';
import { Head } from '../../ui/Head';
import { PageTitle, Stack } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';

const countSentence = (count: number) =>
  `${count} ${count === 1 ? 'order' : 'orders'} so far. Order management isn't available yet.`;

export default function ManageAllOrdersPage() {
  const count = useCountOrdersQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <Stack $gap={6}>
      <Head
        title="Manage All Orders"
        description="How many orders the shop has."
        path="/dashboard/manageallorders"
        noindex
      />
      <PageTitle>Manage All Orders</PageTitle>
      <QueryView query={count}>{(orders) => <p>{countSentence(orders)}</p>}</QueryView>
    </Stack>
  );
}
