import { useId, type KeyboardEvent } from 'react';
import styled from 'styled-components';
import { color, media, quick, radius, shadow, size, space, touch } from './theme';

const Icon = styled.button`
  display: grid;
  place-items: center;
  width: ${touch};
  height: ${touch};
  border: 1px solid ${color.edge};
  border-radius: 50%;
  background: ${color.surface};
  color: ${color.muted};
`;

const Tip = styled.span`
  position: absolute;
  top: 100%;
  left: 0;
  z-index: 5;
  width: max-content;
  max-width: min(320px, calc(100vw - ${space(8)}));
  margin-top: ${space(1)};
  padding: ${space(2)} ${space(3)};
  border-radius: ${radius};
  background: ${color.ink};
  color: ${color.paper};
  box-shadow: ${shadow};
  font-size: ${size.small};
  overflow-wrap: anywhere;
  visibility: hidden;
  opacity: 0;
  transition: opacity ${quick};
  ${media.nav} {
    top: 50%;
    left: 100%;
    max-width: 156px;
    margin: 0 0 0 ${space(2)};
    transform: translateY(-50%);
  }
`;

const Place = styled.span`
  position: relative;
  display: inline-block;
  flex: none;
  &:hover ${Tip}, &:focus-within ${Tip} {
    visibility: visible;
    opacity: 1;
  }
`;

const leave = (event: KeyboardEvent<HTMLButtonElement>) => event.key === 'Escape' && event.currentTarget.blur();

/** The user icon. Its tooltip, the email, comes on hover, focus and touch. */
export function AccountBadge({ email }: { email: string }) {
  const tip = useId();
  return (
    <Place>
      <Icon type="button" aria-label="Your account" aria-describedby={tip} onKeyDown={leave}>
        <svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
          <path d="M12 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM12 14c4.7 0 8 2.3 8 5.2V21H4v-1.8C4 16.3 7.3 14 12 14Z" />
        </svg>
      </Icon>
      <Tip id={tip} role="tooltip">
        {email}
      </Tip>
    </Place>
  );
}
