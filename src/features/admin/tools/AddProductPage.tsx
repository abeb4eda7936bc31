import { Head } from '../../../ui/Head';
import { PageTitle, Stack } from '../../../ui/page';
import { ToolForm } from './ToolForm';
import { AllTools } from './AllTools';

export default function AddProductPage() {
  return (
    <Stack $gap={6}>
      <Head title="Add Product" description="Add a tool to the shop." path="/dashboard/addproduct" noindex />
      <PageTitle>Add Product</PageTitle>
      <ToolForm />
      <AllTools />
    </Stack>
  );
}
