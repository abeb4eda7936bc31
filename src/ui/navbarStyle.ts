import { Link, NavLink } from 'react-router-dom';
import styled, { css } from 'styled-components';
import { Content } from './page';
import { color, font, media, shortTransition, radius, shadow, space, touchTarget } from './theme';

const NAVBAR_HEIGHT = '64px';

/** In a low window, for example at 400 % zoom, the bar would cover too much of the page, so it scrolls away. */
export const Bar = styled.header`
  position: sticky;
  ${media.low} {
    position: relative;
  }
  top: 0;
  z-index: 10;
  border-bottom: 1px solid ${color.line};
  background: ${color.surface};
`;

export const BarContent = styled(Content)`
  display: flex;
  align-items: center;
  gap: ${space(2)};
  height: ${NAVBAR_HEIGHT};
`;

export const Logo = styled(Link)`
  display: inline-flex;
  align-items: center;
  gap: ${space(2)};
  /** As wide as in Barlow Condensed, so that the menu does not move when the font arrives. */
  min-width: 7.8rem;
  min-height: ${touchTarget};
  margin-inline-end: auto;
  color: ${color.ink};
  font: 600 1.625rem/1 ${font.display};
  letter-spacing: 0.01em;
  text-decoration: none;
  svg {
    color: ${color.ember};
  }
  ${media.nav} {
    margin-inline-end: ${space(5)};
  }
`;

/**
 * On narrow screens, the menu is a popover, so the browser handles Escape, focus and clicks outside. On wider screens,
 * it is always visible.
 */
export const Menu = styled.div`
  ${media.narrowNav} {
    inset: ${NAVBAR_HEIGHT} 0 auto;
    width: auto;
    margin: 0;
    padding: ${space(3)} ${space(4)} ${space(6)};
    border: 0;
    background: ${color.surface};
    color: ${color.ink};
    box-shadow: ${shadow};
  }
  ${media.nav} {
    position: static;
    display: flex;
    flex: 1;
    min-width: 0;
    justify-content: space-between;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    overflow: visible;
  }
`;

export const MenuGroup = styled.ul`
  display: grid;
  min-width: 0;
  ${media.nav} {
    display: flex;
    align-items: center;
    gap: ${space(1)};
    > li {
      min-width: 0;
    }
  }
`;

const menuItemStyle = css`
  display: flex;
  align-items: center;
  min-height: ${touchTarget};
  padding-inline: ${space(3)};
  border: 0;
  border-radius: ${radius};
  background: none;
  color: ${color.ink};
  font-weight: 400;
  text-decoration: none;
  white-space: nowrap;
  cursor: pointer;
  transition: color ${shortTransition};
  &:hover {
    color: ${color.ember};
  }
`;

export const MenuLink = styled(NavLink)`
  ${menuItemStyle}
  &[aria-current='page'] {
    box-shadow: inset 3px 0 ${color.ink};
    ${media.nav} {
      border-radius: 0;
      box-shadow: inset 0 -3px ${color.ink};
    }
    ${media.forcedColors} {
      text-decoration: underline;
    }
  }
`;

export const MenuItemButton = styled.button`
  ${menuItemStyle}
`;

/** Keeps the place of Login until it is known whether someone is signed in. */
export const InvisibleItem = styled.li`
  visibility: hidden;
`;

export const UserName = styled(Link)`
  display: block;
  max-width: 18ch;
  padding: ${space(2)} ${space(3)};
  overflow: hidden;
  color: ${color.muted};
  line-height: 28px;
  text-decoration: none;
  text-overflow: ellipsis;
  unicode-bidi: isolate;
  white-space: nowrap;
`;

export const MenuToggle = styled(MenuItemButton)`
  ${media.nav} {
    display: none;
  }
`;

export const SkipLink = styled.a`
  position: absolute;
  inset: ${space(2)} auto auto ${space(2)};
  z-index: 20;
  padding: ${space(3)} ${space(4)};
  border-radius: ${radius};
  background: ${color.ember};
  color: ${color.onEmber};
  font-weight: 600;
  &:not(:focus) {
    clip-path: inset(50%);
  }
`;
