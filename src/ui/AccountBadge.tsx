import { useEffect, useId, useState } from 'react';
import styled from 'styled-components';
import { color, media, shortTransition, radius, shadow, size, space, touchTarget } from './theme';

const Icon = styled.button`
  display: grid;
  place-items: center;
  width: ${touchTarget};
  height: ${touchTarget};
  border: 1px solid ${color.edge};
  border-radius: 50%;
  background: ${color.surface};
  color: ${color.muted};
`;

const Tooltip = styled.span`
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
  transition: opacity ${shortTransition};
  /*
   * Fills the gap between icon and tooltip, so that the tooltip stays open while the pointer moves from one to the
   * other.
   */
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

const TooltipAnchor = styled.span`
  position: relative;
  display: inline-block;
  flex: none;
  &:hover ${Tooltip}, &:focus-within ${Tooltip} {
    visibility: visible;
    opacity: 1;
  }
`;

/** Escape hides the tooltip, whichever element has the focus. The next hover or focus shows it again. */
function useEscapeToDismiss() {
  const [isDismissed, setDismissed] = useState(false);
  const show = () => setDismissed(false);
  useEffect(() => {
    const dismissOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && setDismissed(true);
    window.addEventListener('keydown', dismissOnEscape);
    return () => window.removeEventListener('keydown', dismissOnEscape);
  }, []);
  return { isDismissed, showHandlers: { onMouseEnter: show, onFocus: show } };
}

/** The user icon. On hover, focus or touch, its tooltip shows the email. */
export function AccountBadge({ email }: { email: string }) {
  const tooltipId = useId();
  const { isDismissed, showHandlers } = useEscapeToDismiss();
  return (
    <TooltipAnchor {...showHandlers}>
      <Icon type="button" aria-label="Your account" aria-describedby={tooltipId}>
        <svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
          <path d="M12 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM12 14c4.7 0 8 2.3 8 5.2V21H4v-1.8C4 16.3 7.3 14 12 14Z" />
        </svg>
      </Icon>
      <Tooltip id={tooltipId} role="tooltip" hidden={isDismissed}>
        {email}
      </Tooltip>
    </TooltipAnchor>
  );
}
