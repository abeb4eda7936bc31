import { Button } from '../../../ui/Button';
import { Changed } from './toolRowStyle';

/** What another admin has saved in a field meanwhile. This admin takes it, or saves their own value over it. */
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
