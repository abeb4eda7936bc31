import { useAddToolMutation } from '../../api/apiSlice';
import { useDraftForm } from '../../forms/useSubmitForm';
import { TEXT } from '../../contract/limits';
import { textRules } from '../../ui/fieldRules';
import { Form } from '../../ui/Form';
import { FormField } from '../../ui/FormField';
import { WithPreview } from '../../ui/formStyle';
import { DescriptionField, LinkField } from '../../ui/knownFields';
import { NumberFields } from './NumberFields';
import { BLANK, draftOf } from './toolFields';
import { ToolPreview } from './ToolPreview';

export function ToolForm() {
  const [addTool] = useAddToolMutation();
  const { form, busy, submit } = useDraftForm('product', BLANK, async (fields) => {
    await addTool(draftOf(fields)).unwrap();
    return BLANK;
  });
  const { errors } = form.formState;

  return (
    <WithPreview>
      <Form label="Add Product" action="Add Product" busy={busy} error={errors.root?.message} onSubmit={submit}>
        <FormField
          form={form}
          name="name"
          label="Name"
          rules={textRules('Name', TEXT.name)}
          dir="auto"
          autoComplete="off"
        />
        <NumberFields form={form} />
        <DescriptionField form={form} name="description" />
        <LinkField form={form} name="img" label="Picture link" />
      </Form>
      <ToolPreview control={form.control} />
    </WithPreview>
  );
}
