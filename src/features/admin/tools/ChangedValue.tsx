import { Button } from '../../../ui/Button';
import { ChangedValueRow } from './toolRowStyle';

/**
 * Below a field, shows the value that another admin has just saved. This admin can take it over, or save again to
 * overwrite it.
 */
export function ChangedValue({ value, onTake }: { value: string; onTake: (value: string) => void }) {
  return (
    <ChangedValueRow>
      <span>
        Another admin saved: <bdi>{value}</bdi>
      </span>
      <Button variant="quiet" onClick={() => onTake(value)}>
        Use this value
      </Button>
    </ChangedValueRow>
  );
}
