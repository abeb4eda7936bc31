import type { ComponentPropsWithRef, MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import styled, { css } from 'styled-components';
import { Ring } from './Spinner';
import { color, shortTransition, radius, space, touchTarget } from './theme';

type Variant = 'primary' | 'outline' | 'quiet' | 'danger';

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
  /** Fills only when it is pointed at, because many of them can be in view. */
  outline: css`
    background: none;
    border-color: ${color.ink};
    color: ${color.ink};
    &:is(:hover, :focus-visible, :active) {
      background: ${color.ember};
      border-color: ${color.ember};
      color: ${color.onEmber};
    }
  `,
  quiet: css`
    background: ${color.surface};
    border-color: ${color.edge};
    color: ${color.ink};
    &:hover:not([aria-disabled='true'], :disabled) {
      border-color: ${color.ink};
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

type StyleProps = { $variant: Variant; $wide: boolean };

const buttonStyle = css<StyleProps>`
  position: relative;
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: ${space(2)};
  width: ${({ $wide }) => ($wide ? '100%' : 'auto')};
  min-height: ${touchTarget};
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
    background-color ${shortTransition},
    border-color ${shortTransition},
    color ${shortTransition};
  &:disabled,
  &[aria-disabled='true'] {
    cursor: progress;
    filter: saturate(0.6);
  }
  ${({ $variant }) => variants[$variant]}
`;

const NativeButton = styled.button<StyleProps>`
  ${buttonStyle}
`;
const RouterLink = styled(Link)<StyleProps>`
  ${buttonStyle}
`;
const ExternalLink = styled.a<StyleProps>`
  ${buttonStyle}
`;
const BusyRing = styled(Ring)`
  position: absolute;
  inset-inline-start: ${space(2)};
`;

type StyleOptions = { variant?: Variant; wide?: boolean };
type ButtonProps = ComponentPropsWithRef<'button'> & StyleOptions & { busy?: boolean };

/**
 * A busy button shows a spinner and ignores clicks, but keeps its focus and width. The second click of a double click
 * does nothing: it would send a form again, answer a question that nobody has read, or undo the first.
 */
export function Button({ variant = 'primary', wide = false, busy = false, onClick, children, ...rest }: ButtonProps) {
  const isDisabled = busy || rest['aria-disabled'];
  const handleClick = (event: MouseEvent<HTMLButtonElement>) =>
    isDisabled || event.detail > 1 ? event.preventDefault() : onClick?.(event);
  return (
    <NativeButton
      type="button"
      {...rest}
      $variant={variant}
      $wide={wide}
      onClick={handleClick}
      aria-busy={busy || undefined}
      aria-disabled={isDisabled}
    >
      {busy && <BusyRing $px={16} aria-hidden="true" />}
      {children}
    </NativeButton>
  );
}

type ButtonLinkProps = StyleOptions & Omit<ComponentPropsWithRef<'a'>, 'href'> & ({ to: string } | { href: string });

/**
 * A link that looks like a button. `to` is a page of the shop. `href` is an email address, a phone number or another
 * site.
 */
export function ButtonLink({ variant = 'primary', wide = false, ...rest }: ButtonLinkProps) {
  const style = { $variant: variant, $wide: wide };
  return 'to' in rest ? <RouterLink {...rest} {...style} /> : <ExternalLink {...rest} {...style} />;
}
