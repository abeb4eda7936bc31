import styled from 'styled-components';
import { Button } from '../../ui/Button';
import { color, size, space } from '../../ui/theme';

const Or = styled.p`
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

type GoogleButtonProps = { disabled: boolean; busy: boolean; onClick: () => void };

/** Stays focusable while busy, so that the focus returns to it when Google's window closes. */
export function GoogleButton({ disabled, busy, onClick }: GoogleButtonProps) {
  return (
    <>
      <Button variant="quiet" wide disabled={disabled} aria-disabled={busy} onClick={onClick}>
        Continue with Google
      </Button>
      <Or>or with email and password</Or>
    </>
  );
}
