import { useEffect, useState, type ReactNode } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useEditToolMutation } from '../../../api/apiSlice';
import type { Tool } from '../../../contract/entities';
import { PAGE_MESSAGES } from '../../../contract/pageMessages';
import { toastTextOf } from '../../../contract/toastText';
import { notify } from '../../../feedback/notify';
import { useSubmitForm } from '../../../forms/useSubmitForm';
import { FormField } from '../../../ui/Field';
import { priceRules } from '../../../ui/fieldRules';
import { Form } from '../../../ui/Form';
import { FieldRow, FormWithAside } from '../../../ui/formStyle';
import { DescriptionField, ShortTextField } from '../../../ui/presetFields';
import { PictureField, ToolPreview } from './PictureField';
import { isMinimumAboveStock, minimumRules, SPECIFICATION_HINT } from './toolFields';
import { ChangedValue } from './ChangedValue';
import { changedValuesOf, changeOf, fieldsOf, type EditedField, type EditFields } from './toolChanges';
import { usePictureUpload } from './usePictureUpload';

/** The values that another admin has saved since this form was opened. */
type ChangedFields = Partial<EditFields>;

function useToolForm(tool: Tool, onDone: () => void) {
  const [editTool] = useEditToolMutation();
  /**
   * The values that this admin has seen. `tool` can have newer ones, because the list is loaded again while the form is
   * open.
   */
  const [seen, setSeen] = useState(tool);
  const [defaults] = useState(() => fieldsOf(tool));
  const [changed, setChanged] = useState<ChangedFields>({});

  const { form, ...rest } = useSubmitForm({
    defaults,
    send: async (fields) => {
      const change = changeOf(fields, seen);
      if (!change) return { leave: onDone };
      setChanged({});
      const { name } = await editTool({ id: tool._id, change }).unwrap();
      notify.success(`Saved ${name}.`);
      return { leave: onDone };
    },
    onFailure(error) {
      const current = changedValuesOf(error);
      if (current) showChanged(current);
      return current && toastTextOf(error);
    },
  });

  /** From now on, these values count as seen, so that saving again overwrites them. */
  function showChanged(current: Partial<Tool>) {
    setSeen((previous) => ({ ...previous, ...current }));
    setChanged(Object.fromEntries(Object.entries(current).map(([field, value]) => [field, String(value)])));
  }

  function acceptValue(field: EditedField, value: string) {
    form.setValue(field, value, { shouldDirty: true, shouldValidate: true });
    form.setFocus(field);
    setChanged(({ [field]: _, ...others }) => others);
  }
  const changedValue = (field: EditedField): ReactNode =>
    changed[field] !== undefined && (
      <ChangedValue value={changed[field]} onTake={(value) => acceptValue(field, value)} />
    );
  return { form, changedValue, ...rest };
}

type MinimumFieldProps = { form: UseFormReturn<EditFields>; tool: Tool; warning: ReactNode };

function MinimumField({ form, tool, warning }: MinimumFieldProps) {
  const minimumOrderQuantity = useWatch({ control: form.control, name: 'minimumOrderQuantity' });
  const quantities = { minimumOrderQuantity, availableQuantity: String(tool.availableQuantity) };
  return (
    <FormField
      form={form}
      name="minimumOrderQuantity"
      label="Minimum order quantity"
      inputMode="numeric"
      autoComplete="off"
      warning={warning || (isMinimumAboveStock(quantities) && PAGE_MESSAGES.minimumAboveAvailable)}
      rules={minimumRules}
    />
  );
}

export function EditToolForm({ tool, onDone }: { tool: Tool; onDone: () => void }) {
  const { form, busy, error, submit, changedValue } = useToolForm(tool, onDone);
  const upload = usePictureUpload(form);
  const { setFocus } = form;
  useEffect(() => setFocus('name'), [setFocus]);

  return (
    <FormWithAside>
      <Form
        label={`Edit ${tool.name}`}
        action="Save"
        busy={busy || upload.progress !== ''}
        error={error}
        onSubmit={submit}
      >
        <ShortTextField form={form} name="name" label="Name" warning={changedValue('name')} />
        <FieldRow>
          <FormField
            form={form}
            name="price"
            label="Price"
            inputMode="numeric"
            autoComplete="off"
            warning={changedValue('price')}
            rules={priceRules('Price')}
          />
          <MinimumField form={form} tool={tool} warning={changedValue('minimumOrderQuantity')} />
        </FieldRow>
        <DescriptionField
          form={form}
          name="description"
          warning={changedValue('description')}
          hint={SPECIFICATION_HINT}
        />
        <PictureField form={form} upload={upload} warning={changedValue('img') || undefined} />
      </Form>
      <ToolPreview control={form.control} fixed={{ availableQuantity: String(tool.availableQuantity) }} />
    </FormWithAside>
  );
}
