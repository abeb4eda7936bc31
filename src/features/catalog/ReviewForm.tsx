import { useAddReviewMutation } from '../../api/apiSlice';
import { useSession } from '../../session/hooks';
import { useSubmitForm } from '../../forms/useSubmitForm';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { initialsPath } from '../../contract/initials';
import { authorName } from '../../contract/displayName';
import { Form } from '../../ui/Form';
import { parseWholeNumber } from '../../ui/fieldRules';
import { FormWithAside } from '../../ui/formStyle';
import { DescriptionField } from '../../ui/presetFields';
import { PhotoField } from './PhotoField';
import { RatingField } from './RatingField';
import { ReviewPreview } from './ReviewPreview';

export function ReviewForm() {
  const [addReview] = useAddReviewMutation();
  const name = authorName(useSession());
  const blank = { description: '', ratings: '', img: initialsPath(name) };
  const { form, busy, error, submit } = useSubmitForm({
    defaults: blank,
    draft: 'review',
    success: SPEC_MESSAGES.reviewSaved,
    send: async ({ description, ratings, img }) => {
      await addReview({
        name,
        description: description.trim(),
        ratings: parseWholeNumber(ratings),
        img: img.trim(),
      }).unwrap();
      return { reset: blank };
    },
  });

  return (
    <FormWithAside>
      <Form label="Add review" action="Add review" busy={busy} error={error} onSubmit={submit}>
        <DescriptionField form={form} name="description" rows={5} />
        <RatingField form={form} />
        <PhotoField form={form} initials={blank.img} />
      </Form>
      <ReviewPreview control={form.control} />
    </FormWithAside>
  );
}
