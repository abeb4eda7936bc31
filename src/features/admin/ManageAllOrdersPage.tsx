import { useCountOrdersQuery } from '../../api/apiSlice';
import { Head } from '../../ui/Head';
import { PageTitle, Stack } from '../../ui/page';
import { QueryView } from '../../ui/QueryView';

const line = (count: number) =>
  `${count} ${count === 1 ? 'order' : 'orders'} so far. Managing them here is not open yet.`;

export default function ManageAllOrdersPage() {
  const count = useCountOrdersQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <Stack $gap={6}>
      <Head title="Manage All Orders" description="All orders." path="/dashboard/manageallorders" noindex />
      <PageTitle>Manage All Orders</PageTitle>
      <QueryView query={count}>{(orders) => <p>{line(orders)}</p>}</QueryView>
    </Stack>
  );
}
