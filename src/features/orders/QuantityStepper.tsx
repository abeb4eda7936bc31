import type { ReactNode } from 'react';
import { formatCount } from '../../contract/formatCount';
import { formatWithCommas } from '../../contract/formatWithCommas';
import { cratesToPick, nextCrate, type PricedStock } from './orderRules';
import { CrateButton, CrateButtons, Step, Stepper } from './purchaseStyle';

type Props = { stock: PricedStock; quantity: number; onChange: (quantity: number) => void };

const SIGNS = { '-1': '−', '1': '+' } as const;

/** Not disabled at the end of the range, so that the button keeps the focus. */
function StepButton({ stock, quantity, onChange, direction }: Props & { direction: 1 | -1 }) {
  const next = nextCrate(stock, quantity, direction);
  return (
    <Step
      type="button"
      aria-label={direction === 1 ? 'Add one crate' : 'Remove one crate'}
      aria-disabled={next === undefined}
      onClick={() => next !== undefined && onChange(next)}
    >
      {SIGNS[direction]}
    </Step>
  );
}

/** The quantity field between two buttons that change it to the next multiple of a crate in the range. */
export function QuantityStepper({ children, ...props }: Props & { children: ReactNode }) {
  return (
    <Stepper>
      <StepButton {...props} direction={-1} />
      {children}
      <StepButton {...props} direction={1} />
    </Stepper>
  );
}

export function CratePicks({ stock, quantity, onChange }: Props) {
  const picks = cratesToPick(stock);
  if (picks.length === 0) return null;
  return (
    <CrateButtons role="group" aria-label="Crates">
      {picks.map((crates) => {
        const pieces = crates * stock.minimumOrderQuantity;
        return (
          <CrateButton key={crates} type="button" aria-pressed={pieces === quantity} onClick={() => onChange(pieces)}>
            {formatCount(crates, 'crate')} <small>{formatWithCommas(pieces)}</small>
          </CrateButton>
        );
      })}
    </CrateButtons>
  );
}
