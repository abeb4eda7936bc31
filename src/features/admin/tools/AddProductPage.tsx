import { Head } from '../../../ui/Head';
import { PageTitle, Stack } from '../../../ui/page';
import { Header } from './toolRowStyle';
import { ToolForm } from './ToolForm';
import { AllTools } from './AllTools';

export default function AddProductPage() {
  return (
    <Stack $gap={6}>
      <Head title="Add Product" description="Add a tool to the shop." path="/dashboard/addproduct" noindex />
      <Header>
        <PageTitle>Add Product</PageTitle>
        <a href="#all-tools">All tools</a>
      </Header>
      <ToolForm />
      <AllTools />
    </Stack>
  );
}
