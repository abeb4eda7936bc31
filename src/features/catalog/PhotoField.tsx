import { useWatch, type UseFormReturn } from 'react-hook-form';
import { Button } from '../../ui/Button';
import { LinkField } from '../../ui/presetFields';
import { Stack } from '../../ui/page';
import type { ReviewFields } from './ReviewPreview';

type Props = { form: UseFormReturn<ReviewFields>; initials: string };

/** Begins with the path of a picture of the customer's initials, so that a review needs no link. */
export function PhotoField({ form, initials }: Props) {
  const img = useWatch({ control: form.control, name: 'img' });
  const restore = () => {
    form.setValue('img', initials, { shouldDirty: true, shouldValidate: true });
    form.setFocus('img');
  };
  return (
    <Stack $gap={2}>
      <LinkField
        form={form}
        name="img"
        label="Picture link"
        hint="Your initials, or a link to a photo that's already online."
      />
      {img !== initials && (
        <div>
          <Button variant="quiet" onClick={restore}>
            Use my initials
          </Button>
        </div>
      )}
    </Stack>
  );
}
