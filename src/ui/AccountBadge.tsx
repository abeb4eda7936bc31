import { useEffect, useId, useState } from 'react';
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
  /* The way from the icon to it. */
  &::before {
    content: '';
    position: absolute;
    inset: -${space(1)} 0 100%;
  }
  ${media.nav} {
    top: 50%;
    left: 100%;
    max-width: 156px;
    margin: 0 0 0 ${space(2)};
    transform: translateY(-50%);
    &::before {
      inset: 0 100% 0 -${space(2)};
    }
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

/** Sent away by Escape, wherever the focus is, until one comes to it again. */
function useDismissed() {
  const [dismissed, setDismissed] = useState(false);
  const comeBack = () => setDismissed(false);
  useEffect(() => {
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && setDismissed(true);
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, []);
  return { dismissed, comings: { onMouseEnter: comeBack, onFocus: comeBack } };
}

/** The user icon. Its tooltip, the email, comes on hover, focus and touch. */
export function AccountBadge({ email }: { email: string }) {
  const tip = useId();
  const { dismissed, comings } = useDismissed();
  return (
    <Place {...comings}>
      <Icon type="button" aria-label="Your account" aria-describedby={tip}>
        <svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
          <path d="M12 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM12 14c4.7 0 8 2.3 8 5.2V21H4v-1.8C4 16.3 7.3 14 12 14Z" />
        </svg>
      </Icon>
      <Tip id={tip} role="tooltip" hidden={dismissed}>
        {email}
      </Tip>
    </Place>
  );
}
