import styled from 'styled-components';
import { Button } from '../../ui/Button';
import { color, size, space } from '../../ui/theme';
import { GOOGLE_MARK } from './googleMark';

const OrDivider = styled.p`
  display: flex;
  align-items: center;
  gap: ${space(3)};
  color: ${color.muted};
  font-size: ${size.small};
  &::before,
  &::after {
    content: '';
    flex: 1;
    border-top: 1px solid ${color.line};
  }
`;

/** Google's brand guidelines require Google's own four colors, so they are the same in both themes. */
function GoogleMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 48 48" aria-hidden="true">
      {GOOGLE_MARK.map(({ fill, d }) => (
        <path key={fill} fill={fill} d={d} />
      ))}
    </svg>
  );
}

type GoogleButtonProps = { disabled: boolean; busy: boolean; onClick: () => void };

/** Not disabled while busy, so that the focus can return to the button when Google's window closes. */
export function GoogleButton({ disabled, busy, onClick }: GoogleButtonProps) {
  return (
    <>
      <Button variant="quiet" wide disabled={disabled} aria-disabled={busy} onClick={onClick}>
        <GoogleMark />
        Continue with Google
      </Button>
      <OrDivider>or with email and password</OrDivider>
    </>
  );
}
