import type { ComponentPropsWithRef, MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import styled, { css } from 'styled-components';
import { Ring } from './Spinner';
import { color, quick, radius, space, touch } from './theme';

type Variant = 'primary' | 'quiet' | 'danger';

const variants = {
  primary: css`
    background: ${color.ember};
    border-color: ${color.ember};
    color: ${color.onEmber};
    &:hover:not([aria-disabled='true'], :disabled) {
      background: ${color.emberDeep};
      border-color: ${color.emberDeep};
      color: ${color.onEmber};
    }
  `,
  quiet: css`
    background: ${color.surface};
    border-color: ${color.edge};
    color: ${color.ink};
    &:hover:not([aria-disabled='true'], :disabled) {
      border-color: ${color.ember};
      color: ${color.ember};
    }
  `,
  danger: css`
    background: ${color.surface};
    border-color: ${color.bad};
    color: ${color.bad};
    &:hover:not([aria-disabled='true'], :disabled) {
      background: ${color.bad};
      color: ${color.surface};
    }
  `,
};

type Look = { $variant: Variant; $wide: boolean };

const look = css<Look>`
  position: relative;
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: ${space(2)};
  width: ${({ $wide }) => ($wide ? '100%' : 'auto')};
  min-height: ${touch};
  padding: ${space(2)} ${space(7)};
  border: 1px solid;
  border-radius: ${radius};
  font-weight: 600;
  line-height: 1.2;
  text-align: center;
  overflow-wrap: normal;
  text-decoration: none;
  cursor: pointer;
  transition:
    background-color ${quick},
    border-color ${quick},
    color ${quick};
  &:disabled,
  &[aria-disabled='true'] {
    cursor: progress;
    filter: saturate(0.6);
  }
  ${({ $variant }) => variants[$variant]}
`;

const Plain = styled.button<Look>`
  ${look}
`;
const Inner = styled(Link)<Look>`
  ${look}
`;
const Outer = styled.a<Look>`
  ${look}
`;
const Busy = styled(Ring)`
  position: absolute;
  inset-inline-start: ${space(2)};
`;

type Shape = { variant?: Variant; wide?: boolean };
type ButtonProps = ComponentPropsWithRef<'button'> & Shape & { busy?: boolean };

/** Busy keeps the focus and the width, spins, and swallows clicks. Of a double click on what sends a form the first counts. */
export function Button({ variant = 'primary', wide = false, busy = false, onClick, children, ...rest }: ButtonProps) {
  const off = busy || rest['aria-disabled'];
  const click = (event: MouseEvent<HTMLButtonElement>) =>
    off || (rest.type === 'submit' && event.detail > 1) ? event.preventDefault() : onClick?.(event);
  return (
    <Plain
      type="button"
      {...rest}
      $variant={variant}
      $wide={wide}
      onClick={click}
      aria-busy={busy || undefined}
      aria-disabled={off}
    >
      {busy && <Busy $px={16} aria-hidden="true" />}
      {children}
    </Plain>
  );
}

type ButtonLinkProps = Shape & Omit<ComponentPropsWithRef<'a'>, 'href'> & ({ to: string } | { href: string });

/** `to` for a page of ours, `href` for mail, telephone and other sites. */
export function ButtonLink({ variant = 'primary', wide = false, ...rest }: ButtonLinkProps) {
  const style = { $variant: variant, $wide: wide };
  return 'to' in rest ? <Inner {...rest} {...style} /> : <Outer {...rest} {...style} />;
}
