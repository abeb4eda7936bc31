import { Head } from '../../ui/Head';
import { PageTitle, Stack } from '../../ui/page';
import { ReviewForm } from './ReviewForm';

export default function AddReviewPage() {
  return (
    <Stack $gap={6}>
      <Head title="Add review" description="Tell us how our tools work for you." path="/dashboard/addreview" noindex />
      <PageTitle>Add review</PageTitle>
      <ReviewForm />
    </Stack>
  );
}
