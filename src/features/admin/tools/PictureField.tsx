import { useEffect, useState } from 'react';
import { useWatch, type Control, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';
import { safeHref } from '../../../contract/links';
import { PAGE_MESSAGES } from '../../../contract/pageMessages';
import { LinkField } from '../../../ui/presetFields';
import { useDebouncedValue } from '../../../ui/useDebouncedValue';
import { ToolCard } from '../../catalog/ToolCard';
import { Preview } from '../../../ui/Form';
import { PictureUpload, type Upload } from './PictureUpload';
import { previewOf, type ToolFields } from './toolFields';
import type { WithPicture } from './usePictureUpload';

/**
 * Loads the picture only to find out whether it loads. The preview cannot tell, because it replaces a broken picture
 * with a drawing.
 */
function useIsBroken(link: string): boolean {
  const src = safeHref(useDebouncedValue(link));
  const [brokenSrc, setBrokenSrc] = useState<string>();
  useEffect(() => {
    if (src === null) return undefined;
    const picture = new Image();
    picture.referrerPolicy = 'no-referrer';
    picture.onerror = () => setBrokenSrc(src);
    picture.onload = () => setBrokenSrc(undefined);
    picture.src = src;
    return () => {
      picture.onerror = null;
      picture.onload = null;
    };
  }, [src]);
  return src !== null && src === brokenSrc;
}

export function PictureField<T extends WithPicture>({
  form,
  upload,
  warning,
}: {
  form: UseFormReturn<T>;
  upload: Upload;
  warning?: React.ReactNode;
}) {
  const img = useWatch({ control: form.control, name: 'img' as Path<T> }) as string;
  const isBroken = useIsBroken(img);
  return (
    <PictureUpload img={img} before={form.formState.defaultValues?.['img'] ?? ''} {...upload}>
      <LinkField
        form={form}
        name={'img' as Path<T>}
        label="Picture link"
        warning={warning ?? (isBroken ? PAGE_MESSAGES.pictureBroken : undefined)}
      />
    </PictureUpload>
  );
}

type ToolPreviewProps<T extends FieldValues> = {
  control: Control<T>;
  /** The fields of the previewed tool that this form cannot edit. */
  fixed?: Partial<ToolFields>;
};

export function ToolPreview<T extends FieldValues>({ control, fixed }: ToolPreviewProps<T>) {
  const fields = { ...(useWatch({ control }) as unknown as ToolFields), ...fixed };
  const img = useDebouncedValue(fields.img);
  return (
    <Preview>
      <ToolCard tool={previewOf({ ...fields, img })} />
    </Preview>
  );
}
