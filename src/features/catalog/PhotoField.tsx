import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useSession } from '../../session/hooks';
import { initialsPath } from '../../contract/initials';
import { authorName } from '../../contract/displayName';
import { Button } from '../../ui/Button';
import { useHydrated } from '../../ui/useHydrated';
import { LinkField } from '../../ui/presetFields';
import { VisuallyHidden, Stack } from '../../ui/page';
import type { ReviewFields } from './ReviewPreview';

/** The reviewer enters a link to a photo, or presses a button that uses a picture of their initials from this site. */
export function PhotoField({ form }: { form: UseFormReturn<ReviewFields> }) {
  const name = authorName(useSession());
  const isHydrated = useHydrated();
  const [isFilled, setFilled] = useState(false);
  const fill = () => {
    form.setValue('img', initialsPath(name), { shouldDirty: true, shouldValidate: true, shouldTouch: true });
    setFilled(true);
  };
  return (
    <Stack $gap={2}>
      <LinkField form={form} name="img" label="Picture link" hint="A link to a picture that's already online." />
      <div>
        <Button variant="quiet" onClick={fill} disabled={!isHydrated}>
          Use my initials
        </Button>
        <VisuallyHidden role="status">{isFilled && 'The picture link now shows your initials.'}</VisuallyHidden>
      </div>
    </Stack>
  );
}
