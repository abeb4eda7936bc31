import { useAddToolMutation } from '../../../api/apiSlice';
import { useSubmitForm } from '../../../forms/useSubmitForm';
import { SPEC_MESSAGES } from '../../../contract/specMessages';
import { Form } from '../../../ui/Form';
import { FormWithAside } from '../../../ui/formStyle';
import { DescriptionField, ShortTextField } from '../../../ui/presetFields';
import { NumberFields } from './NumberFields';
import { PictureField, ToolPreview } from './PictureField';
import { BLANK_TOOL, draftOf, SPECIFICATION_HINT } from './toolFields';
import { usePictureUpload } from './usePictureUpload';

export function ToolForm() {
  const [addTool] = useAddToolMutation();
  const { form, busy, error, submit } = useSubmitForm({
    defaults: BLANK_TOOL,
    draft: 'product',
    success: SPEC_MESSAGES.toolAdded,
    send: async (fields) => {
      await addTool(draftOf(fields)).unwrap();
      return { reset: BLANK_TOOL };
    },
  });
  const upload = usePictureUpload(form);

  return (
    <FormWithAside>
      <Form
        label="Add Product"
        action="Add Product"
        busy={busy || upload.progress !== ''}
        error={error}
        onSubmit={submit}
      >
        <ShortTextField form={form} name="name" label="Name" />
        <NumberFields form={form} />
        <DescriptionField form={form} name="description" hint={SPECIFICATION_HINT} />
        <PictureField form={form} upload={upload} />
      </Form>
      <ToolPreview control={form.control} />
    </FormWithAside>
  );
}
