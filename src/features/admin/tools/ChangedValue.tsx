import { Button } from '../../../ui/Button';
import { Changed } from './toolRowStyle';

/** Shows the value that another admin has just saved in a field. This admin accepts it, or overwrites it. */
export function ChangedValue({ value, onTake }: { value: string; onTake: (value: string) => void }) {
  return (
    <Changed>
      <span>
        Another admin saved: <bdi>{value}</bdi>
      </span>
      <Button variant="quiet" onClick={() => onTake(value)}>
        Use this value
      </Button>
    </Changed>
  );
}
