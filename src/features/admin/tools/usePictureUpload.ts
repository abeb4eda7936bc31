import { useRef, useState, type ReactNode } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { useAddPictureMutation } from '../../../api/apiSlice';
import { failureOf } from '../../../contract/problem';
import { shownCodeOf, toastTextOf } from '../../../contract/toastText';
import { withCopyDetails } from '../../../ui/CopyDetails';
import { preparePicture } from './preparePicture';

export type WithPicture = FieldValues & { img: string };

/** Uploads one picture at a time, and puts its path into the form's field `img`. */
export function usePictureUpload<T extends WithPicture>({ setValue }: UseFormReturn<T>) {
  const [addPicture] = useAddPictureMutation();
  const [progress, setProgress] = useState('');
  const [error, setError] = useState<ReactNode>('');
  const isWorking = useRef(false);

  const fill = (img: string) =>
    setValue('img' as Path<T>, img as PathValue<T, Path<T>>, { shouldDirty: true, shouldValidate: img !== '' });

  async function upload(file: File) {
    if (isWorking.current) return;
    isWorking.current = true;
    setError('');
    try {
      setProgress('Preparing the picture…');
      const draft = await preparePicture(file);
      setProgress('Uploading the picture…');
      fill((await addPicture(draft).unwrap()).img);
    } catch (failure) {
      if (failureOf(failure).kind !== 'signedOut')
        setError(withCopyDetails(toastTextOf(failure), shownCodeOf(failure)));
    } finally {
      isWorking.current = false;
      setProgress('');
    }
  }
  return { progress, error, upload, fill };
}
