import { useController, type UseFormReturn } from 'react-hook-form';
import { useAddReviewMutation } from '../../api/apiSlice';
import { useSession } from '../../session/hooks';
import { useSubmitForm } from '../../forms/useSubmitForm';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { initialsPath } from '../../contract/initials';
import { authorName } from '../../contract/displayName';
import { Field } from '../../ui/Field';
import { Select } from '../../ui/fieldStyle';
import { Form } from '../../ui/Form';
import { parseWholeNumber } from '../../ui/fieldRules';
import { FormWithAside } from '../../ui/formStyle';
import { DescriptionField } from '../../ui/presetFields';
import { PhotoField } from './PhotoField';
import { RatingField } from './RatingField';
import { ReviewPreview, type ReviewFields } from './ReviewPreview';
import { useBoughtTools, type BoughtTool } from './useBoughtTools';

type ToolFieldProps = { form: UseFormReturn<ReviewFields>; bought: BoughtTool[] };

function ToolField({ form, bought }: ToolFieldProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'toolId' });
  return (
    <Field label="About" hint="A tool that you bought, if the review is about one." error={fieldState.error?.message}>
      {(control) => (
        <Select {...control} {...field}>
          <option value="">No tool in particular</option>
          {bought.map(({ toolId, toolName }) => (
            <option key={toolId} value={toolId}>
              {toolName}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

export function ReviewForm() {
  const [addReview] = useAddReviewMutation();
  const name = authorName(useSession());
  const bought = useBoughtTools();
  const blank = { description: '', ratings: '', img: initialsPath(name), toolId: '' };
  const { form, busy, error, submit } = useSubmitForm({
    defaults: blank,
    draft: 'review',
    success: SPEC_MESSAGES.reviewSaved,
    send: async ({ description, ratings, img, toolId }) => {
      await addReview({
        name,
        description: description.trim(),
        ratings: parseWholeNumber(ratings),
        img: img.trim(),
        ...(toolId && { toolId }),
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
        {bought.length > 0 && <ToolField form={form} bought={bought} />}
      </Form>
      <ReviewPreview control={form.control} bought={bought} />
    </FormWithAside>
  );
}
