import { useWatch, type Control } from 'react-hook-form';
import { Preview } from '../../ui/Preview';
import { useSettled } from '../../ui/useSettled';
import { ToolCard } from '../catalog/ToolCard';
import { toolOf, type ToolFields } from './toolFields';

export function ToolPreview({ control }: { control: Control<ToolFields> }) {
  const fields = useWatch({ control }) as ToolFields;
  const img = useSettled(fields.img);
  return (
    <Preview>
      <ToolCard tool={toolOf({ ...fields, img })} />
    </Preview>
  );
}
