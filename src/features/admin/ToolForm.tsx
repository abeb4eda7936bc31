import { useAddToolMutation } from '../../api/apiSlice';
import { useSubmitForm } from '../../forms/useSubmitForm';
import { MAX_LENGTH } from '../../contract/limits';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { textRules } from '../../ui/fieldRules';
import { Form } from '../../ui/Form';
import { FormField } from '../../ui/Field';
import { WithPreview } from '../../ui/formStyle';
import { DescriptionField, LinkField } from '../../ui/knownFields';
import { NumberFields } from './NumberFields';
import { BLANK, draftOf, previewOf, type ToolFields } from './toolFields';
import { useWatch, type Control } from 'react-hook-form';
import { Preview } from '../../ui/Form';
import { useDebouncedValue } from '../../ui/useDebouncedValue';
import { ToolCard } from '../catalog/ToolCard';

function ToolPreview({ control }: { control: Control<ToolFields> }) {
  const fields = useWatch({ control }) as ToolFields;
  const img = useDebouncedValue(fields.img);
  return (
    <Preview>
      <ToolCard tool={previewOf({ ...fields, img })} />
    </Preview>
  );
}

export function ToolForm() {
  const [addTool] = useAddToolMutation();
  const { form, busy, error, submit } = useSubmitForm({
    defaults: BLANK,
    draft: 'product',
    success: SPEC_MESSAGES.toolAdded,
    send: async (fields) => {
      await addTool(draftOf(fields)).unwrap();
      return { reset: BLANK };
    },
  });

  return (
    <WithPreview>
      <Form label="Add Product" action="Add Product" busy={busy} error={error} onSubmit={submit}>
        <FormField
          form={form}
          name="name"
          label="Name"
          rules={textRules('Name', MAX_LENGTH.name)}
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
